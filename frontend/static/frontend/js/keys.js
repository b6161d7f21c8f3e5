// The keyboard of the player: one key an action, and arrows within the hand. Letters can be
// switched off, for those whose tools use them otherwise; all of it is also reached by Tab.

import { isOn } from "./play.js";

/** Keys of one action each, for the page and for the help. */
export const KEYS = [
  { key: "D", phrase: "act.draw", act: (p) => p.draw() },
  { key: "T", phrase: "target.take", act: (p) => p.isDrawing() && p.toPile() },
  { key: "M", phrase: "act.new", act: (p) => p.toNew() },
  { key: "L", phrase: "act.lay", act: (p) => p.layDown() },
  { key: "Z", phrase: "act.clear", act: (p) => p.clear() },
  { key: "X", phrase: "act.discard", act: (p) => p.discard() },
  { key: "J", phrase: "act.reject", act: (p) => p.reject() },
  { key: "N", phrase: "act.next", act: (p) => p.next() },
  { key: "S", phrase: "act.sort", act: (p) => p.sort() },
  { key: "H", phrase: "hints", act: (p) => p.open("hints") },
  { key: "R", phrase: "read", act: (p) => p.open("read") },
  { key: "?", phrase: "help", act: (p) => p.open("help") },
];

const BY_KEY = new Map(KEYS.map(({ key, act }) => [key, act]));

/** What a key does in the hand: another card is reached, or the card is moved. */
export function inHand(p, key, { shift = false } = {}) {
  const cards = p.hand();
  const at = cards.findIndex((card) => card.key === p.active);
  const goal = {
    ArrowLeft: at - 1,
    ArrowUp: at - 1,
    ArrowRight: at + 1,
    ArrowDown: at + 1,
    Home: 0,
    End: cards.length - 1,
  }[key];
  if (goal === undefined || !cards.length) return false;
  const to = Math.min(Math.max(goal, 0), cards.length - 1);
  if (shift && at >= 0) {
    const { name } = cards[at];
    p.moveCard(at, to);
    p.active = p.hand()[to]?.name === name ? p.hand()[to].key : p.active;
  } else {
    p.active = cards[to].key;
  }
  return true;
}

/** Listen to the page. `focusCard(key)` moves the focus after a redraw. */
export function listen(p, { redraw, focusCard }) {
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || p.dialog) return;
    const target = event.target instanceof Element ? event.target : document.body;
    if (target.closest("input, select, textarea, [contenteditable]")) return;
    if (target.closest(".hand-row") && inHand(p, event.key, { shift: event.shiftKey })) {
      event.preventDefault();
      redraw();
      focusCard(p.active);
      return;
    }
    if (event.key === "Escape") {
      if (p.confirm) p.no();
      else if (p.selected.size) {
        p.selected.clear();
        redraw();
      }
      return;
    }
    if (!isOn("keys")) return;
    const act = BY_KEY.get(event.key.toUpperCase());
    const digit = /^[1-9]$/.test(event.key) ? Number(event.key) - 1 : null;
    if (!act && digit === null) return;
    event.preventDefault();
    if (act) act(p);
    else p.toMeld(digit);
  });
}
