import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import {
  dealt,
  falseSeeds,
  fingerprint,
  fromHex,
  pack,
  sha256,
  sha512,
  shuffledPack,
  toHex,
} from "../../../frontend/static/frontend/js/shuffle.js";
import { canonical, verify } from "../../../frontend/static/frontend/js/verify.js";

const vectors = JSON.parse(readFileSync(new URL("../../golden/shuffle_vectors.json", import.meta.url)));
const utf8 = new TextEncoder();

test("the pack is the canonical one", () => {
  assert.deepEqual(pack(4), vectors.pack);
});

test("each seed gives the pack of the golden vectors", async () => {
  for (const { seed, first, sha256: expected } of vectors.decks) {
    const deck = await shuffledPack(fromHex(seed), vectors.pack);
    assert.deepEqual(deck.slice(0, 12), first);
    assert.equal(await fingerprint(deck.join(" ")), expected);
  }
});

test("seeds lead to their commitment, and a false one is named", async () => {
  for (const { commitment, seeds } of vectors.chains) {
    const given = Object.entries(seeds).map(([deal, seed]) => [Number(deal), seed]);
    for (const one of given) assert.deepEqual(await falseSeeds(commitment, new Map([one])), []);
    assert.deepEqual(await falseSeeds(commitment, new Map(given)), []);
    const [deal, seed] = given[0];
    const other = (seed[0] === "0" ? "1" : "0") + seed.slice(1);
    assert.deepEqual(await falseSeeds(commitment, new Map([[deal, other]])), [deal]);
  }
});

// A small match of our own making: every field that the proof looks at, nothing else.
async function record({ change = () => {} } = {}) {
  const master = new Uint8Array(64).fill(7);
  const seeds = [master];
  for (let deal = 2; deal > 1; deal -= 1) seeds.unshift(await sha512(seeds[0]));
  const profile = { id: "p", deal: { hand: 11, reserve: 11, jokers: 4, upcard: true } };
  const events = [
    ["game_opened", { profile, seats: 4, commitment: toHex(await sha256(seeds[0])) }],
  ];
  for (const [at, seed] of seeds.entries()) {
    const starter = at + 1;
    const { hands, pile, stock, reserves } = dealt(
      await shuffledPack(seed, pack(4)), profile.deal, 4, starter,
    );
    events.push(["deal_started", { deal: at + 1, starter, hands, pile }]);
    events.push(["card_drawn", { seat: starter, card: stock.at(-1) }]);
    events.push(["card_drawn", { seat: starter, card: stock.at(-2) }]);
    events.push(["reserve_taken", { seat: starter, cards: reserves[0] }]);
  }
  for (const [at, seed] of seeds.entries()) {
    events.push(["seed_revealed", { deal: at + 1, seed: toHex(seed), algorithm: vectors.algorithm }]);
  }
  change(events);
  let prev = "0".repeat(64);
  const lines = [];
  for (const [at, [type, data]] of events.entries()) {
    const fields = { seq: at + 1, type, at: "2026-11-30T22:12:01.123456Z", by: "p1", data };
    const hash = await fingerprint(prev + canonical(fields));
    lines.push(canonical({ ...fields, prev, hash }));
    prev = hash;
  }
  const header = { format: "pozzetto/1", game: "carla-e-dino", profile, head: prev };
  const whole = { ...header, hash: await fingerprint(canonical(header)) };
  return utf8.encode([canonical(whole), ...lines, ""].join("\n"));
}

async function steps(bytes) {
  const found = [];
  for await (const step of verify(bytes)) found.push(step);
  return found;
}

async function fault(bytes) {
  const last = (await steps(bytes)).at(-1);
  return last.ok ? null : [last.step, last.code];
}

test("a sound record holds in every step, deal by deal", async () => {
  const found = await steps(await record());
  assert.deepEqual(found.map(({ step, ok }) => [step, ok]), [
    ["read", true],
    ["header", true],
    ["chain", true],
    ["commitment", true],
    ["shuffle", true],
    ["draws", true],
    ["shuffle", true],
    ["draws", true],
  ]);
  assert.deepEqual(found[5].values, { deal: "1", draws: "2", reserves: "1" });
});

test("whichever byte of a record is wrong, it does not hold", async () => {
  const sound = await record();
  for (let at = 0; at < sound.length; at += 97) {
    const damaged = Uint8Array.from(sound);
    damaged[at] ^= 1;
    assert.notEqual(await fault(damaged), null, `byte ${at}`);
  }
});

test("a record that was cut, stretched or reordered does not hold", async () => {
  const text = new TextDecoder().decode(await record());
  const lines = text.split("\n");
  const joined = (some) => utf8.encode(some.join("\n"));
  assert.deepEqual(await fault(utf8.encode(text.slice(0, -1))), ["read", "line-cut"]);
  assert.deepEqual(await fault(joined([...lines.slice(0, -2), ""])), ["chain", "head-differs"]);
  assert.deepEqual(await fault(joined(lines.toSpliced(3, 1))), ["chain", "seq-gap"]);
  assert.deepEqual(await fault(utf8.encode(text.replace('"by":', ' "by":'))), ["read", "not-canonical"]);
  assert.deepEqual(await fault(utf8.encode("")), ["read", "format-unknown"]);
});

// Whoever forges a match can make all hashes anew; the shuffle still does not give his cards.
const forged = {
  "a hand was exchanged": [([, [, start]]) => {
    [start.hands[0], start.hands[1]] = [start.hands[1], start.hands[0]];
  }, ["shuffle", "deal-differs"]],
  "the card turned up was another": [([, [, start]]) => {
    start.pile = ["JK"];
  }, ["shuffle", "deal-differs"]],
  "the second card was drawn first": [(events) => {
    [events[2], events[3]] = [events[3], events[2]];
  }, ["draws", "draw-differs"]],
  "a reserve was changed": [(events) => {
    events[4][1].cards = events[4][1].cards.with(0, "JK").with(1, "JK");
  }, ["draws", "reserve-differs"]],
  "a seed is of another game": [(events) => {
    events.at(-1)[1].seed = "ab".repeat(64);
  }, ["commitment", "seed-false"]],
  "a seed was kept back": [(events) => events.pop(), ["commitment", "seed-missing"]],
  "the commitment was made afterwards": [([[, opening]]) => {
    opening.commitment = "0".repeat(64);
  }, ["commitment", "seed-false"]],
  "the shuffle is of an unknown kind": [(events) => {
    events.at(-1)[1].algorithm = "dice/1";
  }, ["commitment", "algorithm-unknown"]],
};

for (const [what, [change, expected]] of Object.entries(forged)) {
  test(`a forged record whose chain holds is found out: ${what}`, async () => {
    assert.deepEqual(await fault(await record({ change })), expected);
  });
}

test("a record of a running match says that it is redacted and proves nothing", async () => {
  const header = { format: "pozzetto/1", game: "g", profile: {}, view: "public" };
  const opening = { seq: 1, type: "game_opened", at: "", by: "", data: { commitment: "c0ffee" } };
  const whole = { ...header, hash: await fingerprint(canonical(header)) };
  const found = await steps(utf8.encode([canonical(whole), canonical(opening), ""].join("\n")));
  assert.deepEqual(found.at(-1), { step: "redacted", ok: true, values: { commitment: "c0ffee" } });
});
