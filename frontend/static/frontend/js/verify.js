// Whether a record tells what was played: its chain of events, and its shuffles from the first card
// on. Pure but for the browser's cryptography; it trusts nothing but the bytes it is given.

import {
  ALGORITHM,
  dealt,
  falseSeeds,
  fingerprint,
  fromHex,
  inOrder,
  pack,
  shuffledPack,
} from "./shuffle.js";

const FORMAT = "pozzetto/1";
const GENESIS = "0".repeat(64);

/** A fault: its code, and the line of the record or the deal where it is. */
class Fault extends Error {
  constructor(code, where = {}) {
    super(code);
    this.code = code;
    this.where = where;
  }
}

/** Canonical JSON: sorted keys, no spaces, nothing escaped that need not be. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const fields = Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${fields.join(",")}}`;
}

function without(value, ...names) {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

function parsed(text, line) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Fault("not-json", { line });
  }
  if (canonical(value) !== text) throw new Fault("not-canonical", { line });
  return value;
}

function read(bytes) {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let lines;
  try {
    lines = text.decode(bytes).split("\n");
  } catch {
    throw new Fault("not-json", { line: 1 });
  }
  if (lines.pop() !== "") throw new Fault("line-cut", { line: lines.length + 1 });
  const [header, ...events] = lines.map((line, at) => parsed(line, at + 1));
  if (header?.format !== FORMAT) throw new Fault("format-unknown", { line: 1 });
  if (events.length === 0) throw new Fault("record-empty", { line: 1 });
  return { header, events };
}

async function checkHeader({ header }) {
  if ((await fingerprint(canonical(without(header, "hash")))) !== header.hash) {
    throw new Fault("header-hash-differs", { line: 1 });
  }
}

async function checkChain({ header, events }) {
  let prev = GENESIS;
  for (const [at, event] of events.entries()) {
    const line = at + 2;
    if (event.seq !== at + 1) throw new Fault("seq-gap", { line });
    if (event.prev !== prev) throw new Fault("prev-differs", { line });
    const hash = await fingerprint(prev + canonical(without(event, "hash", "prev")));
    if (hash !== event.hash) throw new Fault("hash-differs", { line });
    prev = hash;
  }
  if (header.head !== prev) throw new Fault("head-differs", { line: 1 });
  return { head: prev };
}

function openingOf(events) {
  const [opening] = events;
  if (opening.type !== "game_opened") throw new Fault("not-opened", { line: 2 });
  return opening.data;
}

/** The deals of a record: each with its start, what was drawn from it, and its seed. */
function dealsOf(events) {
  const deals = [];
  const seeds = new Map();
  events.forEach(({ type, data }, at) => {
    if (type === "deal_started") deals.push({ number: data.deal, start: data, line: at + 2, moves: [] });
    if (type === "seed_revealed") {
      if (data.algorithm !== ALGORITHM) throw new Fault("algorithm-unknown", { line: at + 2 });
      seeds.set(data.deal, data.seed);
    }
    deals.at(-1)?.moves.push({ type, data, line: at + 2 });
  });
  return { deals, seeds };
}

async function checkSeeds(commitment, deals, seeds) {
  const missing = deals.find(({ number }) => !/^[0-9a-f]{128}$/.test(seeds.get(number) ?? ""));
  if (missing) throw new Fault("seed-missing", { deal: missing.number });
  const [wrong] = seeds.size ? await falseSeeds(commitment, seeds) : [];
  if (wrong !== undefined) throw new Fault("seed-false", { deal: wrong });
}

const same = (one, other) => canonical(one) === canonical(other);

async function checkDeal({ profile, seats }, { number, start, line }, seed) {
  const cards = pack(profile.deal.jokers);
  const deck = await shuffledPack(fromHex(seed), cards);
  const given = dealt(deck, profile.deal, seats, start.starter);
  if (!same(given.hands, start.hands) || !same(given.pile, start.pile)) {
    throw new Fault("deal-differs", { line, deal: number });
  }
  return { given, count: String(cards.length) };
}

function checkDraws({ number, moves }, { stock, reserves }) {
  const [left, waiting] = [[...stock], [...reserves]];
  const found = { draws: 0, reserves: 0 };
  for (const { type, data, line } of moves) {
    if (type === "card_drawn") {
      if (left.pop() !== data.card) throw new Fault("draw-differs", { line, deal: number });
      found.draws += 1;
    }
    if (type === "reserve_taken") {
      if (!same(inOrder(waiting.shift() ?? []), inOrder(data.cards))) {
        throw new Fault("reserve-differs", { line, deal: number });
      }
      found.reserves += 1;
    }
    if (type === "reserve_became_stock") left.push(...(waiting.shift() ?? []));
  }
  return { draws: String(found.draws), reserves: String(found.reserves) };
}

/**
 * Check a record step by step, as an asynchronous run of what was found. After a fault nothing more
 * is checked, because all that follows would rest on it.
 * @param {Uint8Array} bytes the record
 * @yields {{step: string, ok: boolean, values: object, code?: string, where?: object}} `values` fill
 *   the step's sentence; a step `redacted` says that the match is not revealed yet
 */
export async function* verify(bytes) {
  let step = "read";
  let values = {};
  const done = (more = {}) => ({ step, ok: true, values: { ...values, ...more } });
  try {
    const record = read(bytes);
    yield done({ count: String(record.events.length) });
    step = "header";
    await checkHeader(record);
    yield done();
    if (record.header.view !== undefined) {
      step = "redacted";
      yield done({ commitment: openingOf(record.events).commitment });
      return;
    }
    step = "chain";
    yield done(await checkChain(record));
    step = "commitment";
    const opening = openingOf(record.events);
    values = { commitment: opening.commitment };
    const { deals, seeds } = dealsOf(record.events);
    await checkSeeds(opening.commitment, deals, seeds);
    yield done();
    for (const deal of deals) {
      step = "shuffle";
      values = { deal: String(deal.number) };
      const { given, count } = await checkDeal(opening, deal, seeds.get(deal.number));
      yield done({ count });
      step = "draws";
      yield done(checkDraws(deal, given));
    }
  } catch (fault) {
    // What the record makes us stumble over is a fault of the record as well.
    const code = fault instanceof Fault ? fault.code : "format-unknown";
    yield { step, ok: false, values, code, where: fault.where ?? {} };
  }
}
