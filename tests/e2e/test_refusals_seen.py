"""Every refusal and every fault of a table is seen beside the cards, in each language."""

import json
from collections.abc import Callable

import pytest
from django.utils import translation
from playwright.sync_api import WebSocketRoute, expect

from frontend.phrases import spoken_phrases
from frontend.play_phrases import FAULTS, REFUSALS
from tests.e2e.evening import Evening

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Lay = Callable[..., Evening]
KINDS = dict.fromkeys(REFUSALS, "refused") | dict.fromkeys(FAULTS, "error")
# With these the page has nothing to play with any more, and says so in their place.
ENDS = {"seat-lost"}
CODES = sorted(set(KINDS) - ENDS)


@pytest.mark.parametrize("locale", ["en", "es", "it", "pt-BR"])
def test_each_refusal_and_fault_is_said_beside_the_cards(lay: Lay, locale: str) -> None:
    evening = lay()
    left = iter(CODES)

    def refuse(route: WebSocketRoute) -> None:
        server = route.connect_to_server()

        def up(text: str | bytes) -> None:
            said = json.loads(text)
            if said["t"] != "move":
                server.send(text)
                return
            code = next(left)
            answer = {"t": KINDS[code], "id": said["id"], "code": code, "reason": "?", "seq": 2}
            route.send(json.dumps(answer | {"clause": "S0-1"}))

        route.on_message(up)

    page = evening.sit(
        evening.turn,
        locale=locale,
        before=lambda page: page.route_web_socket("**/ws/**", refuse),
    )
    with translation.override(locale.lower()):
        texts = spoken_phrases(evening.game.terms, evening.game.seats)
    said = page.locator(".note-fault span >> nth=0")
    for code in CODES:
        page.click("[data-focus=draw]")
        expect(said).to_have_text(texts[f"refused.{code}"])
    assert next(left, None) is None
