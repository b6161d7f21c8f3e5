"""The game itself as data in, data out.

Pure: imports `scoring` and nothing else of ours; no Django, no clock, no randomness, no I/O but the
profiles that ship with it.
"""
