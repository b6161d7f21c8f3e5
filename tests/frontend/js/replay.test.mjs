import assert from "node:assert/strict";
import { test } from "node:test";

import {
  SPEEDS,
  beat,
  eventInHash,
  indexOfEvent,
  stepper,
} from "../../../frontend/static/frontend/js/replay.js";

test("an address names an event, and anything else none", () => {
  assert.equal(eventInHash("#ev=123"), 123);
  assert.equal(eventInHash("#ev=12x"), null);
  assert.equal(eventInHash(""), null);
});

test("an event number leads to its place, or to the last one before it", () => {
  const events = [{ seq: 10 }, { seq: 11 }, { seq: 14 }];
  assert.equal(indexOfEvent(events, 11), 1);
  assert.equal(indexOfEvent(events, 13), 1);
  assert.equal(indexOfEvent(events, 2), 0);
  assert.equal(indexOfEvent(events, 99), 2);
});

test("steps stay inside the deal", () => {
  const seen = [];
  const player = stepper(3, { onChange: ({ index }) => seen.push(index) });
  for (const index of [-1, 1, 9]) player.go(index);
  assert.deepEqual(seen, [0, 1, 2]);
});

test("play goes on by itself, stops at the end, and starts again from the beginning", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const player = stepper(3, { onChange: () => {} });
  player.toggle();
  t.mock.timers.tick(beat(1));
  assert.deepEqual([player.state.index, player.state.playing], [1, true]);
  player.setSpeed(8);
  t.mock.timers.tick(beat(8));
  t.mock.timers.tick(beat(8));
  assert.deepEqual([player.state.index, player.state.playing], [2, false]);
  player.toggle();
  assert.deepEqual([player.state.index, player.state.playing], [0, true]);
  player.pause();
});

test("speeds go from half to eight times", () => {
  assert.deepEqual([SPEEDS[0], SPEEDS.at(-1)], [0.5, 8]);
  assert.equal(beat(2) * 2, beat(1));
});
