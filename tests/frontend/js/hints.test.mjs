import assert from "node:assert/strict";
import { test } from "node:test";

import { best, hintsOf } from "../../../frontend/static/frontend/js/hints.js";

const one = (cards, worth, more = {}) => ({ cards, result: cards, set: false, wild: null, worth, grade: null, ...more });
const phrases = new Proxy({}, { get: (_, key) => `${key} {cards} {meld} {points} {count} {suit}` });
const nothing = { draw: false, take: false, reject: false, using: [], melds: [], combined: [], discards: [] };

test("a meld that is a part of a larger one is not named beside it", () => {
  const all = [one(["3H", "4H", "5H"], 15), one(["3H", "4H", "5H", "6H"], 20), one(["6H"], 5, { onto: 0 })];
  assert.deepEqual(best(all).map(({ cards }) => cards.length), [4, 1]);
});

test("what makes a canasta is named first", () => {
  const all = [one(["KH", "KD", "KC"], 30), one(["9H"], 10, { onto: 0, grade: "clean" })];
  assert.equal(best(all)[0].grade, "clean");
});

test("each hint says which clause explains it, and how it is done", () => {
  const legal = { ...nothing, draw: true, using: [one(["3H", "4H", "5H"], 15)] };
  const view = { melds: [[], []], minimum: [0, 0] };
  const hints = hintsOf(legal, view, 0, { phrases });
  assert.deepEqual(hints.map(({ code }) => code), ["wrong-step", "pile-needs-use"]);
  assert.equal(hints[0].act, "draw");
  assert.equal(hints[1].offer, legal.using[0]);
  assert.deepEqual(hints[1].parts.filter((part) => part.card).map(({ card }) => card), ["3H", "4H", "5H"]);
});

test("a side that must open hears of its minimum", () => {
  const legal = { ...nothing, combined: [[one(["KH", "KD", "KC"], 30), one(["QH", "QD", "QC"], 30)]] };
  const [hint] = hintsOf(legal, { melds: [[], []], minimum: [75, 0] }, 0, { phrases });
  assert.equal(hint.code, "opening-too-low");
  assert.equal(hint.offer.length, 2);
  assert.match(hint.why, /75/);
});
