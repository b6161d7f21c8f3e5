"""Players that choose a legal move from what their seat may see.

Pure: imports the rules and scoring; no Django, no clock, no I/O, no randomness but what is given.
"""
