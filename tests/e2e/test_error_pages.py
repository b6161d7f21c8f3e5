"""Pages that say what went wrong, in a real browser: in the reader's language, and a way on."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.looks import look_at

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Open = Callable[..., Page]


@pytest.mark.parametrize(
    ("locale", "said"),
    [
        ("en", "There is no such page."),
        ("es", "Esta página no existe."),
        ("it", "Questa pagina non c’è."),
        ("pt-BR", "Esta página não existe."),
    ],
)
def test_a_page_that_is_not_there_says_so_and_leads_on(
    visitor: Open, locale: str, said: str
) -> None:
    page = visitor("/tables/nowhere/", locale=locale)
    expect(page.get_by_role("heading", level=1)).to_have_text(said)
    look_at(page, f"not-found-{locale}", sizes=("phone",))
    page.click("main a")
    page.wait_for_url("**/")


def test_a_form_without_its_cookie_is_told_to_load_the_page_again(visitor: Open) -> None:
    page = visitor("/play/")
    page.fill("#name", "Carla")
    page.context.clear_cookies()
    page.click("text=Lay the table")
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "This page has been open for too long."
    )
    look_at(page, "form-too-old", sizes=("phone",))
