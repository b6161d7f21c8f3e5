"""Looking on and back in a real browser: wall, replay, proof, and a table on another site."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from games.tables import services
from games.tables.models import Game, PlayedDeal
from tests.cast import make_cast
from tests.frontend.tables import open_table, play

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Open = Callable[..., Page]
DESK = {"width": 1440, "height": 900}
FACTS = {"viewport": DESK}


@pytest.fixture
def over(live_server: LiveServer) -> Game:
    """A match of two deals that is over, beside one that is being played."""
    cast = make_cast()
    game, running = open_table(cast, deals=2), open_table(cast)
    play(running, moves=30)
    play(game)
    services.start_next_deal(stream=game.stream, by="test")
    play(game)
    return game


def laid(page: Page) -> Page:
    page.wait_for_selector(".game, .proof, .wall-live, .help")
    page.wait_for_load_state("networkidle")
    return page


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_is_looked_back_at_has_no_barrier_and_fits_a_narrow_screen(
    visitor: Open, over: Game, theme: str
) -> None:
    table, embed = f"/tables/{over.public_id}", f"/embed/{over.public_id}"
    for path in (
        f"{table}/replay/",
        f"{table}/replay/?as=all",
        f"{table}/verify/",
        f"{embed}/",
    ):
        page = laid(visitor(path, color_scheme=theme, reduced_motion="reduce"))
        if slider := page.query_selector(".scrub"):
            # Late in the deal, with all there is on the table.
            slider.evaluate("s => { s.value = 0.8 * s.max; s.dispatchEvent(new Event('input')); }")
        found = Axe().run(page)
        assert found.violations_count == 0, f"{page.url}\n{found.generate_report()}"
        for width in (320, 180):
            page.set_viewport_size({"width": width, "height": 640})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, page.url


def test_a_link_leads_to_its_event_and_steps_keep_the_address(visitor: Open, over: Game) -> None:
    first, second = PlayedDeal.objects.filter(game=over).order_by("number")
    there = second.first_seq + 20
    # The link names no deal: the one of the event is found, and its place in it.
    page = laid(visitor(f"/tables/{over.public_id}/replay/?deal=1#ev={there}", **FACTS))
    page.wait_for_url(f"**/replay/?deal=2#ev={there}")
    expect(page.locator(".place")).to_contain_text("Step 21 of")
    page.keyboard.press("ArrowRight")
    page.wait_for_url(f"**#ev={there + 1}")
    page.keyboard.press("Home")
    page.wait_for_url(f"**#ev={second.first_seq}")
    page.keyboard.press("ArrowDown")
    expect(page.locator(".place")).to_contain_text("Turn 1")
    page.keyboard.press("End")
    expect(page.locator(".sheet")).to_be_visible()
    page.keyboard.press("PageUp")
    page.wait_for_url("**/replay/?deal=1*")
    assert first.number == 1


def test_the_same_moment_is_seen_through_other_eyes(visitor: Open, over: Game) -> None:
    page = laid(visitor(f"/tables/{over.public_id}/replay/?deal=1", **FACTS))
    assert page.query_selector(".open-hand") is None
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".place")).to_contain_text("Step 4 of")
    page.click("text=All hands")
    laid(page)
    expect(page.locator(".place")).to_contain_text("Step 4 of")
    assert page.locator(".open-hand").count() == 4
    page.click(".face-down summary")
    assert page.locator(".face-down .word-card").count() > 22
    page.click(".eyes >> text=Carla Conti")
    laid(page)
    assert page.locator(".hand .card").count() >= 10


def test_a_match_is_proven_and_a_changed_record_is_not(
    visitor: Open, over: Game, tmp_path: Path
) -> None:
    page = laid(visitor(f"/tables/{over.public_id}/verify/", **FACTS))
    expect(page.locator(".verdict.is-ok")).to_contain_text("Everything holds")
    with page.expect_download() as download:
        page.click(".embed-help summary")
        page.click("a[download]")
    record = Path(download.value.path()).read_bytes()
    kept = tmp_path / "kept.jsonl"
    kept.write_bytes(record)
    page.set_input_files("[data-file]", kept)
    expect(page.locator(".verdict.is-ok")).to_be_visible()
    at = record.index(b'"card":"', len(record) // 2) + 8
    changed = tmp_path / "changed.jsonl"
    changed.write_bytes(
        record[:at] + (b"3S" if record[at : at + 2] != b"3S" else b"4S") + record[at + 2 :]
    )
    page.set_input_files("[data-file]", changed)
    expect(page.locator(".verdict.is-wrong")).to_be_visible()
    expect(page.locator(".proof.is-wrong")).to_contain_text("This event was changed")
    assert page.locator(".verdict.is-ok").count() == 0


def test_a_pair_is_followed_on_the_wall_and_the_address_keeps_it(visitor: Open, over: Game) -> None:
    page = laid(visitor("/tables/", **FACTS))
    assert page.locator(".wall-table").count() == 1
    page.get_by_role("button", name="Follow Carla Conti & Dino Donati").click()
    page.wait_for_url("**/tables/?name=Carla*")
    page.fill("[data-filter]", "furió")
    expect(page.locator(".wall-live .notice")).to_contain_text("furió")
    page.reload()
    laid(page)
    assert page.locator(".wall-table").count() == 0
    page.fill("[data-filter]", "DONATI carla")
    assert page.locator(".wall-table").count() == 1


def test_the_wall_moves_by_itself(visitor: Open, over: Game) -> None:
    running = Game.objects.exclude(pk=over.pk).get()
    page = laid(visitor("/tables/", **FACTS))
    tile = page.locator(".wall-table")
    before = tile.text_content()
    play(running, moves=6)
    expect(tile).not_to_have_text(before or "", timeout=10_000)


def test_another_site_may_frame_the_embedded_table_and_nothing_else(
    visitor: Open, over: Game, live_server: LiveServer
) -> None:
    frames = {
        "embed": f"/embed/{over.public_id}/",
        "replay": f"/tables/{over.public_id}/replay/",
    }
    body = "".join(
        f'<iframe id="{name}" src="{live_server.url}{path}"></iframe>'
        for name, path in frames.items()
    )
    with another_site(body) as address:
        page = visitor(address, **FACTS)
        expect(page.frame_locator("#embed").locator(".game")).to_be_visible(timeout=10_000)
        assert page.frame_locator("#replay").locator("[data-table]").count() == 0


@contextmanager
def another_site(body: str) -> Iterator[str]:
    """A site of one page, of another origin than ours."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_a_replay_tells_who_sat_there_at_each_moment(
    visitor: Open, live_server: LiveServer
) -> None:
    cast = make_cast()
    game = open_table(cast)

    def seat(holder: str, reason: str) -> None:
        services.change_seat(stream=game.stream, seat=0, holder=holder, by="t", reason=reason)

    play(game, moves=5)
    seat(f"bot:sensible:{cast.carla.public_id}", "absent")
    play(game, moves=5)
    seat(cast.bruno.public_id, "substituted")
    play(game)
    page = laid(visitor(f"/tables/{game.public_id}/replay/", **FACTS))
    own_seat = page.locator('[data-move="seat-0"]')
    page.keyboard.press("Home")
    expect(own_seat).to_contain_text("Carla Conti")
    expect(own_seat).not_to_contain_text("bot plays")
    page.locator(".scrub").focus()
    log = page.locator(".log")
    while "away" not in log.inner_text():
        page.keyboard.press("ArrowRight")
    expect(own_seat).to_contain_text("bot plays")
    expect(own_seat).to_contain_text("Carla Conti")
    page.keyboard.press("End")
    expect(own_seat).to_contain_text("Bruno Bassi")
    expect(own_seat).not_to_contain_text("bot plays")
    assert "Carla Conti" not in page.locator(".side").all_inner_texts()[0]
