import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { player } from "../../../frontend/static/frontend/js/play.js";
import { emptyView } from "../../../frontend/static/frontend/js/reduce.js";

// The two things of a browser that a player asks: the reader's switches, and what was kept.
const switches = {};
globalThis.document = { documentElement: { dataset: switches } };
globalThis.localStorage = { getItem: () => null, setItem: () => {} };

const HAND = ["3H", "4H", "5H", "KD", "KS"];
const legal = (more) => ({
  t: "legal", seq: 5, draw: true, take: true, reject: false, using: [], melds: [], combined: [], discards: [], ...more,
});

function sit({ pile = "open", step = "draw", view: more = {}, line = true } = {}) {
  const start = emptyView({ game: "g", profile: { turn: { pile } }, seats: 4, audience: "seat-0" });
  const view = {
    ...start, seq: 5, deal: 1, step, hand: HAND, hands: [5, 11, 11, 11],
    pile: { count: 3, cards: pile === "closed" ? ["KC"] : ["9C", "QD", "KC"] },
    holders: ["pcarla", "pelsa", "pdino", "pfurio"], ...more,
  };
  const sent = [];
  const said = [];
  const p = player(0, {
    send: (message) => line && Boolean(sent.push(message)),
    redraw: () => {},
    say: (key) => said.push(key),
  });
  p.onSnapshot(view);
  const moves = () => sent.filter(({ t }) => t === "move").map(({ move }) => move);
  const choose = (...names) => names.forEach((name) => p.toggle(p.hand().find((card) => card.name === name).key));
  return { p, view, sent, said, moves, choose };
}

beforeEach(() => {
  switches.confirm = "on";
});

test("who is to play asks what is possible, and nobody else does", () => {
  assert.deepEqual(sit().sent[0], { t: "legal", seq: 5 });
  assert.deepEqual(sit({ view: { turn: 1 } }).sent, []);
});

test("an open pile is taken by one tap", () => {
  const { p, moves } = sit();
  p.toPile();
  assert.deepEqual(moves(), [{ move: "take" }]);
});

test("a closed pile is taken by placing its top card with the chosen ones (S4-33)", () => {
  const { p, sent, moves, choose } = sit({ pile: "closed" });
  p.onFrame(legal({ using: [{ cards: ["KD", "KC", "KS"], result: ["KD", "KC", "KS"] }] }));
  choose("KD", "KS");
  assert.equal(p.targets().fresh, true);
  p.toPile();
  assert.deepEqual(sent.at(-1).place, [{ cards: ["KC", "KD", "KS"] }]);
  assert.deepEqual(p.hand().map(({ name }) => name).toSorted(), ["3H", "4H", "5H"]);
  p.layDown();
  assert.deepEqual(moves(), [{ move: "take", using: [{ cards: ["KC", "KD", "KS"] }] }]);
});

test("a closed pile that can be taken in one way only needs one tap more", () => {
  const { p } = sit({ pile: "closed" });
  p.onFrame(legal({ using: [{ cards: ["KC"], onto: 2, result: ["KC"] }] }));
  p.toPile();
  assert.deepEqual(p.staged, [{ cards: ["KC"], onto: 2 }]);
});

test("what is set out is tried at once, laid down as one move, and can be taken back", () => {
  const { p, sent, moves, choose } = sit({ step: "play" });
  choose("3H", "4H", "5H");
  p.toNew();
  assert.deepEqual([sent.at(-1).t, sent.at(-1).place], ["try", [{ cards: ["3H", "4H", "5H"] }]]);
  p.clear();
  assert.equal(p.hand().length, 5);
  choose("3H", "4H", "5H");
  p.toNew();
  choose("KD");
  p.toMeld(0);
  p.layDown();
  assert.deepEqual(moves(), [{ move: "meld", place: [{ cards: ["3H", "4H", "5H"] }, { cards: ["KD"], onto: 0 }] }]);
});

test("an answer to an older trial is not taken for the newest", () => {
  const { p, sent, choose } = sit({ step: "play" });
  choose("3H");
  p.toNew();
  const { id } = sent.at(-1);
  choose("4H");
  p.toStaged(0);
  p.onFrame({ t: "tried", id, seq: 5, ok: false, laid: [], worth: 5, minimum: 0 });
  assert.equal(p.trial, null);
});

