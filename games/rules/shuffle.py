"""The shuffle that anyone can check: a chain of seeds with one commitment, and the pack of a seed.

Imports the standard library only. Draws no randomness itself: the master seed is given to it.

`pozzetto-shuffle/1`, in full, for whoever writes it again:

Seeds. A game draws one random master of 64 bytes, which is the seed of deal 1024. The seed of each
deal before it is the SHA-512 of the seed after it: seed(n) = SHA-512(seed(n + 1)). The commitment,
made public before the first card, is the SHA-256 of seed(1), in lower-case hexadecimal. A revealed
seed(n) is genuine if SHA-512 applied n - 1 times to it gives a value whose SHA-256 is the
commitment. It reveals the deals before it and nothing of those after it.

Bytes. Block number i = 0, 1, 2 ... is an HMAC-SHA-256. Its key is the 64 bytes of the seed; its
message is the 18 ASCII bytes `pozzetto-shuffle/1` followed by i as 8 bytes, big-endian. The stream
is the 32 bytes of block 0, then those of block 1, and so on. Its bytes are used one by one, in
order, each once.

Numbers. A number below k (2 <= k <= 256) is drawn thus: take the next byte b of the stream; if
b >= 256 - (256 mod k), throw it away and take the next; the number is b mod k.

Pack. Start from the cards in their given order, positions 0 to n - 1. For i = n - 1 down to 1, draw
a number j below i + 1 and exchange the cards at positions i and j (which may be the same). A deal
starts from the canonical pack: spades, hearts, diamonds, clubs; in each the ace, then two to king;
each card twice in a row; the four jokers last.

Test vectors are in `tests/golden/shuffle_vectors.json`.
"""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from itertools import count

ALGORITHM = "pozzetto-shuffle/1"
SEED_BYTES = 64
CHAIN_LENGTH = 1024
"""The most deals that one commitment covers."""
MOST_CARDS = 256
"""One byte of the stream must be able to name any position."""


def deal_seed(master: bytes, deal: int) -> bytes:
    """The seed of a deal, counted from 1. ValueError: no such deal, or no 64-byte master."""
    _require_seed(master)
    if not 1 <= deal <= CHAIN_LENGTH:
        raise ValueError(f"a deal number is from 1 to {CHAIN_LENGTH}, not {deal}")
    return _hashed(master, CHAIN_LENGTH - deal)


def commitment(master: bytes) -> str:
    """What is made public before the first card: it binds every seed, and reveals none."""
    return _digest(deal_seed(master, 1))


def check(commitment: str, deal: int, seed: bytes) -> bool:
    """Whether `seed` is the one that was committed to for this deal.

    False for anything that is no seed or no deal at all: what is checked comes from strangers.
    """
    if len(seed) != SEED_BYTES or not 1 <= deal <= CHAIN_LENGTH:
        return False
    return _digest(_hashed(seed, deal - 1)) == commitment


def shuffled_pack(seed: bytes, cards: Sequence[str]) -> tuple[str, ...]:
    """The cards in the order that the seed gives them. ValueError: no 64-byte seed, > 256 cards."""
    _require_seed(seed)
    if len(cards) > MOST_CARDS:
        raise ValueError(f"at most {MOST_CARDS} cards can be shuffled, not {len(cards)}")
    deck = list(cards)
    stream = _stream(seed)
    for last in range(len(deck) - 1, 0, -1):
        chosen = _below(last + 1, stream)
        deck[last], deck[chosen] = deck[chosen], deck[last]
    return tuple(deck)


def _stream(seed: bytes) -> Iterator[int]:
    for block in count():
        message = ALGORITHM.encode() + block.to_bytes(8, "big")
        yield from hmac.digest(seed, message, "sha256")


def _below(bound: int, stream: Iterator[int]) -> int:
    # Without the rejection the low numbers would come up more often than the high ones.
    limit = 256 - 256 % bound
    return next(byte for byte in stream if byte < limit) % bound


def _hashed(seed: bytes, times: int) -> bytes:
    for _ in range(times):
        seed = hashlib.sha512(seed).digest()
    return seed


def _digest(seed: bytes) -> str:
    return hashlib.sha256(seed).hexdigest()


def _require_seed(seed: bytes) -> None:
    if len(seed) != SEED_BYTES:
        raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
