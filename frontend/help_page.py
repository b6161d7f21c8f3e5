"""The help for players: how to sit down, what the keys do, what each sign means.

A page like any other, usable before a table is opened and without a script. It speaks the words of
a table's rules where a table's page led to it. Reads phrases only.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from frontend.audience import Audience, made_for
from frontend.phrases import spoken_phrases
from frontend.replay_phrases import REPLAY
from games.rules.profile import Terms

KEYS = (
    ("D", "act.draw"),
    ("T", "target.take"),
    ("M", "act.new"),
    ("L", "act.lay"),
    ("Z", "act.clear"),
    ("X", "act.discard"),
    ("J", "act.reject"),
    ("N", "act.next"),
    ("S", "act.sort"),
    ("H", "hints"),
    ("R", "read"),
    ("?", "help"),
)
"""The letters of `js/keys.js` and the phrases that say what they do."""
SPOKEN_KEYS = ("key.arrows", "key.space", "key.digits", "key.escape")
GRADES = ("clean", "semi", "dirty")
REPLAY_KEYS = (
    ("←", "replay.back"),
    ("→", "replay.on"),
    ("↑", "replay.turn.back"),
    ("↓", "replay.turn.on"),
    ("Home", "replay.first"),
    ("End", "replay.last"),
)


@made_for(Audience.EVERYONE)
@require_safe
def player_help(request: HttpRequest) -> HttpResponse:
    """Help in the reader's language; `?terms=` names the words of a table's rules."""
    asked = request.GET.get("terms", "")
    terms = asked if asked in {each.value for each in Terms} else ""
    phrases = spoken_phrases(terms)
    replay = phrases | {key: str(text) for key, text in REPLAY.items()}
    context: dict[str, Any] = {
        "section": "help",
        "keys": [(key, phrases[phrase]) for key, phrase in KEYS],
        "spoken_keys": [phrases[phrase] for phrase in SPOKEN_KEYS],
        "replay_keys": [(key, replay[phrase]) for key, phrase in REPLAY_KEYS],
        "grades": [
            (each, phrases[f"grade.short.{each}"], phrases[f"grade.{each}"]) for each in GRADES
        ],
        "taken": phrases["reserve.taken"],
        "waiting": phrases["reserve.waiting"],
        "lent": phrases["seat.lent"],
        "here": phrases["seat.here"],
        "away": phrases["seat.away"],
        "hints": phrases["hints"],
        "steps": [phrases[f"help.{number}"] for number in range(1, 6)],
    }
    return render(request, "frontend/help.html", context)
