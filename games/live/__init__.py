"""Live tables over WebSockets: moves in, one frame an audience out.

Imports the tables. A socket only forwards bytes that were made for its audience; the store is the
truth and the frames are hints that carry their place in it.
"""
