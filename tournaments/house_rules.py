"""A club's rules as text: read, checked as a whole, or made from a founding profile.

May import the pure rules. Never touches the database.
"""

import re
import tomllib
from collections.abc import Callable
from importlib import resources
from typing import Any, NamedTuple

import msgspec
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from games.rules.profile import (
    FOUNDING,
    Profile,
    ProfileError,
    parse_profile,
    profile_digest,
)
from tournaments.errors import ServiceError, refusal

LONGEST_SOURCE = 32_768  # characters; the founding profiles are a tenth of it


class ReadRules(NamedTuple):
    source: str  # the text as it is kept, with plain line ends
    profile: Profile
    body: dict[str, Any]  # the whole profile as plain JSON values
    digest: str


def read_rules(source: str) -> ReadRules:
    """The profile that a TOML text states.

    Refused with `too_long`, `toml_syntax` (naming the line), `bad_profile` (one problem a field)
    or `founding_id` when the text claims the id of a founding profile.
    """
    if len(source) > LONGEST_SOURCE:
        raise refusal("too_long", _("The rules are longer than any rules need to be."))
    source = source.replace("\r\n", "\n")
    try:
        stated = tomllib.loads(source)
    except (ValueError, RecursionError) as error:  # also numbers and nesting beyond all measure
        raise refusal(
            "toml_syntax", _("This cannot be read as TOML: %(error)s") % {"error": error}
        ) from error
    try:
        profile = parse_profile(stated)
    except ProfileError as error:
        raise ServiceError("bad_profile", error.problems) from error
    if profile.id in FOUNDING:
        raise refusal(
            "founding_id",
            _("“%(id)s” is a founding profile and stays as it is. Choose another id.")
            % {"id": profile.id},
            field="id",
        )
    return ReadRules(source, profile, _plain(profile), profile_digest(profile))


def _plain(profile: Profile) -> dict[str, Any]:
    """Exactly what comes back from a JSON column, so that a fresh row equals a stored one."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(profile))
    return plain


def founding_source(profile_id: str) -> str:
    """The TOML of a founding profile as it is shipped, comments included.

    Refused with `unknown_profile` for any other id.
    """
    if profile_id not in FOUNDING:
        raise refusal("unknown_profile", _("There is no founding profile of this name."))
    folder = resources.files("games.rules") / "profiles"
    return (folder / f"{profile_id}.toml").read_text(encoding="utf-8")


def renamed(source: str, *, club_name: str, club_slug: str) -> str:
    """The same rules under an id and a name of the club's own, every comment kept.

    Only the top-level `id` and `name` lines change; what cannot be found is left for the officer.
    """
    named = _top_level(source, "id", lambda old: slugify(f"{old}-{club_slug}")[:60].strip("-"))
    return _top_level(named, "name", lambda old: f"{old} ({club_name})"[:80])


def _top_level(source: str, key: str, change: Callable[[str], str]) -> str:
    head, table, rest = _split_at_first_table(source)
    line = re.compile(rf'^({key}\s*=\s*)"([^"\n]*)"', re.MULTILINE)
    return line.sub(lambda m: f'{m[1]}"{_escaped(change(m[2]))}"', head, count=1) + table + rest


def _split_at_first_table(source: str) -> tuple[str, str, str]:
    found = re.search(r"^\[", source, re.MULTILINE)
    if found is None:
        return source, "", ""
    return source[: found.start()], "[", source[found.end() :]


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
