// The shuffle "pozzetto-shuffle/1" once more, for the reader's own browser: seeds, packs, deals.
// Pure but for the browser's cryptography. As described in docs and in games/rules/shuffle.py.

import { JOKER, RANKS, SUITS } from "./cards.js";

export const ALGORITHM = "pozzetto-shuffle/1";
export const CHAIN_LENGTH = 1024;
const SIDES = 2;

const utf8 = new TextEncoder();

export const toHex = (bytes) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

async function digest(name, bytes) {
  return new Uint8Array(await crypto.subtle.digest(name, bytes));
}

export const sha256 = (bytes) => digest("SHA-256", bytes);
export const sha512 = (bytes) => digest("SHA-512", bytes);

/** SHA-256 of a text, in hex. */
export const fingerprint = async (text) => toHex(await sha256(utf8.encode(text)));

/**
 * Which of the revealed seeds are those that were committed to: the deals with a false one.
 * Seeds are a chain, seed(n) = SHA-512(seed(n + 1)); the commitment is the SHA-256 of seed(1).
 * @param {Map<number, string>} seeds hex by deal
 */
export async function falseSeeds(commitment, seeds) {
  const last = Math.max(...seeds.keys());
  if (!(last >= 1 && last <= CHAIN_LENGTH)) return [...seeds.keys()];
  const wrong = [];
  let seed = fromHex(seeds.get(last));
  for (let deal = last; deal >= 1; deal -= 1) {
    const given = seeds.get(deal);
    if (given !== undefined && given !== toHex(seed)) wrong.push(deal);
    if (deal > 1) seed = await sha512(seed);
  }
  const holds = toHex(await sha256(seed)) === commitment;
  return holds ? wrong.toReversed() : [...seeds.keys()];
}

/** The cards of a profile in canonical order; `jokers` as the profile's `deal` says. */
export function pack(jokers) {
  const suits = [...SUITS].flatMap((suit) => [...RANKS].flatMap((rank) => [rank + suit, rank + suit]));
  return [...suits, ...Array(jokers).fill(JOKER)];
}

async function* stream(seed) {
  const use = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", seed, use, false, ["sign"]);
  const message = new Uint8Array(ALGORITHM.length + 8);
  message.set(utf8.encode(ALGORITHM));
  for (let block = 0; ; block += 1) {
    new DataView(message.buffer).setBigUint64(ALGORITHM.length, BigInt(block));
    yield* new Uint8Array(await crypto.subtle.sign("HMAC", key, message));
  }
}

/** The cards in the order that a seed gives them. */
export async function shuffledPack(seed, cards) {
  const deck = [...cards];
  const bytes = stream(seed);
  for (let last = deck.length - 1; last > 0; last -= 1) {
    // Bytes that would make the low numbers come up more often are thrown away.
    const limit = 256 - (256 % (last + 1));
    let byte = 0;
    do byte = Number((await bytes.next()).value);
    while (byte >= limit);
    const chosen = byte % (last + 1);
    [deck[last], deck[chosen]] = [deck[chosen], deck[last]];
  }
  return deck;
}

const ORDER = new Map(pack(1).map((card, index) => [card, index]));

/** Cards in canonical order. */
export const inOrder = (cards) => cards.toSorted((one, other) => ORDER.get(one) - ORDER.get(other));

/**
 * A shuffled pack dealt out (games/rules/dealing.py): hands one card at a time from the starter on,
 * reserves from the bottom, the rest is the stock, whose last card is the top.
 * @param {{hand: number, reserve: number, upcard: boolean}} rules the profile's `deal`
 */
export function dealt(deck, rules, seats, starter) {
  const inHands = seats * rules.hand;
  const hands = Array.from({ length: seats }, (_, seat) => {
    const first = (seat - starter + seats) % seats;
    return inOrder(deck.slice(0, inHands).filter((_, at) => at % seats === first));
  });
  const bottom = deck.length - SIDES * rules.reserve;
  const cut = deck.slice(bottom).toReversed();
  const reserves = Array.from({ length: SIDES }, (_, side) =>
    cut.filter((_, at) => at % SIDES === side),
  );
  const stock = deck.slice(inHands, bottom).toReversed();
  const pile = rules.upcard ? stock.splice(-1) : [];
  return { hands, pile, stock, reserves };
}
