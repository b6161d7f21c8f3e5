import assert from "node:assert/strict";
import { test } from "node:test";

import { emptyView, reduce } from "../../../frontend/static/frontend/js/reduce.js";

const profile = {
  id: "p",
  name: "P",
  deal: { hand: 11, reserve: 11, jokers: 4 },
  turn: { pile: "open", first_card_may_be_rejected: true },
};

function begin(audience = "public", turn = {}) {
  const start = emptyView({
    game: "g",
    profile: { ...profile, turn: { ...profile.turn, ...turn } },
    seats: 4,
    audience,
  });
  return reduce(start, {
    seq: 2,
    type: "deal_started",
    data: {
      deal: 1,
      dealer: 3,
      starter: 0,
      totals: [0, 0],
      minimum: [0, 0],
      hands: [11, 11, 11, 11],
      pile: ["9C"],
      stock: null,
      reserves: null,
      ...(audience === "seat-0" && { hand: ["3S", "KD"] }),
    },
  });
}

const step = (view, type, data) => reduce(view, { seq: view.seq + 1, type, data });

test("the stock is what the pack leaves when nobody says how large it is", () => {
  assert.equal(begin().stock, 41);
});

test("a card that is drawn unseen changes numbers only", () => {
  const view = step(begin(), "card_drawn", { seat: 0 });
  assert.deepEqual([view.stock, view.hands[0], view.hand, view.step], [40, 12, null, "play"]);
});

test("the own hand is followed, and another's stays unknown", () => {
  const mine = step(begin("seat-0"), "card_drawn", { seat: 0, card: "4H" });
  assert.deepEqual(mine.hand, ["3S", "KD", "4H"]);
  const later = step(step(mine, "discarded", { seat: 0, card: "KD" }), "card_drawn", { seat: 1 });
  assert.deepEqual(later.hand, ["3S", "4H"]);
  assert.equal(later.hands[1], 12);
});

test("a reserve taken by a discard hides the own hand until a partner's discard shows it (S0-41)", () => {
  const taken = step(begin("seat-0"), "reserve_taken", {
    seat: 0,
    side: 0,
    count: 11,
    direct: false,
  });
  assert.equal(taken.hand, null);
  assert.deepEqual([taken.waiting[0], taken.taken, taken.reserves], [true, [true, false], 1]);
  const shown = step(taken, "discarded", { seat: 2, card: "9H", hand: ["AC", "AC"] });
  assert.deepEqual(shown.hand, ["AC", "AC"]);
});

test("a closed pile shows its top card alone (S4-32)", () => {
  const view = step(begin("public", { pile: "closed" }), "discarded", { seat: 0, card: "KD" });
  assert.deepEqual(view.pile, { count: 2, cards: ["KD"] });
  const open = step(begin(), "discarded", { seat: 0, card: "KD" });
  assert.deepEqual(open.pile, { count: 2, cards: ["9C", "KD"] });
});

test("the view before an event is left as it was", () => {
  const before = begin();
  const copy = structuredClone(before);
  step(before, "discarded", { seat: 0, card: "KD" });
  assert.deepEqual(before, copy);
});

test("an event that this page does not know is refused", () => {
  assert.throws(() => step(begin(), "card_teleported", { seat: 0 }), /unknown event type/);
});
