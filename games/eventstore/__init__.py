"""The append-only log on PostgreSQL: append, read, follow, verify. Says nothing about any game.

May import `psycopg`, `msgspec` and Django; of ours, nothing (the caller brings its event types).
Never changes or removes an event: the database itself refuses.
"""
