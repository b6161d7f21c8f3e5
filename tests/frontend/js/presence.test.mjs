import assert from "node:assert/strict";
import { test } from "node:test";

import { clockAt, clockText, presenceAt, takeoverIn, timeOf, warningBetween } from "../../../frontend/static/frontend/js/presence.js";

const clock = { seat: 1, move_ms: 30_000, bank_ms: [60_000, 60_000], left_ms: 75_000, heard: 1000 };

test("the turn's own time runs first, then the bank", () => {
  assert.deepEqual(timeOf(1, clock, 1000), { move: 15_000, bank: 60_000 });
  assert.deepEqual(timeOf(1, clock, 21_000), { move: 0, bank: 55_000 });
  assert.deepEqual(timeOf(1, clock, 999_000), { move: 0, bank: 0 });
});

test("who is not to play loses no time, and neither does anyone in a pause", () => {
  assert.deepEqual(timeOf(0, clock, 50_000), { move: 30_000, bank: 60_000 });
  assert.deepEqual(timeOf(1, { ...clock, left_ms: null }, 50_000), { move: 30_000, bank: 60_000 });
});

test("a table without time limits shows no clock", () => {
  assert.equal(timeOf(0, null), null);
  assert.equal(clockAt(undefined), null);
  assert.equal(timeOf(0, { ...clock, move_ms: 0 }), null);
});

test("time is written in minutes and seconds", () => {
  assert.deepEqual([65_000, 59_001, 0].map(clockText), ["1:05", "1:00", "0:00"]);
});

test("each warning comes once, as its limit is passed", () => {
  const at = (seconds) => ({ move: seconds * 1000, bank: 0 });
  assert.equal(warningBetween(at(31), at(30)), 30);
  assert.equal(warningBetween(at(30), at(29)), null);
  assert.equal(warningBetween(at(11), at(9)), 10);
  assert.equal(warningBetween(null, at(9)), null);
});

test("the countdown to a bot is told at the seat that it threatens, however this clock is set", () => {
  const takeover = { seat: 2, at: "2026-11-30T22:00:10Z", left_ms: 10_000 };
  const presence = presenceAt({ t: "presence", here: [], bot: [], watchers: 0, takeover }, 5000);
  assert.equal(takeoverIn(2, presence, 5000), 10);
  assert.equal(takeoverIn(2, presence, 8200), 7);
  assert.equal(takeoverIn(2, presence, 99_000), 0);
  assert.equal(takeoverIn(1, presence, 5000), null);
  assert.equal(takeoverIn(2, null, 5000), null);
});
