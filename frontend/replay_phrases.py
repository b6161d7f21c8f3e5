"""The words of the replay, of the page that proves a shuffle, and of the wall of tables.

Like `frontend.phrases`, whose words the components speak besides. Imports Django's translation
only.
"""

from django.utils.translation import gettext_lazy as _

REPLAY = {
    "replay.turn.back": _("To the turn before"),
    "replay.turn.on": _("To the next turn"),
    "replay.realtime": _("As played"),
    "replay.copy": _("Copy a link to this moment"),
    "replay.copied": _("Link copied"),
    "replay.turn": _("Turn {turn}"),
    "moment.canasta.of": _("{name}: {grade}"),
    "moment.reserve.of": _("{name}: reserve"),
    "moment.out.of": _("{name} goes out"),
    "moment.end": _("The deal ends"),
    "hand.of": _("Hand of {name}"),
    "stock.next": _("The stock, next card first"),
    "reserve.cards": _("Reserve {number}"),
    "sheet.so_far": _("The score so far"),
    "sheet.so_far.public": _("What lies on the table. The cards in the hands count at the end."),
    "sheet.so_far.all": _("As if the deal ended now, hands included."),
    "why.melds": _("The value of every card laid down: {count} cards."),
    "why.clean": _("Seven or more cards without a wild: {count}, {each} each."),
    "why.semi": _("A wild only at the end or outside a clean seven: {count}, {each} each."),
    "why.dirty": _("Seven or more cards with a wild: {count}, {each} each."),
    "why.run13": _("A natural sequence of thirteen: {count}, {each} each."),
    "why.run14": _("A natural sequence of fourteen, ace to ace: {count}, {each} each."),
    "why.closing": _("For going out."),
    "why.reserve": _("A reserve not taken or never played: {count}, {each} each."),
    "why.hand": _("Cards still in hand count against you: {count}."),
}


def replay_phrases() -> dict[str, str]:
    """What the replay says besides what the table does."""
    return {key: str(text) for key, text in REPLAY.items()}


VERIFY: dict[str, object] = {}


def verify_phrases() -> dict[str, str]:
    """What the page that proves a match says."""
    return {key: str(text) for key, text in VERIFY.items()}
