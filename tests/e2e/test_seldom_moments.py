"""What comes seldom at a table, in a real browser: clocks, absences, questions, pauses, talk."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from games.rules.legal import legal_moves
from games.tables.absences import sweep_absences
from games.tables.loading import load
from tests.e2e.evening import Evening, cards, focused
from tests.e2e.looks import look_at
from tests.games.play import moves
from tests.games.processes import eventually

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Lay = Callable[..., Evening]


def test_a_clock_shows_whose_time_runs_and_what_everyone_has_in_reserve(lay: Lay) -> None:
    evening = lay(seats=4, move_seconds=90, bank_seconds=300)
    turn = evening.turn
    mine, other, watcher = evening.sit(turn), evening.sit((turn + 1) % 4), evening.watch()
    for page in (mine, other, watcher):
        expect(page.locator(".seat .clock")).to_have_count(4)
        expect(page.locator(".seat.is-turn .clock.is-running")).to_have_count(1)
    expect(mine.locator(".dock-head .clock")).to_contain_text("+5:00")
    look_at(mine, "clock-own")
    look_at(other, "clock-other")
    look_at(watcher, "clock-watched")


def test_time_that_runs_short_is_said_once_and_a_bot_plays_when_it_is_up(lay: Lay) -> None:
    evening = lay(seats=4, move_seconds=2, bank_seconds=11)
    turn = evening.turn
    mine, other = evening.sit(turn), evening.sit((turn + 1) % 4)
    expect(mine.locator(".note-hint")).to_have_text("10 seconds left.", timeout=15_000)
    expect(mine.locator(".dock [role=status].unseen")).to_contain_text("10 seconds left.")
    expect(other.locator(".seat.is-turn .clock.is-low")).to_have_count(1)
    look_at(mine, "clock-low", sizes=("phone",))
    assert eventually(lambda: sweep_absences() or evening.turn != turn, 20)
    expect(mine.locator(".note-bot")).to_contain_text("A bot plays for you.")
    expect(other.locator(".log")).to_contain_text("has run out of time.")
    look_at(mine, "bot-plays")
    look_at(other, "bot-of-other", sizes=("phone", "desk"))
    mine.keyboard.press("Shift")
    expect(mine.locator(".note-bot")).to_have_count(0)
    expect(mine.locator("[data-focus=draw]")).to_be_visible()
    expect(other.locator(".log")).to_contain_text("is back.")


def test_an_absent_player_is_counted_down_and_finds_the_seat_again(lay: Lay) -> None:
    evening = lay(seats=4)
    turn = evening.turn
    away, other = evening.sit(turn), evening.sit((turn + 1) % 4)
    watcher = evening.watch()
    expect(other.locator(".seat.is-turn .presence.is-here")).to_have_count(1)
    away.context.set_offline(True)
    expect(other.locator(".note-away")).to_contain_text(
        "is away. A bot plays on in", timeout=25_000
    )
    expect(other.locator(".dock [role=status].unseen")).to_contain_text("A bot will play on soon.")
    expect(watcher.locator(".seat.is-turn")).to_contain_text("bot in")
    look_at(other, "takeover")
    look_at(watcher, "takeover-watched", sizes=("phone", "desk"))
    assert eventually(sweep_absences, 50)
    expect(other.locator(".log")).to_contain_text("is away: a bot plays on.")
    expect(other.locator(".note-away")).to_have_count(0)
    away.context.set_offline(False)
    expect(away.locator(".note-bot")).to_be_visible()
    away.click("[data-focus=back]")
    expect(away.locator("[data-focus=draw]")).to_be_visible()
    expect(away.locator(".note-bot")).to_have_count(0)


def until_a_meld_is_at_hand(evening: Evening) -> None:
    """Play on until whoever is to play can lay something down."""
    for _ in moves(evening.game):
        deal = load(evening.game.stream).state.deal
        if deal is not None and legal_moves(deal, deal.turn).melds:
            return


def lay_the_first_hint(page: Page) -> None:
    page.keyboard.press("h")
    page.click(".hints .menu-line:has-text('Lay down') >> nth=0")
    page.click("[data-focus=lay]")


def test_taking_back_is_asked_for_and_answered_by_the_other_side(lay: Lay) -> None:
    evening = lay(seats=4)
    until_a_meld_is_at_hand(evening)
    turn = evening.turn
    mine, other = evening.sit(turn), evening.sit((turn + 1) % 4)
    before, hand = mine.locator(".meld").count(), cards(mine)
    lay_the_first_hint(mine)
    expect(mine.locator(".meld")).to_have_count(before + 1)
    for answer, said in (("deny", "does not agree."), ("grant", "agrees.")):
        mine.click("[data-focus=menu]")
        mine.click("text=Ask to take back the last meld")
        expect(mine.locator(".note-asked")).to_contain_text("You have asked to take back")
        expect(other.locator(".note-asked")).to_contain_text("asks to take back")
        if answer == "deny":
            look_at(other, "undo-question")
            look_at(mine, "undo-asked", sizes=("phone", "desk"))
        other.click(f"[data-focus={answer}]")
        expect(mine.locator(".note-hint")).to_contain_text(said)
        expect(other.locator(".note-asked")).to_have_count(0)
    expect(mine.locator(".meld")).to_have_count(before)
    expect(mine.locator(".log")).to_contain_text("takes back")
    expect(mine.locator(".hand-card")).to_have_count(len(hand))
    assert sorted(cards(mine)) == sorted(hand)


def test_a_pause_is_asked_for_granted_and_ended(lay: Lay) -> None:
    evening = lay(seats=4, move_seconds=90, bank_seconds=300)
    turn = evening.turn
    mine, partner, other = (evening.sit((turn + far) % 4) for far in (0, 2, 1))
    mine.click("[data-focus=menu]")
    look_at(mine, "menu")
    mine.click("text=Ask for a pause")
    expect(mine.locator(".note-asked")).to_contain_text("You have asked for a pause.")
    expect(partner.locator(".note-asked")).to_contain_text("asks for a pause.")
    expect(partner.locator("[data-focus=grant]")).to_have_count(0)
    look_at(mine, "pause-asked", sizes=("phone", "desk"))
    look_at(other, "pause-question")
    other.focus("[data-focus=deny]")
    other.keyboard.press("Enter")
    expect(mine.locator(".note-hint")).to_contain_text("does not agree.")
    assert focused(other).startswith("card-")
    mine.click("[data-focus=menu]")
    mine.click("text=Ask for a pause")
    other.focus("[data-focus=grant]")
    other.keyboard.press("Enter")
    for page in (mine, partner, other):
        expect(page.locator(".note-paused")).to_contain_text("The match is paused.")
        expect(page.locator(".clock.is-running")).to_have_count(0)
    look_at(mine, "paused")
    other.click("[data-focus=resume]")
    look_at(mine, "resume-question", sizes=("phone",))
    mine.click("[data-focus=grant]")
    for page in (mine, partner, other):
        expect(page.locator(".note-paused")).to_have_count(0)
    expect(mine.locator("[data-focus=draw]")).to_be_visible()


def test_spectators_talk_among_themselves_and_hide_whom_they_like(lay: Lay) -> None:
    evening = lay(seats=4)
    player, watcher, another = evening.sit(evening.turn), evening.watch(), evening.watch()
    table, watchers = another.locator(".room >> nth=0"), another.locator(".room >> nth=1")
    player.click(".talk .preset >> nth=0")
    player.click(".talk .emote >> nth=2")
    watcher.fill(".say input", "What a hand that was, and what a long sentence about it!")
    watcher.keyboard.press("Enter")
    expect(watcher.locator(".say input")).to_have_value("")
    expect(watchers).to_contain_text("What a hand")
    expect(table).to_contain_text("Hello!")
    expect(table.get_by_role("img", name="Applause")).to_be_visible()
    expect(player.locator(".talk")).not_to_contain_text("What a hand")
    look_at(another, "talk")
    another.locator(".talk").scroll_into_view_if_needed()
    look_at(another, "talk-seen", sizes=("phone",))
    player.locator(".talk").scroll_into_view_if_needed()
    look_at(player, "talk-player", sizes=("phone", "tablet"))
    table.locator(".mute >> nth=0").click()
    expect(table).not_to_contain_text("Hello!")
    table.locator(".mute >> nth=0").click()
    expect(table).to_contain_text("Hello!")


def test_who_is_not_heard_is_told_why_and_keeps_the_words(lay: Lay) -> None:
    watcher = lay().watch()
    for number in range(5):
        watcher.fill(".say input", f"word {number}")
        watcher.keyboard.press("Enter")
        expect(watcher.locator(".say input")).to_have_value("")
    watcher.fill(".say input", "one too many")
    watcher.keyboard.press("Enter")
    expect(watcher.locator(".talk-fault")).to_contain_text("You are talking too fast.")
    expect(watcher.locator(".say input")).to_have_value("one too many")
    watcher.context.set_offline(True)
    expect(watcher.locator(".connection")).to_contain_text("You are offline.")
    watcher.keyboard.press("Enter")
    expect(watcher.locator(".talk-fault")).to_contain_text("Nothing was sent.")
