import assert from "node:assert/strict";
import { test } from "node:test";

import { arranged, handMemory, keyed, minus, moved, sameCards } from "../../../frontend/static/frontend/js/hand.js";

const hand = ["KH", "3S", "JK", "2D", "AC", "3D", "KS"];

test("by suit the wild cards lie in front, then each suit from low to high", () => {
  assert.deepEqual(arranged(hand, "suit"), ["JK", "2D", "3S", "KS", "KH", "AC", "3D"]);
});

test("by rank equal ranks lie together", () => {
  assert.deepEqual(arranged(hand, "rank"), ["JK", "2D", "3S", "3D", "KS", "KH", "AC"]);
});

test("by hand cards stay where they were put, and new ones come at the end", () => {
  assert.deepEqual(arranged(["KH", "3S", "9C"], "hand", ["9C", "JK", "KH"]), ["9C", "KH", "3S"]);
});

test("by hand two equal cards are two cards", () => {
  assert.deepEqual(arranged(["KH", "KH", "3S"], "hand", ["KH", "3S"]), ["KH", "3S", "KH"]);
  assert.deepEqual(keyed(["KH", "3S", "KH"]).map(({ key }) => key), ["KH-1", "3S-1", "KH-2"]);
});

test("a card is moved within the hand and none is lost", () => {
  assert.deepEqual(moved(["A", "B", "C"], 0, 2), ["B", "C", "A"]);
  assert.deepEqual(moved(["A", "B", "C"], 2, -5), ["C", "A", "B"]);
});

test("cards are taken away one for one", () => {
  assert.deepEqual(minus(["KH", "KH", "3S"], ["KH"]), ["KH", "3S"]);
  assert.equal(minus(["KH"], ["KH", "KH"]), null);
  assert.ok(sameCards(["KH", "3S"], ["3S", "KH"]));
});

function storage() {
  const kept = new Map();
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
}

test("the order of a hand is kept over a reload, table by table", () => {
  const browser = storage();
  handMemory(browser, "g1").write({ order: "hand", byHand: ["9C"] });
  assert.deepEqual(handMemory(browser, "g1").read(), { order: "hand", byHand: ["9C"] });
  assert.deepEqual(handMemory(browser, "g2").read(), { order: "suit", byHand: [] });
});

test("a browser that keeps nothing, or nonsense, still sorts", () => {
  const refusing = {
    getItem: () => {
      throw new Error("no");
    },
    setItem: () => {
      throw new Error("no");
    },
  };
  handMemory(refusing, "g").write({ order: "rank", byHand: [] });
  assert.equal(handMemory(refusing, "g").read().order, "suit");
  assert.equal(handMemory({ getItem: () => '{"order":"x","byHand":3}' }, "g").read().order, "suit");
});
