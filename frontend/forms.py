"""What people choose before they play: the rules, how many they are, how long, with which clock.

Forms read and clean; they hold no rule of the game and change nothing.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django import forms
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from games.rules.profile import FOUNDING, Pile, Profile, load_profile
from tournaments.models import Club
from tournaments.selectors import profiles_offered_to

FAVOURITES = {
    "it": "burraco-italiano",
    "es": "buraco-clasico",
    "pt-br": "buraco-aberto",
    "en": "burraco-italiano",
}
"""The rules offered first to readers of a language."""


class Variant(NamedTuple):
    """Rules to choose from, told by what a player notices first. `club`: whose own they are."""

    value: str
    profile: Profile
    facts: tuple[Any, ...]
    club: int | None = None


def variants() -> list[Variant]:
    """The founding profiles, the favourite of the reader's language first."""
    found = [_variant(load_profile(profile_id)) for profile_id in FOUNDING]
    first = favourite()
    return sorted(found, key=lambda variant: variant.profile.id != first)


def favourite() -> str:
    return FAVOURITES.get(get_language() or "", FOUNDING[0])


def _variant(profile: Profile) -> Variant:
    is_open = profile.turn.pile is Pile.OPEN
    pile = _("open discard pile") if is_open else _("closed discard pile")
    melds = _("sequences and sets") if profile.melds.sets else _("sequences only")
    return Variant(profile.id, profile, (pile, melds))


def house_variants(club: Club) -> list[Variant]:
    """The rules that a club has made for itself."""
    return [
        Variant(f"{club.pk}/{offered.profile.id}", offered.profile, (club.name,), club.pk)
        for offered in profiles_offered_to(club)
        if offered.version
    ]


class PracticeForm(forms.Form):
    """A match against bots: which rules, how many seats."""

    profile = forms.ChoiceField(choices=[(each, each) for each in FOUNDING])
    seats = forms.TypedChoiceField(choices=[(4, "4"), (2, "2")], coerce=int)

    def chosen(self) -> Profile:
        return load_profile(self.cleaned_data["profile"])


class TableForm(PracticeForm):
    """A table with friends, or of one of the `clubs` whose desk the host works at."""

    LENGTHS = (
        ("rules", _("A whole match")),
        ("to-1000", _("To 1,000 points")),
        ("1", _("One deal")),
        ("2", _("Two deals")),
        ("3", _("Three deals")),
        ("4", _("Four deals")),
    )
    CLOCKS = (
        ("none", _("No clock")),
        ("calm", _("Calm: 1 min a turn + 5 min")),
        ("brisk", _("Brisk: 30 s a turn + 2 min")),
    )
    DELAYS = (
        (0, _("At once")),
        (60, _("1 minute later")),
        (300, _("5 minutes later")),
    )
    length = forms.ChoiceField(choices=LENGTHS)
    clock = forms.ChoiceField(choices=CLOCKS)
    delay = forms.TypedChoiceField(choices=DELAYS, coerce=int)
    club = forms.TypedChoiceField(required=False, coerce=int, empty_value=None)

    def __init__(self, data: Any = None, *, clubs: Sequence[Club] = ()) -> None:
        super().__init__(data)
        self.variants = [*variants(), *(each for club in clubs for each in house_variants(club))]
        self.clubs = [(club.pk, club.name) for club in clubs]
        self._choices("profile", [(each.value, each.value) for each in self.variants])
        self._choices("club", [("", ""), *self.clubs])

    def _choices(self, name: str, choices: Sequence[tuple[Any, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def offer(self) -> dict[str, Any]:
        """What was chosen, as `games.tables.invitations.invite` takes it."""
        data = self.cleaned_data
        move_seconds, bank_seconds = CLOCK_SECONDS[data["clock"]]
        rules = next(each for each in self.variants if each.value == data["profile"])
        return {
            "profile": rules.profile,
            "club": data["club"] or rules.club,
            "seats": data["seats"],
            **MATCHES[data["length"]],
            "move_seconds": move_seconds,
            "bank_seconds": bank_seconds,
            "delay_seconds": data["delay"],
        }


MATCHES: dict[str, dict[str, int]] = {
    "rules": {},
    "to-1000": {"target": 1000},
    **{str(number): {"deals": number} for number in (1, 2, 3, 4)},
}
CLOCK_SECONDS = {"none": (0, 0), "calm": (60, 300), "brisk": (30, 120)}
