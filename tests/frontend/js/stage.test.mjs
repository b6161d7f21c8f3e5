import assert from "node:assert/strict";
import { test } from "node:test";

import {
  asSent,
  choices,
  chosenLayout,
  grown,
  isChosen,
  isStillLegal,
  kept,
  stagedCards,
  staging,
  targets,
} from "../../../frontend/static/frontend/js/stage.js";

const run = (cards, more = {}) => ({ cards, result: cards, set: false, wild: null, worth: 0, grade: null, ...more });
const legal = {
  draw: false,
  take: false,
  reject: false,
  using: [],
  melds: [run(["3H", "4H", "5H"]), run(["6H"], { onto: 1 }), run(["6H", "7H"], { onto: 1 })],
  combined: [[run(["9C", "9D", "9S"]), run(["KD"], { onto: 0 })]],
  discards: ["3H", "KD"],
};

test("a new meld lights up for exactly the cards that the server names", () => {
  assert.equal(targets(legal, ["4H", "3H", "5H"]).fresh, true);
  assert.equal(targets(legal, ["3H", "4H"]).fresh, false);
  assert.deepEqual([...targets(legal, ["3H", "4H"]).grow], ["5H"]);
});

test("an own meld lights up for what may go there, and the parts of combined moves count", () => {
  assert.deepEqual([...targets(legal, ["6H"]).melds], [1]);
  assert.deepEqual([...targets(legal, ["KD"]).melds], [0]);
  assert.equal(targets(legal, ["9S", "9C", "9D"]).fresh, true);
});

test("one chosen card lights the pile if it may be discarded", () => {
  assert.equal(targets(legal, ["KD"]).discard, true);
  assert.equal(targets(legal, ["6H"]).discard, false);
  assert.equal(targets(legal, ["KD", "3H"]).discard, false);
});

test("without the server's word nothing lights up", () => {
  const none = targets(null, ["3H"]);
  assert.deepEqual([none.fresh, none.melds.size, none.discard, none.grow.size], [false, 0, false, 0]);
});

test("the top of a closed pile counts as chosen along (S4-33)", () => {
  const closed = { ...legal, melds: [], combined: [], using: [run(["8S", "9S", "TS"])] };
  assert.equal(targets(closed, ["8S", "TS"], { top: "9S" }).fresh, true);
  assert.equal(targets(closed, ["8S", "TS"]).fresh, false);
  assert.deepEqual(stagedCards([{ cards: ["9S", "8S", "TS"] }], "9S"), ["8S", "TS"]);
});

test("a choice is offered only where the server knows more than one layout", () => {
  const low = run(["JK", "QH", "KH"], { result: ["JK", "QH", "KH"] });
  const high = run(["JK", "QH", "KH"], { result: ["QH", "KH", "JK"], layout: ["QH", "KH", "JK"] });
  const offered = { ...legal, melds: [low, high, run(["3H", "4H", "5H"])] };
  assert.equal(choices(offered, { cards: ["KH", "QH", "JK"] }).length, 2);
  assert.equal(choices(offered, { cards: ["3H", "4H", "5H"] }).length, 1);
  const [staged] = chosenLayout([{ cards: ["KH", "QH", "JK"] }], 0, high);
  assert.deepEqual(staged.layout, ["QH", "KH", "JK"]);
  assert.ok(isChosen(staged, high) && !isChosen(staged, low));
});

test("more cards for the same meld join what is set out, and drop an earlier choice of layout", () => {
  const staged = staging(staging([], ["6H"], 1), ["7H"], 1);
  assert.deepEqual(staged, [{ cards: ["6H", "7H"], onto: 1 }]);
  assert.equal(staging(staging([], ["3H", "4H", "5H"]), ["9C", "9D", "9S"]).length, 2);
  assert.deepEqual(grown([{ cards: ["QH", "KH"], layout: ["QH", "KH"] }], 0, ["AH"]), [{ cards: ["QH", "KH", "AH"] }]);
});

test("what the hand no longer holds is not set out any more", () => {
  const staged = [{ cards: ["3H"] }, { cards: ["3H"] }];
  assert.equal(kept(staged, ["3H", "9C"]).length, 1);
});

test("a move travels without what is only shown", () => {
  assert.deepEqual(asSent({ cards: ["3H"], onto: 0, result: ["3H"], worth: 5 }), { cards: ["3H"], onto: 0 });
  assert.deepEqual(asSent({ cards: ["3H"], wild: "low" }), { cards: ["3H"], wild: "low" });
});

test("a stale move is sent again only if the server still names it", () => {
  assert.equal(isStillLegal(legal, { move: "discard", card: "KD" }), true);
  assert.equal(isStillLegal(legal, { move: "discard", card: "9C" }), false);
  assert.equal(isStillLegal(legal, { move: "draw" }), false);
  assert.equal(isStillLegal(legal, { move: "meld", place: [{ cards: ["6H"], onto: 1 }] }), true);
  assert.equal(isStillLegal(legal, { move: "meld", place: [{ cards: ["6H"], onto: 0 }] }), false);
  assert.equal(isStillLegal(null, { move: "draw" }), false);
});
