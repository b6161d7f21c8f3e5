import assert from "node:assert/strict";
import { test } from "node:test";

import { frameOrder, waitBefore } from "../../../frontend/static/frontend/js/live.js";

const events = (from, to) => ({
  t: "events",
  from,
  to,
  events: Array.from({ length: to - from + 1 }, (_, at) => ({ seq: from + at })),
});
const seqs = ({ events: list }) => list.map(({ seq }) => seq);

test("frames are passed on in order after a snapshot", () => {
  const order = frameOrder();
  assert.equal(order.take({ t: "snapshot", seq: 7 }).snapshot.seq, 7);
  assert.deepEqual(seqs(order.take(events(8, 9))), [8, 9]);
});

test("a gap asks for what follows the last event seen, and passes nothing on", () => {
  const order = frameOrder();
  order.take({ t: "snapshot", seq: 7 });
  assert.deepEqual(order.take(events(9, 9)), { since: 7 });
  assert.deepEqual(seqs(order.take(events(8, 8))), [8]);
});

test("what was seen before is dropped, also when it comes in one frame with news", () => {
  const order = frameOrder();
  order.take({ t: "snapshot", seq: 7 });
  assert.deepEqual(order.take(events(6, 7)), {});
  assert.deepEqual(seqs(order.take(events(7, 9))), [8, 9]);
});

test("before the first snapshot events say nothing", () => {
  assert.deepEqual(frameOrder().take(events(1, 2)), {});
});

test("waits grow to a limit and never come together", () => {
  assert.equal(waitBefore(0, () => 1), 500);
  assert.equal(waitBefore(1, () => 0), 500);
  assert.equal(waitBefore(30, () => 1), 20_000);
  assert.notEqual(waitBefore(3, () => 0.2), waitBefore(3, () => 0.8));
});

test("after a resync the page asks for what follows the last event seen", () => {
  const order = frameOrder();
  assert.deepEqual(order.take({ t: "resync" }), {});
  order.take({ t: "snapshot", seq: 7 });
  assert.deepEqual(order.take({ t: "resync" }), { since: 7 });
});

test("a page that comes back asks what happened meanwhile, and takes what it then gets", () => {
  const order = frameOrder();
  order.comeBack();
  order.take({ t: "snapshot", seq: 7 });
  order.comeBack();
  assert.deepEqual(order.take({ t: "snapshot", seq: 9 }), { since: 7 });
  assert.deepEqual(seqs(order.take(events(8, 9))), [8, 9]);
  order.comeBack();
  assert.deepEqual(order.take({ t: "snapshot", seq: 99 }), { since: 9 });
  assert.equal(order.take({ t: "snapshot", seq: 99 }).snapshot.seq, 99);
});

test("a page that comes back to a table at rest is content with the snapshot", () => {
  const order = frameOrder();
  order.take({ t: "snapshot", seq: 7 });
  order.comeBack();
  assert.equal(order.take({ t: "snapshot", seq: 7 }).snapshot.seq, 7);
});
