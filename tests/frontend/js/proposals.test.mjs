import assert from "node:assert/strict";
import { test } from "node:test";

import { emptyView, reduce } from "../../../frontend/static/frontend/js/reduce.js";

const meld = (cards) => ({ cards, set: false, wild: null, at_once: 0, grade: null });

function laid() {
  const profile = { turn: { pile: "open" } };
  const start = emptyView({ game: "g", profile, seats: 4, audience: "seat-0" });
  const placements = [{ meld: 0, cards: ["3S", "4S", "5S"], result: meld(["3S", "4S", "5S"]) }];
  const dealt = { ...start, deal: 1, step: "play", hands: [10, 11, 11, 11] };
  const before = { ...dealt, hand: ["KD", "9H", "3S", "4S", "5S"] };
  return reduce(before, { seq: 5, type: "melded", data: { seat: 0, placements } });
}

const step = (view, type, data) => reduce(view, { seq: view.seq + 1, type, data });

test("a new meld that is taken back goes, and its cards are in the hand again", () => {
  const placements = [{ meld: 0, cards: ["3S", "4S", "5S"], result: null }];
  const view = step(laid(), "undo_granted", { seat: 0, placements });
  assert.deepEqual(view.melds[0], []);
  assert.equal(view.hands[0], 10);
  assert.deepEqual(view.hand.toSorted(), ["3S", "4S", "5S", "9H", "KD"]);
});

test("an extended meld that is taken back is as it was before", () => {
  const longer = [{ meld: 0, cards: ["6S"], result: meld(["3S", "4S", "5S", "6S"]) }];
  const view = step({ ...laid(), hand: ["6S"] }, "melded", { seat: 0, placements: longer });
  const shorter = [{ meld: 0, cards: ["6S"], result: meld(["3S", "4S", "5S"]) }];
  const back = step(view, "undo_granted", { seat: 0, placements: shorter });
  assert.deepEqual(back.melds[0], [meld(["3S", "4S", "5S"])]);
  assert.deepEqual(back.hand, ["6S"]);
});

test("a question stands until it is answered or someone moves", () => {
  const asked = step(laid(), "asked", { seat: 0, what: "pause" });
  assert.deepEqual(asked.asked, { seat: 0, what: "pause" });
  assert.equal(step(asked, "answered", { seat: 1, what: "pause", grant: false }).asked, null);
  assert.equal(step(asked, "discarded", { seat: 0, card: "KD" }).asked, null);
});

test("a paused match is paused until it goes on", () => {
  const paused = step(laid(), "game_paused", { reason: "agreed" });
  assert.equal(paused.paused, true);
  assert.equal(step(paused, "game_resumed", { reason: "agreed" }).paused, false);
});