test("a discard waits for a yes, unless that is switched off", () => {
  const asked = sit({ step: "play" });
  asked.choose("KD");
  asked.p.discard();
  assert.deepEqual([asked.moves(), asked.p.confirm.what], [[], "discard"]);
  asked.p.yes();
  assert.deepEqual(asked.moves(), [{ move: "discard", card: "KD" }]);
  switches.confirm = "off";
  const quick = sit({ step: "play" });
  quick.choose("KD");
  quick.p.discard();
  assert.equal(quick.moves().length, 1);
});

test("the last card asks whether to go out, once the reserve is taken", () => {
  const { p, choose } = sit({ step: "play", view: { hand: ["KD"], taken: [true, false] } });
  choose("KD");
  p.discard();
  assert.equal(p.confirm.what, "out");
});

test("a discard needs exactly one card, and says so", () => {
  const { p, said, moves, choose } = sit({ step: "play" });
  p.discard();
  choose("KD", "KS");
  p.discard();
  assert.deepEqual([said, moves()], [["play.choose_one", "play.choose_one"], []]);
});

test("while a bot plays the seat nothing is sent but the wish to have it back", () => {
  const { p, sent, moves } = sit({ view: { holders: ["bot:sensible:pcarla", "pelsa", "pdino", "pfurio"] } });
  p.draw();
  assert.deepEqual(moves(), []);
  p.back();
  assert.equal(sent.at(-1).t, "back");
});

test("without a line a tap is told at once and nothing waits", () => {
  const { p } = sit({ line: false });
  p.draw();
  assert.deepEqual([p.desk.fault.code, p.desk.pending], ["offline", null]);
});

test("a stale move goes again only if it is still possible", () => {
  const { p, sent, moves } = sit();
  p.draw();
  const { id } = sent.at(-1);
  p.onFrame({ t: "stale", id, seq: 6 });
  assert.equal(sent.at(-1).t, "legal");
  p.onFrame(legal({ draw: true }));
  assert.equal(moves().length, 2);
  p.onFrame({ t: "stale", id, seq: 6 });
  p.onFrame(legal({ draw: false }));
  assert.deepEqual([moves().length, p.desk.fault.code], [2, "stale"]);
});

test("only an opponent is asked to agree", () => {
  assert.equal(sit({ view: { asked: { seat: 1, what: "undo" } } }).p.mustAnswer(), true);
  assert.equal(sit({ view: { asked: { seat: 2, what: "undo" } } }).p.mustAnswer(), false);
});

test("what another page of the seat has played is no longer chosen here", () => {
  const { p, view, choose } = sit({ step: "play" });
  choose("KD");
  p.onEvents({ ...view, seq: 6, turn: 1, hand: ["3H", "4H", "5H", "KS"] }, [
    { seq: 6, type: "discarded", data: { seat: 0, card: "KD" } },
  ]);
  assert.deepEqual([p.selected.size, p.isTurn()], [0, false]);
});

test("a meld that is laid is set out no more, though the hand holds its cards once more", () => {
  const twice = ["3H", "3H", "4H", "4H", "5H", "5H", "KS"];
  const { p, view, choose } = sit({ step: "play", view: { hand: twice } });
  choose("3H", "4H", "5H");
  p.toNew();
  p.layDown();
  p.onEvents({ ...view, seq: 6, hand: ["3H", "4H", "5H", "KS"] }, [
    { seq: 6, type: "melded", data: { seat: 0, placements: [] } },
  ]);
  assert.deepEqual([p.staged, p.hand().length], [[], 4]);
});

test("so it is when the line broke on the way, and a refused one stays set out", () => {
  const twice = ["3H", "3H", "4H", "4H", "5H", "5H", "KS"];
  for (const [answer, staged] of [[{ t: "ack", seq: 6 }, 0], [{ t: "refused", code: "no", clause: "" }, 1]]) {
    const { p, sent, view, choose } = sit({ step: "play", view: { hand: twice } });
    choose("3H", "4H", "5H");
    p.toNew();
    p.layDown();
    const { id } = sent.at(-1);
    p.onSnapshot({ ...view, seq: 6, hand: ["3H", "4H", "5H", "KS"] });
    p.onBack();
    p.onFrame({ ...answer, id });
    assert.equal(p.staged.length, staged);
  }
});

test("of two equal cards the one that is left was not chosen", () => {
  const { p, view, choose } = sit({ step: "play", view: { hand: ["3H", "KD", "KD"] } });
  choose("KD");
  p.discard();
  p.yes();
  p.onEvents({ ...view, seq: 6, turn: 1, hand: ["3H", "KD"] }, [
    { seq: 6, type: "discarded", data: { seat: 0, card: "KD" } },
  ]);
  assert.equal(p.selected.size, 0);
});
