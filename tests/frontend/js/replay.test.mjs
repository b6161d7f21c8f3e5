import assert from "node:assert/strict";
import { test } from "node:test";

import {
  LONGEST_PAUSE,
  REAL_TIME,
  SPEEDS,
  beat,
  dealOf,
  eventInHash,
  indexOfEvent,
  moments,
  nameOf,
  neighbours,
  pauseBetween,
  stepper,
  turnStarts,
  turnsAround,
  unrollSheets,
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

test("an event of another deal is found in it, and deals know their neighbours", () => {
  const deals = [[1, 2, 210], [2, 211, 400], [4, 500, 600]];
  assert.equal(dealOf(deals, 211), 2);
  assert.equal(dealOf(deals, 450), null);
  assert.deepEqual(neighbours(deals, 2), { before: 1, after: 4 });
  assert.deepEqual(neighbours(deals, 1), { before: null, after: 2 });
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

test("in real time each step lasts as long as it did at the table", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const events = ["22:00:00.000000Z", "22:00:05.500000Z", "23:30:00.000000Z"]
    .map((time) => ({ at: `2026-11-30T${time}` }));
  const pause = (index) => (events[index + 1] ? pauseBetween(events[index], events[index + 1]) : 0);
  assert.deepEqual([pause(0), pause(1)], [5500, LONGEST_PAUSE]);
  const player = stepper(3, { onChange: () => {}, pause });
  player.setSpeed(REAL_TIME);
  player.toggle();
  t.mock.timers.tick(5499);
  assert.equal(player.state.index, 0);
  t.mock.timers.tick(1);
  assert.equal(player.state.index, 1);
  player.pause();
});

test("speeds go from half to eight times", () => {
  assert.deepEqual([SPEEDS[0], SPEEDS.at(-1)], [0.5, 8]);
  assert.equal(beat(2) * 2, beat(1));
});

test("turns begin with the draw, also where the first card is put back", () => {
  const events = ["deal_started", "card_drawn", "card_rejected", "card_drawn", "discarded", "pile_taken"]
    .map((type) => ({ type, data: {} }));
  const views = ["draw", "play", "play", "play", "draw", "play"].map((step) => ({ step }));
  const starts = turnStarts(events, views);
  assert.deepEqual(starts, [1, 5]);
  assert.deepEqual(turnsAround(starts, 3, 9), { number: 1, back: 1, on: 5 });
  assert.deepEqual(turnsAround(starts, 5, 9), { number: 2, back: 1, on: 9 });
  assert.deepEqual(turnsAround(starts, 1, 9), { number: 1, back: 0, on: 5 });
});

test("moments are canastas by grade, also when one is raised, reserves and the end", () => {
  const table = (grade) => ({ seats: 4, melds: [[{ grade }], []] });
  const laid = { type: "melded", data: { seat: 2, placements: [{ meld: 0 }] } };
  const events = [
    laid,
    laid,
    laid,
    { type: "reserve_taken", data: { seat: 1 } },
    { type: "deal_ended", data: { seat: 1 } },
  ];
  const views = [null, "dirty", "semi", "semi", "semi"].map(table);
  assert.deepEqual(moments(table(null), events, views), [
    { index: 1, kind: "canasta", grade: "dirty", seat: 2 },
    { index: 2, kind: "canasta", grade: "semi", seat: 2 },
    { index: 3, kind: "reserve", seat: 1 },
    { index: 4, kind: "out", seat: 1 },
  ]);
});

test("the score stays until an event brings a new one", () => {
  assert.deepEqual(unrollSheets([{}, { sheets: "a" }, {}, { sheets: "b" }]), [null, "a", "a", "b"]);
});

test("names are those of the holders: of a person also while a bot plays for them", () => {
  const phrases = { "seat.bot": "Bot {number}", "seat.unnamed": "Seat {number}" };
  const holders = ["p1", "bot:sensible:p2", "bot:sensible", "p9"];
  const people = { p1: "Carla", p2: "Dino" };
  const names = holders.map((holder, seat) => nameOf(holder, seat, people, phrases));
  assert.deepEqual(names, ["Carla", "Dino", "Bot 3", "Seat 4"]);
});
