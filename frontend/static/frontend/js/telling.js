// An event for those who look on: the lines of the log, and which cards to show brighter. Pure.

import { sideOf } from "./reduce.js";
import { describe } from "./words.js";

export const LOG_LENGTH = 60;

/** What an event put on the table: `{pile}` or `{side, melds}`, cards by the number of their meld. */
export function freshCards(event, view) {
  if (event.type === "discarded" || event.type === "card_rejected") return { pile: true };
  if (event.type !== "melded") return null;
  const melds = {};
  for (const { meld, cards } of event.data.placements) melds[meld] = cards;
  return { side: sideOf(view, event.data.seat), melds };
}

/** The sentences for an event as lines of the log. */
export function lines(event, before, after, ctx) {
  return describe(event, before, after, ctx).map((parts, at) => ({
    key: `${event.seq}-${at}`,
    parts,
  }));
}
