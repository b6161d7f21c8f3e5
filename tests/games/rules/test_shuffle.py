"""The shuffle: what is published about it holds, and it is fair."""

import hashlib
import hmac
import itertools
import json
from collections import Counter
from pathlib import Path

import pytest

from games.rules.cards import PACK
from games.rules.shuffle import (
    ALGORITHM,
    CHAIN_LENGTH,
    check,
    commitment,
    deal_seed,
    shuffled_pack,
)

VECTORS = json.loads(
    (Path(__file__).parents[2] / "golden" / "shuffle_vectors.json").read_text(encoding="utf-8")
)
MASTER = bytes(range(64))


def seed_number(number: int) -> bytes:
    return hashlib.sha512(f"a seed for a test: {number}".encode()).digest()


def as_published(seed: bytes, cards, *, reject: bool = True) -> list:
    """The public description followed word by word, apart from the code under test.

    Without `reject` it is the usual mistake: the remainder of any byte.
    """
    blocks = (
        hmac.new(seed, b"pozzetto-shuffle/1" + number.to_bytes(8, "big"), hashlib.sha256).digest()
        for number in itertools.count()
    )
    stream = itertools.chain.from_iterable(blocks)
    pack = list(cards)
    i = len(pack) - 1
    while i >= 1:
        k = i + 1
        b = next(stream)
        while reject and b >= 256 - (256 % k):
            b = next(stream)
        j = b % k
        pack[i], pack[j] = pack[j], pack[i]
        i -= 1
    return pack


def test_the_vectors_are_of_this_algorithm_and_of_the_canonical_pack():
    assert VECTORS["algorithm"] == ALGORITHM
    assert tuple(VECTORS["pack"]) == PACK


@pytest.mark.parametrize("vector", VECTORS["decks"], ids=lambda vector: vector["seed"][:8])
def test_a_published_seed_gives_its_published_deck(vector):
    seed = bytes.fromhex(vector["seed"])
    assert hmac.digest(seed, ALGORITHM.encode() + bytes(8), "sha256").hex() == vector["stream"]
    deck = shuffled_pack(seed, PACK)
    assert list(deck[: len(vector["first"])]) == vector["first"]
    assert hashlib.sha256(" ".join(deck).encode()).hexdigest() == vector["sha256"]


@pytest.mark.parametrize("chain", VECTORS["chains"], ids=lambda chain: chain["master"][:8])
def test_a_published_master_gives_its_published_seeds_and_commitment(chain):
    master = bytes.fromhex(chain["master"])
    assert commitment(master) == chain["commitment"]
    for deal, seed in chain["seeds"].items():
        assert deal_seed(master, int(deal)).hex() == seed
        assert check(chain["commitment"], int(deal), bytes.fromhex(seed))


def test_the_shuffle_is_what_its_public_description_says():
    for number in range(100):
        seed = seed_number(number)
        assert list(shuffled_pack(seed, PACK)) == as_published(seed, PACK)


@pytest.mark.parametrize("size", [0, 1, 2, 256])
def test_packs_of_any_size_up_to_256_are_shuffled(size):
    cards = [str(number) for number in range(size)]
    assert list(shuffled_pack(MASTER, cards)) == as_published(MASTER, cards)


def test_a_shuffle_keeps_every_card_and_leaves_the_pack_it_was_given():
    given = list(PACK)
    assert Counter(shuffled_pack(MASTER, given)) == Counter(PACK)
    assert given == list(PACK)


def test_the_chain_is_sha512_from_each_deal_to_the_one_before():
    seeds = [deal_seed(MASTER, deal) for deal in (1, 2, 3)]
    assert hashlib.sha512(seeds[2]).digest() == seeds[1]
    assert hashlib.sha512(seeds[1]).digest() == seeds[0]
    assert hashlib.sha256(seeds[0]).hexdigest() == commitment(MASTER)
    assert deal_seed(MASTER, CHAIN_LENGTH) == MASTER


@pytest.mark.parametrize("deal", [1, 2, 7, CHAIN_LENGTH])
def test_a_revealed_seed_proves_its_own_deal_and_no_other(deal):
    public, seed = commitment(MASTER), deal_seed(MASTER, deal)
    others = {1, deal - 1, deal + 1, CHAIN_LENGTH} - {deal}
    assert check(public, deal, seed)
    assert not any(check(public, other, seed) for other in others)


def test_no_flipped_byte_of_a_seed_passes_the_check():
    public, seed = commitment(MASTER), deal_seed(MASTER, 3)
    for place in range(len(seed)):
        forged = bytearray(seed)
        forged[place] ^= 1
        assert not check(public, 3, bytes(forged)), place


def test_no_flipped_character_of_a_commitment_passes_the_check():
    public, seed = commitment(MASTER), deal_seed(MASTER, 3)
    for place, character in enumerate(public):
        forged = public[:place] + ("1" if character == "0" else "0") + public[place + 1 :]
        assert not check(forged, 3, seed), place


@pytest.mark.parametrize("seed", [b"", MASTER[:63], MASTER + b"\x00"], ids=["0", "63", "65"])
def test_what_is_not_a_seed_is_refused_with_its_length_named(seed):
    message = rf"a seed has 64 bytes, not {len(seed)}$"
    with pytest.raises(ValueError, match=message):
        shuffled_pack(seed, PACK)
    with pytest.raises(ValueError, match=message):
        deal_seed(seed, 1)
    with pytest.raises(ValueError, match=message):
        commitment(seed)
    assert not check(commitment(MASTER), 1, seed)


@pytest.mark.parametrize("deal", [0, -1, CHAIN_LENGTH + 1])
def test_a_deal_beyond_the_chain_has_no_seed(deal):
    with pytest.raises(ValueError, match=rf"from 1 to 1024, not {deal}$"):
        deal_seed(MASTER, deal)
    assert not check(commitment(MASTER), deal, MASTER)


def test_more_cards_than_a_byte_can_name_are_refused():
    with pytest.raises(ValueError, match="at most 256 cards can be shuffled, not 257"):
        shuffled_pack(MASTER, ["AS"] * 257)


def chi_square_of_places(shuffle, *, size: int, times: int) -> float:
    """How far `times` shuffles are from putting each of `size` cards equally often everywhere."""
    found = Counter(
        (card, place)
        for number in range(times)
        for place, card in enumerate(shuffle(seed_number(number), range(size)))
    )
    expected = times / size
    return sum(
        (found[card, place] - expected) ** 2 / expected
        for card in range(size)
        for place in range(size)
    )


def test_every_card_comes_equally_often_to_every_place():
    """The statistic has 107 x 107 degrees of freedom: mean 11449, standard deviation 151.

    Five deviations either way are allowed; the usual mistake, tested beside it, lies at fourteen.
    """
    low, high = 11449 - 5 * 151, 11449 + 5 * 151
    assert low < chi_square_of_places(shuffled_pack, size=108, times=2000) < high

    def careless(seed, cards):
        return as_published(seed, cards, reject=False)

    assert chi_square_of_places(careless, size=108, times=2000) > high
