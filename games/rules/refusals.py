"""Refusals: a stable code, the clause it rests on, and a sentence.

The clause comes from the profile; the sentence is English and for developers and the rules desk,
pages translate by code. Imports the data of the rules only.
"""

from __future__ import annotations

import msgspec

from games.rules.profile import RefusalCode
from games.rules.state import Deal

SENTENCES: dict[RefusalCode, str] = {
    "deal-over": "The deal has ended.",
    "not-your-turn": "It is another player's turn.",
    "wrong-step": "This is not the moment: first draw or take the pile, then meld, then discard.",
    "not-in-hand": "Not all of these cards are in the hand.",
    "pile-empty": "The discard pile is empty.",
    "stock-empty": "There is no card left to draw.",
    "pile-needs-use": "The pile is taken only by placing its top card at once.",
    "pile-wild-needs-new": "A wild card on top of the pile must go into a new meld.",
    "cannot-reject": "Only the first card drawn in the deal may be rejected, once and at once.",
    "no-such-meld": "Your side has no meld of that number.",
    "not-your-meld": "That meld belongs to the other side.",
    "meld-too-short": "A meld has at least three cards.",
    "meld-only-wilds": "A meld of wild cards only is not allowed.",
    "wild-no-place": "The wild card has no place left to go to.",
    "meld-too-long": "A meld cannot hold so many cards.",
    "meld-mixed": "These cards are neither of one suit nor of one rank.",
    "sets-forbidden": "Only sequences are played here, no sets.",
    "wild-trapped": "The wild card can be moved only by the card that it stands for.",
    "meld-two-wilds": "A meld holds one wild card at most.",
    "meld-two-aces": "A sequence holds one ace at most.",
    "meld-gap": "These cards do not follow one another.",
    "set-exists": "Your side has a set of this rank already.",
    "layout-illegal": "The cards may be melded, but not laid out like that.",
    "opening-too-low": "The first melds of your side must be worth more.",
    "would-strand": "You would be left without a card that you may discard.",
    "discard-same-single": "The single card taken from the pile may not be discarded this turn.",
    "close-without-reserve": "You cannot go out before your side has taken its reserve.",
    "close-without-canasta": "You cannot go out without the canasta that going out asks for.",
    "close-wild-discard": "The last card discarded may not be a wild card.",
}


class Refusal(msgspec.Struct, frozen=True):
    """Why a move was refused. It changed nothing."""

    code: RefusalCode
    clause: str
    reason: str


def refuse(deal: Deal, code: RefusalCode) -> Refusal:
    """The refusal of this code under the deal's profile."""
    return Refusal(code, deal.rules.profile.clauses.get(code, ""), SENTENCES[code])
