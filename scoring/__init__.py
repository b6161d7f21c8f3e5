"""Points, from the cards on the table to the final standings.

Pure Python: imports msgspec and the standard library, nothing of ours; never does I/O and knows
neither clock nor chance.
"""
