"""Live tables: open one, seat people and bots, play, start the next deal, end the match.

Imports the rules, the bots and the event store. Every change is events of the table's stream; the
rows beside it are projections, written in the same transaction. Holds no rule of the game.
"""
