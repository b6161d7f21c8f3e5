// The order of one's own cards: by suit, by rank or by hand. It stays in this browser.
// Pure but for `handMemory`, which keeps the order over reloads; nothing of it is ever sent.

import { JOKER } from "./cards.js";

/** @typedef {"suit"|"rank"|"hand"} Order */
/** @type {Order[]} */
export const ORDERS = ["suit", "rank", "hand"];

// Colours alternate, so that two suits of one colour never touch; wild cards lie together in front.
const SUIT_ORDER = "SHCD";
const RANK_ORDER = "23456789TJQKA";

const isWild = (card) => card === JOKER || card[0] === "2";
const rankOf = (card) => (card === JOKER ? -1 : RANK_ORDER.indexOf(card[0]));
const suitOf = (card) => (card === JOKER ? -1 : SUIT_ORDER.indexOf(card[1]));

const sorting = {
  suit: (card) => [isWild(card) ? 0 : 1, isWild(card) ? rankOf(card) : 0, suitOf(card), rankOf(card)],
  rank: (card) => [isWild(card) ? 0 : 1, rankOf(card), suitOf(card)],
};

function compare(left, right) {
  const at = left.findIndex((value, index) => value !== right[index]);
  return at < 0 ? 0 : left[at] - right[at];
}

/** Cards left over once each of `taken` has been removed from `cards`; null if one is not there. */
export function minus(cards, taken) {
  const rest = [...cards];
  for (const card of taken) {
    const at = rest.indexOf(card);
    if (at < 0) return null;
    rest.splice(at, 1);
  }
  return rest;
}

/** Whether two lists hold the same cards, in any order. */
export const sameCards = (left, right) =>
  left.length === right.length && minus(left, right) !== null;

/**
 * The hand as it lies before the player.
 * @param {string[]} cards as the server names them, whose order means nothing
 * @param {Order} order
 * @param {string[]} byHand the player's own order; cards that came since lie at its end
 */
export function arranged(cards, order, byHand = []) {
  if (order !== "hand") {
    const value = sorting[order];
    return cards.toSorted((left, right) => compare(value(left), value(right)));
  }
  let rest = [...cards];
  const placed = [];
  for (const card of byHand) {
    if (!rest.includes(card)) continue;
    placed.push(card);
    rest = minus(rest, [card]);
  }
  return [...placed, ...rest];
}

/** The same cards with the one at `from` moved to `to`. */
export function moved(cards, from, to) {
  const rest = cards.filter((_, at) => at !== from);
  rest.splice(Math.min(Math.max(to, 0), rest.length), 0, cards[from]);
  return rest;
}

/** Equal cards told apart by a running number, so that each keeps its element. */
export function keyed(cards) {
  const seen = new Map();
  return cards.map((name) => {
    const number = (seen.get(name) ?? 0) + 1;
    seen.set(name, number);
    return { name, key: `${name}-${number}` };
  });
}

export const nameOf = (key) => key.slice(0, 2);

/** Where the order of a hand is kept: under the table's name, in this browser alone. */
export function handMemory(storage, game) {
  const key = `pozzetto.hand.${game}`;
  return {
    read() {
      try {
        const { order, byHand } = JSON.parse(storage.getItem(key)) ?? {};
        return {
          order: ORDERS.includes(order) ? order : "suit",
          byHand: Array.isArray(byHand) ? byHand : [],
        };
      } catch {
        return { order: "suit", byHand: [] };
      }
    },
    write(kept) {
      try {
        storage.setItem(key, JSON.stringify(kept));
      } catch {
        // Storage is refused here: the order holds for this page.
      }
    },
  };
}
