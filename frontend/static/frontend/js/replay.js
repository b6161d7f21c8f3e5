// The replay source: the events of one ended deal, and a place in them. No page, no rules.
// `views` holds the table after each event, so that going anywhere costs nothing.

import { reduce, sideOf } from "./reduce.js";
import { say } from "./words.js";

export const REAL_TIME = "real";
export const SPEEDS = [0.5, 1, 2, 4, 8];
const BEAT = 1200;
/** A longer pause at the table is cut to this many milliseconds. */
export const LONGEST_PAUSE = 60_000;

/** Milliseconds that one event stays at this speed. */
export const beat = (speed) => BEAT / speed;

/** Milliseconds between two events as they were played. */
export function pauseBetween(event, next) {
  const passed = Date.parse(next.at) - Date.parse(event.at);
  return Math.min(LONGEST_PAUSE, Math.max(0, passed || 0));
}

/** The views of a deal: `views[i]` is the table after `events[i]`. */
export function unroll(start, events) {
  const views = [];
  let view = start;
  for (const event of events) {
    view = reduce(view, event);
    views.push(view);
  }
  return views;
}

/**
 * What the holder of a seat is called, or the person for whom a bot holds it: who sits there today
 * may be another.
 * @param {Record<string, string>} people names by opaque reference
 */
export function nameOf(holder, seat, people, phrases) {
  const key = holder.startsWith("bot:") ? "seat.bot" : "seat.unnamed";
  return people[holder.split(":").at(-1)] || say(phrases, key, { number: String(seat + 1) });
}

/** The score after each event, where an event brings a new one with it as `sheets`; else null. */
export function unrollSheets(events) {
  let sheets = null;
  return events.map((event) => (sheets = event.sheets ?? sheets));
}

/** The index of the event with this number, or of the last one before it; the first if none is. */
export function indexOfEvent(events, seq) {
  const at = events.findLastIndex((event) => event.seq <= seq);
  return Math.max(0, at);
}

/** The event number in an address such as `#ev=123`, or null. */
export function eventInHash(hash) {
  const found = /(?:^#|&)ev=(\d+)(?:&|$)/.exec(hash);
  return found ? Number(found[1]) : null;
}

/**
 * The number of the deal that an event lies in, null if in none of them.
 * @param {[number, number, number][]} deals number, first and last event of each
 */
export function dealOf(deals, seq) {
  return deals.find(([, first, last]) => first <= seq && seq <= last)?.[0] ?? null;
}

/** The ended deals before and after this one, each null where there is none. */
export function neighbours(deals, deal) {
  const at = deals.findIndex(([number]) => number === deal);
  return { before: deals[at - 1]?.[0] ?? null, after: deals[at + 1]?.[0] ?? null };
}

const OPENS_TURN = new Set(["card_drawn", "pile_taken"]);

/** The indices at which turns begin: with a draw from the stock or the pile being taken. */
export function turnStarts(events, views) {
  const found = [];
  events.forEach((event, index) => {
    if (OPENS_TURN.has(event.type) && views[index - 1]?.step === "draw") found.push(index);
  });
  return found;
}

/** Where one turn back and one turn on from `index` lead: to a start of a turn or an end of the deal. */
export function turnsAround(starts, index, last) {
  return {
    number: starts.filter((start) => start <= index).length,
    back: starts.findLast((start) => start < index) ?? 0,
    on: starts.find((start) => start > index) ?? last,
  };
}

/**
 * The moments worth a mark: canastas made or raised, reserves taken, the end of the deal.
 * @returns {{index: number, kind: "canasta"|"reserve"|"out", grade?: string, seat: number|null}[]}
 */
export function moments(start, events, views) {
  const found = [];
  events.forEach((event, index) => {
    const { seat = null } = event.data;
    const before = index ? views[index - 1] : start;
    if (event.type === "melded") {
      for (const grade of newGrades(event, before, views[index])) {
        found.push({ index, kind: "canasta", grade, seat });
      }
    }
    if (event.type === "reserve_taken") found.push({ index, kind: "reserve", seat });
    if (event.type === "deal_ended") found.push({ index, kind: "out", seat });
  });
  return found;
}

function newGrades(event, before, after) {
  const side = sideOf(after, event.data.seat);
  return event.data.placements
    .map(({ meld }) => [after.melds[side][meld]?.grade, before.melds[side][meld]?.grade])
    .filter(([grade, old]) => grade && grade !== old)
    .map(([grade]) => grade);
}

/**
 * A player of steps: `go` to an index, `toggle` play. `onChange(state)` hears of every change.
 * @param {number} length how many steps there are
 * @param {{onChange: Function, pause?: (index: number) => number}} page
 *   `pause`: how long step `index` lasted as played, in milliseconds
 */
export function stepper(length, { onChange, pause = () => beat(1) }) {
  /** @type {{index: number, playing: boolean, speed: number|typeof REAL_TIME}} */
  const state = { index: 0, playing: false, speed: 1 };
  let timer = 0;

  function tick() {
    clearTimeout(timer);
    if (!state.playing) return;
    const wait = state.speed === REAL_TIME ? pause(state.index) : beat(state.speed);
    timer = setTimeout(() => {
      if (state.index >= length - 1) state.playing = false;
      else state.index += 1;
      onChange(state);
      tick();
    }, wait);
  }

  function change(part) {
    Object.assign(state, part);
    onChange(state);
    tick();
  }

  return {
    state,
    go: (index) => change({ index: Math.min(length - 1, Math.max(0, index)) }),
    toggle() {
      const playing = !state.playing;
      const again = playing && state.index >= length - 1;
      change({ playing, ...(again && { index: 0 }) });
    },
    pause: () => change({ playing: false }),
    setSpeed: (speed) => change({ speed }),
  };
}
