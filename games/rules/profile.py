"""Rule profiles: what tells one variant from another, as data.

A profile is read from TOML (the founding four ship beside this file) or from a plain object that
a club wrote, and is checked as a whole: every fault is named with its field. Rules never ask for a
variant by its name.
"""

from __future__ import annotations

import hashlib
import re
import tomllib
from enum import Enum
from functools import cache
from importlib import resources
from typing import Any, Literal

import msgspec

from games.rules.cards import ALL_CARDS, JOKER
from scoring.table import ScoreTable, table_problems

FOUNDING: tuple[str, ...] = (
    "buraco-clasico",
    "burraco-italiano",
    "buraco-aberto",
    "buraco-fechado-stbl",
)
_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\Z")


class ProfileError(ValueError):
    """A profile that makes no sense, refused as a whole.

    `problems` is a list of (field, what is wrong with it); the field is a dotted path.
    """

    code = "profile-invalid"

    def __init__(self, problems: list[tuple[str, str]]) -> None:
        self.problems = problems
        super().__init__("; ".join(f"{field}: {text}" for field, text in problems))


class Pile(Enum):
    """How the discard pile is taken."""

    OPEN = "open"
    """All cards visible, taken whole and freely (S0-15, S3-17)."""
    CLOSED = "closed"
    """Only the top visible; it must be placed at once (S4-31 to S4-35)."""


class OneCardPile(Enum):
    """What becomes of the card of a one-card pile in the turn that took it."""

    FREE = "free"
    EQUAL_HELD = "equal_held"
    """It may be discarded only if an equal card was held before (G3-20)."""
    EQUAL_HELD_SHOWN = "equal_held_shown"
    """The same, and the equal card is shown (S0-39)."""


class WildsMove(Enum):
    """What frees a wild card that lies inside a sequence."""

    FREED_BY_OWN_CARD = "freed_by_own_card"
    FREE = "free"


class End(Enum):
    """An end of a sequence."""

    LOW = "low"
    HIGH = "high"


class Canasta(Enum):
    """Which meld of seven or more going out asks for."""

    ANY = "any"
    CLEAN = "clean"


class LastCard(Enum):
    """How the last card may leave the hand of the player who goes out."""

    DISCARDED = "discarded"
    DISCARDED_OR_MELDED = "discarded_or_melded"


class Terms(Enum):
    """Whose words a variant is told in, named after what players call the reserve."""

    MORTO = "morto"
    """Brazil: morto, canastra (S3, S4)."""
    POZZETTO = "pozzetto"
    """Italy: pozzetto, burraco (S2)."""
    MUERTO = "muerto"
    """Argentina and Uruguay: muerto, canasta; the discard pile is the pozo."""
    POZO = "pozo"
    """Buraco clásico: pozo, buraco (S0)."""


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class DealRules(_Part, frozen=True):
    """Sizes in cards."""

    hand: int
    reserve: int
    jokers: int
    upcard: bool


class TurnRules(_Part, frozen=True):
    pile: Pile
    one_card_pile: OneCardPile
    first_card_may_be_rejected: bool = False


class MeldRules(_Part, frozen=True):
    """Lengths in cards."""

    sets: bool
    both_aces: bool
    natural_two_may_turn_wild: bool
    wilds_move: WildsMove
    displaced_wild_goes: End
    largest_set: int = 9
    equal_sets: bool = True


class Tier(_Part, frozen=True):
    """From `total` match points on, a side's opening must be worth `minimum` in cards."""

    total: int
    minimum: int


class OpeningRules(_Part, frozen=True):
    tiers: tuple[Tier, ...] = ()


class GoingOutRules(_Part, frozen=True):
    canasta: Canasta
    last_card: LastCard
    wild_discard: bool


class StockRules(_Part, frozen=True):
    """`floor`: how many last cards are never drawn."""

    floor: int
    reserves_become_stock: bool


class Profile(_Part, frozen=True):
    """A rule profile. `target`: match points that win a match; 0: a match is a single deal.

    `clauses` gives for each refusal code the clause that it rests on. `terms`: in whose words pages
    speak of it, unset for those of the reader's language; left out then, so that profiles frozen
    before there were terms keep their digest.
    """

    id: str
    name: str
    seats: tuple[int, ...]
    target: int
    deal: DealRules
    turn: TurnRules
    melds: MeldRules
    going_out: GoingOutRules
    stock: StockRules
    scores: ScoreTable
    opening: OpeningRules = OpeningRules()
    clauses: dict[str, str] = {}
    terms: Terms | msgspec.UnsetType = msgspec.UNSET

    @property
    def pack(self) -> tuple[str, ...]:
        """The cards of this profile in canonical order."""
        return tuple(
            card for card in ALL_CARDS for _ in range(self.deal.jokers if card == JOKER else 2)
        )

    def minimum(self, total: int) -> int:
        """What an opening must be worth for a side with `total` match points (S3-35, S3-37)."""
        return max((tier.minimum for tier in self.opening.tiers if total >= tier.total), default=0)


