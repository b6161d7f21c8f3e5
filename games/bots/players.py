"""The players there are, by the name that a seat's holder carries (`bot:NAME`)."""

from __future__ import annotations

from games.bots.seat import Player, RandomPlayer
from games.bots.sensible import SensiblePlayer

PLAYERS: dict[str, Player] = {"random": RandomPlayer(), "sensible": SensiblePlayer()}
