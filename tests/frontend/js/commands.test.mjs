import assert from "node:assert/strict";
import { test } from "node:test";

import { commandDesk, newId } from "../../../frontend/static/frontend/js/commands.js";

function desk({ line = true } = {}) {
  const sent = [];
  const state = { line };
  const it = commandDesk(
    (message) => {
      if (state.line) sent.push(message);
      return state.line;
    },
    () => {},
  );
  return { it, sent, state };
}

const draw = { t: "move", seq: 7, move: { move: "draw" } };

test("a command is pending from the tap until its events are seen", () => {
  const { it, sent } = desk();
  it.issue(draw);
  const { id } = sent[0];
  it.heard({ t: "ack", id, seq: 8 }, 7);
  assert.ok(it.pending);
  it.seen(8);
  assert.equal(it.pending, null);
});

test("an acknowledgement after the events ends it at once", () => {
  const { it, sent } = desk();
  it.issue(draw);
  it.heard({ t: "ack", id: sent[0].id, seq: 8 }, 8);
  assert.equal(it.pending, null);
});

test("a second tap sends nothing while the first is on its way", () => {
  const { it, sent } = desk();
  it.issue(draw);
  it.issue(draw);
  assert.equal(sent.length, 1);
});

test("a refusal is kept with its clause until the next command", () => {
  const { it, sent } = desk();
  it.issue(draw);
  it.heard({ t: "refused", id: sent[0].id, code: "wrong-step", clause: "S0-12" }, 7);
  assert.deepEqual(it.fault, { code: "wrong-step", clause: "S0-12" });
  it.issue(draw);
  assert.equal(it.fault, null);
});

test("answers to other commands change nothing", () => {
  const { it } = desk();
  it.issue(draw);
  assert.equal(it.heard({ t: "ack", id: "another", seq: 9 }, 9), false);
  assert.ok(it.pending);
});

test("without a line nothing is queued, and the player is told", () => {
  const { it, sent, state } = desk({ line: false });
  assert.equal(it.issue(draw), false);
  state.line = true;
  it.resend();
  assert.deepEqual([sent.length, it.pending, it.fault.code], [0, null, "offline"]);
});

test("what left and was not answered goes again the same once the line is back", () => {
  const { it, sent } = desk();
  it.issue(draw);
  it.resend();
  assert.deepEqual(sent[0], sent[1]);
  it.heard({ t: "ack", id: sent[0].id, seq: 8 }, 7);
  it.resend();
  assert.equal(sent.length, 2);
});

test("a stale move goes again for the new state only if it is still possible", () => {
  const { it, sent } = desk();
  it.issue(draw);
  it.heard({ t: "stale", id: sent[0].id, seq: 9 }, 7);
  it.settleStale(true, 9);
  assert.deepEqual([sent[1].id, sent[1].seq], [sent[0].id, 9]);
  it.heard({ t: "stale", id: sent[0].id, seq: 10 }, 9);
  it.settleStale(false, 10);
  assert.deepEqual([sent.length, it.pending, it.fault.code], [2, null, "stale"]);
});

test("no two commands have the same name", () => {
  assert.notEqual(newId(), newId());
  assert.match(newId(), /^[0-9a-f]{24}$/);
});