def parse_profile(obj: object) -> Profile:
    """A profile from a plain object (as JSON or TOML give it), checked as a whole.

    Raises `ProfileError`.
    """
    try:
        profile = msgspec.convert(obj, Profile)
    except msgspec.ValidationError as fault:
        text, _, path = str(fault).partition(" - at `$")
        raise ProfileError([(path.strip("`").strip(".") or "profile", text)]) from None
    problems = list(_problems(profile))
    if problems:
        raise ProfileError(problems)
    return profile


@cache
def load_profile(profile_id: str) -> Profile:
    """One of the founding profiles. Raises `KeyError` for an unknown id."""
    if profile_id not in FOUNDING:
        raise KeyError(profile_id)
    text = resources.files("games.rules").joinpath("profiles", f"{profile_id}.toml").read_text()
    return parse_profile(tomllib.loads(text))


def profile_to_builtins(profile: Profile) -> dict[str, Any]:
    """The profile as a plain object, whole, as events and records carry it."""
    plain: dict[str, Any] = msgspec.to_builtins(profile)
    return plain


def profile_digest(profile: Profile) -> str:
    """SHA-256, in hex, of the profile's canonical JSON: the same rules give the same digest."""
    return hashlib.sha256(msgspec.json.encode(profile, order="sorted")).hexdigest()


Problem = tuple[str, str]


def _problems(profile: Profile) -> list[Problem]:
    found: list[Problem] = []

    def expect(sound: bool, field: str, text: str) -> None:
        if not sound:
            found.append((field, text))

    expect(bool(_SLUG.match(profile.id)), "id", "use small letters, digits and single hyphens")
    expect(len(profile.id) <= 60, "id", "at most 60 characters")
    expect(1 <= len(profile.name.strip()) <= 80, "name", "give a name of 1 to 80 characters")
    expect(
        bool(profile.seats)
        and set(profile.seats) <= {2, 4}
        and len(set(profile.seats)) == len(profile.seats),
        "seats",
        "choose 4, 2 or both, each once",
    )
    expect(0 <= profile.target <= 100_000, "target", "between 0 (a single deal) and 100000")
    deal, melds, stock = profile.deal, profile.melds, profile.stock
    expect(2 <= deal.hand <= 20, "deal.hand", "between 2 and 20 cards")
    expect(1 <= deal.reserve <= 20, "deal.reserve", "between 1 and 20 cards")
    expect(0 <= deal.jokers <= 4, "deal.jokers", "between 0 and 4")
    if not found:
        left = len(profile.pack) - max(profile.seats) * deal.hand - 2 * deal.reserve - deal.upcard
        expect(left > stock.floor, "deal", f"leaves {left} cards of stock; deal fewer")
    expect(0 <= stock.floor <= 20, "stock.floor", "between 0 and 20 cards")
    expect(3 <= melds.largest_set <= 9, "melds.largest_set", "between 3 and 9 cards")
    totals = [tier.total for tier in profile.opening.tiers]
    minima = [tier.minimum for tier in profile.opening.tiers]
    expect(
        totals == sorted(set(totals)) and minima == sorted(set(minima)),
        "opening.tiers",
        "totals and minima must rise from tier to tier",
    )
    expect(all(0 < m <= 200 for m in minima), "opening.tiers", "minima lie between 1 and 200")
    if profile.turn.pile is Pile.CLOSED:
        expect(
            profile.turn.one_card_pile is OneCardPile.FREE,
            "turn.one_card_pile",
            "a closed pile's card is placed at once, so only `free` makes sense",
        )
        expect(not deal.upcard, "deal.upcard", "a closed pile starts empty")
    if deal.upcard:
        expect(
            not profile.turn.first_card_may_be_rejected,
            "turn.first_card_may_be_rejected",
            "makes sense only where the pile starts empty",
        )
    for field, value in msgspec.structs.asdict(profile.scores).items():
        if isinstance(value, int) and not isinstance(value, bool):
            expect(
                value <= 10_000 and value % 5 == 0, f"scores.{field}", "a multiple of 5 to 10000"
            )
    found.extend((f"scores.{field}", text) for field, text in table_problems(profile.scores))
    unknown = set(profile.clauses) - REFUSAL_CODES
    found.extend((f"clauses.{code}", "there is no such refusal") for code in sorted(unknown))
    return found


RefusalCode = Literal[
    "deal-over", "not-your-turn", "wrong-step", "not-in-hand", "pile-empty", "stock-empty",
    "pile-needs-use", "pile-wild-needs-new", "cannot-reject", "no-such-meld", "not-your-meld",
    "meld-too-short", "meld-only-wilds", "wild-no-place", "meld-too-long", "meld-mixed",
    "sets-forbidden", "wild-trapped", "meld-two-wilds", "meld-two-aces", "meld-gap", "set-exists",
    "layout-illegal", "opening-too-low", "would-strand", "discard-same-single",
    "close-without-reserve", "close-without-canasta", "close-wild-discard",
]  # fmt: skip
REFUSAL_CODES: frozenset[str] = frozenset(RefusalCode.__args__)  # type: ignore[attr-defined]
