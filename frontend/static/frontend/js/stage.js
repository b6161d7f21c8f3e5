// What a player has chosen and set out but not laid down: placements, and where cards may go.
// Pure. It knows no rule: what lights up stands in the server's `legal`, what a meld would be in
// its `tried`. A placement is {cards, onto?, layout?, wild?}, as a move holds it.

import { minus, sameCards } from "./hand.js";

/** @typedef {import("./types.d.ts").LegalFrame} Legal */
/** @typedef {{cards: string[], onto?: number, layout?: string[], wild?: "low"|"high"}} Placement */

const sameGoal = (one, other) => (one.onto ?? null) === (other.onto ?? null);

/**
 * Everything that `legal` says may be laid, single placements and the parts of combined ones.
 * @param {Legal|null} legal
 */
function offered(legal) {
  return legal ? [...legal.using, ...legal.melds, ...legal.combined.flat()] : [];
}

/**
 * Where the chosen cards may go.
 * @param {Legal|null} legal the server's answer for what is on the table now
 * @param {string[]} chosen cards of the hand
 * @param {{top?: string}} pile `top`: the card that comes along when a closed pile is taken
 * @returns {{fresh: boolean, melds: Set<number>, discard: boolean, grow: Set<string>}}
 *   `fresh`: a new meld; `grow`: cards that would make more of what is chosen
 */
export function targets(legal, chosen, { top } = {}) {
  const found = { fresh: false, melds: new Set(), discard: false, grow: new Set() };
  if (!legal) return found;
  const cards = top ? [...chosen, top] : chosen;
  for (const one of offered(legal)) {
    const more = minus(one.cards, cards);
    if (more === null) continue;
    if (more.length === 0 && chosen.length) {
      if (one.onto === undefined) found.fresh = true;
      else found.melds.add(one.onto);
    }
    for (const card of more) found.grow.add(card);
  }
  found.discard = chosen.length === 1 && legal.discards.includes(chosen[0]);
  return found;
}

/**
 * The different melds that a placement of these cards may make; of one there is no choice.
 * @param {Legal|null} legal
 * @param {Placement} placement
 */
export function choices(legal, placement) {
  const found = new Map();
  for (const one of offered(legal)) {
    if (!sameGoal(one, placement) || !sameCards(one.cards, placement.cards)) continue;
    const key = one.result.join();
    if (!found.has(key)) found.set(key, one);
  }
  return [...found.values()];
}

/**
 * A placement as it travels in a move.
 * @param {Placement} placement
 * @returns {Placement}
 */
export function asSent({ cards, onto, layout, wild }) {
  return {
    cards,
    ...(onto !== undefined && { onto }),
    ...(layout && { layout }),
    ...(!layout && wild && { wild }),
  };
}

/** The cards of the hand that are set out; the top of a pile that is being taken is not of it. */
export function stagedCards(staged, top) {
  const cards = staged.flatMap((placement) => placement.cards);
  return top && cards.includes(top) ? minus(cards, [top]) : cards;
}

/** Set out more: a placement of its own, or onto the same meld more cards. */
export function staging(staged, cards, onto) {
  const at = onto === undefined ? -1 : staged.findIndex((each) => each.onto === onto);
  if (at >= 0) return grown(staged, at, cards);
  return [...staged, onto === undefined ? { cards } : { cards, onto }];
}

/** More cards onto what is set out already; an earlier choice of layout no longer fits. */
export function grown(staged, at, cards) {
  return staged.map((each, index) => {
    if (index !== at) return each;
    const { onto } = each;
    return { cards: [...each.cards, ...cards], ...(onto !== undefined && { onto }) };
  });
}

export const unstaged = (staged, at) => staged.filter((_, index) => index !== at);

/**
 * The placement at `at` in one of its `choices`.
 * @param {Placement[]} staged
 * @param {number} at
 * @param {{layout?: string[], end?: "low"|"high"}} choice
 */
export function chosenLayout(staged, at, { layout, end }) {
  return staged.map((each, index) => {
    if (index !== at) return each;
    const { cards, onto } = each;
    return asSent({ cards, onto, layout, wild: end });
  });
}

/** Whether this choice is the one that a placement stands for. */
export const isChosen = (placement, choice) =>
  (placement.layout ?? []).join() === (choice.layout ?? []).join() &&
  (placement.wild ?? null) === (choice.end ?? null);

/** What is still possible of staging and choice when the hand has changed under them. */
export function kept(staged, hand, top) {
  const valid = [];
  let rest = top ? [...hand, top] : hand;
  for (const placement of staged) {
    const left = minus(rest, placement.cards);
    if (left === null) continue;
    rest = left;
    valid.push(placement);
  }
  return valid;
}

/**
 * Whether a move is among those that `legal` names; several placements at once are not asked for.
 * @param {Legal|null} legal
 * @param {any} move
 */
export function isStillLegal(legal, move) {
  if (!legal) return false;
  const has = (list, placements) =>
    placements.length === 1 &&
    list.some((one) => sameGoal(one, placements[0]) && sameCards(one.cards, placements[0].cards));
  switch (move.move) {
    case "draw":
      return legal.draw;
    case "reject":
      return legal.reject;
    case "take":
      return move.using ? has(legal.using, move.using) : legal.take;
    case "meld":
      return has(legal.melds, move.place);
    case "discard":
      return legal.discards.includes(move.card);
    default:
      return false;
  }
}
