"""The words of the replay, of the page that proves a shuffle, and of the wall of tables.

Like `frontend.phrases`, whose words the components speak besides.
"""

from django.utils.translation import gettext_lazy as _

from frontend.phrases import PHRASES
from frontend.terms import in_terms

REPLAY = {
    "replay.turn.back": _("To the turn before"),
    "replay.turn.on": _("To the next turn"),
    "replay.realtime": _("As played"),
    "replay.copy": _("Copy a link to this moment"),
    "replay.copied": _("Link copied"),
    "replay.turn": _("Turn {turn}"),
    "moment.canasta.of": _("{name}: {grade}"),
    "moment.reserve.of": _("{name}: [reserve]"),
    "moment.out.of": _("{name} goes out"),
    "moment.end": _("The deal ends"),
    "hand.of": _("Hand of {name}"),
    "stock.next": _("The stock, next card first"),
    "reserve.cards": _("[Reserve] {number}"),
    "sheet.so_far": _("The score so far"),
    "sheet.so_far.public": _("What lies on the table. The cards in the hands count at the end."),
    "sheet.so_far.all": _("As if the deal ended now, hands included."),
    "why.melds": _("The value of every card laid down: {count} cards."),
    "why.clean": _("Seven or more cards without a wild: {count} × {each}."),
    "why.semi": _("A wild only at the end or outside a clean seven: {count} × {each}."),
    "why.dirty": _("Seven or more cards with a wild: {count} × {each}."),
    "why.run13": _("A natural sequence of thirteen: {count} × {each}."),
    "why.run14": _("A natural sequence of fourteen, ace to ace: {count} × {each}."),
    "why.closing": _("For going out."),
    "why.reserve": _("A [reserve] not taken or never played: {count} × {each}."),
    "why.hand": _("Cards still in hand count against you: {count}."),
}


def replay_phrases(terms: str = "") -> dict[str, str]:
    """What the replay says besides what the table does."""
    return in_terms(REPLAY, terms)


WALL = {
    "wall.follow": _("Follow {names}"),
    "wall.turn": _("Turn: {name}"),
    "wall.between": _("Between two deals"),
    "wall.over": _("Match over"),
    "wall.melds.one": _("{count} meld on the table."),
    "wall.melds.other": _("{count} melds on the table."),
    "wall.canastas.one": _("{count} of seven cards or more."),
    "wall.canastas.other": _("{count} of seven cards or more."),
    "wall.practice": _("Practice tables: {count}"),
    "wall.none": _("No table is playing now"),
    "wall.none.more": _("This page shows each table as soon as its first deal begins."),
    "wall.nobody": _("No table of “{names}” is playing now"),
    "wall.nobody.more": _("Stay here: their next table appears as soon as it begins."),
}
_OF_THE_TABLE = ("rank.", "suit.", "card.", "seat.", "stock", "pile", "deal")


def wall_phrases() -> dict[str, str]:
    """What the wall says, with the words for cards and seats."""
    shared = {key: text for key, text in PHRASES.items() if key.startswith(_OF_THE_TABLE)}
    return in_terms(shared | WALL)


VERIFY = {
    "verify.again": _("Check again"),
    "verify.reading": _("Reading the record…"),
    "verify.working": _("Working it out…"),
    "verify.insecure": _(
        "Your browser does its arithmetic only on safe connections. Open this page with https."
    ),
    "verify.unreachable": _("The record could not be fetched. Please try again."),
    "verify.passed": _("proven"),
    "verify.failed": _("WRONG"),
    "verify.sound": _("Everything holds. No card was moved, and nothing was changed afterwards."),
    "verify.unsound": _(
        "Something does not hold. This record is not what was played, or it was damaged."
    ),
    "verify.redacted": _(
        "The match is not over, so its shuffles are still secret: this record shows what "
        "spectators have seen. Come back after the match; the commitment below will not change."
    ),
    "verify.at_line": _("Line {line} of the record."),
    "verify.in_deal": _("Deal {deal}."),
    "step.read": _("The record can be read"),
    "step.read.why": _("{count} events, each written in the one way in which it can be written."),
    "step.header": _("The header is whole"),
    "step.header.why": _("Its fingerprint fits the rules and the game that it names."),
    "step.chain": _("The events hang together"),
    "step.chain.why": _(
        "Each event carries the fingerprint of all before it. Whoever changes one letter, even "
        "years later, breaks the chain from there on. Last link: {head}."
    ),
    "step.commitment": _("The shuffles were fixed before the first card"),
    "step.commitment.why": _(
        "Before the first deal the fingerprint {commitment} was made public. The secrets revealed "
        "after the match lead to it, so they are the ones that were fixed then."
    ),
    "step.shuffle": _("Deal {deal} was dealt from that shuffle"),
    "step.shuffle.why": _(
        "The secret of this deal gives the order of all {count} cards. The hands, the card turned "
        "up and who got them are exactly those."
    ),
    "step.draws": _("Deal {deal}: every card drawn was the next one"),
    "step.draws.why": _(
        "Cards drawn: {draws}; [reserves] taken: {reserves}. Each was the one that lay there."
    ),
    "fault.not-json": _("This line is no JSON."),
    "fault.not-canonical": _("This line is not written in the one way."),
    "fault.line-cut": _("The last line is cut off."),
    "fault.record-empty": _("There is no event in this file."),
    "fault.format-unknown": _("This is no record of a game."),
    "fault.header-hash-differs": _("The header is not what its fingerprint says."),
    "fault.seq-gap": _("An event is missing or stands in the wrong place."),
    "fault.prev-differs": _("This event does not follow the one before it."),
    "fault.hash-differs": _("This event was changed: its fingerprint is another."),
    "fault.head-differs": _("Events are missing at the end, or were added."),
    "fault.not-opened": _("The record does not begin with the opening of a game."),
    "fault.seed-missing": _("The secret of this deal was not revealed."),
    "fault.algorithm-unknown": _("This shuffle follows a method that this page does not know."),
    "fault.seed-false": _("This secret is not the one that was fixed before the match."),
    "fault.deal-differs": _("These are not the cards that the shuffle gives."),
    "fault.draw-differs": _("This is not the card that lay on top of the stock."),
    "fault.reserve-differs": _("These are not the cards of the [reserve]."),
}


def verify_phrases(terms: str = "") -> dict[str, str]:
    """What the page that proves a match says."""
    return in_terms(VERIFY, terms)
