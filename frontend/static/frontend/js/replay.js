// The replay source: the events of one finished deal, and a place in them.
// `views` holds the table after each event, so that going anywhere costs nothing.

import { reduce } from "./reduce.js";

export const SPEEDS = [0.5, 1, 2, 4, 8];
const BEAT = 1200;

/** Milliseconds that one event stays at this speed. */
export const beat = (speed) => BEAT / speed;

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
 * The moments worth a mark: canastas made or improved, reserves taken, going out.
 * @returns {{index: number, kind: "canasta"|"reserve"|"out"}[]}
 */
export function moments(start, events, views) {
  const found = [];
  events.forEach((event, index) => {
    const before = index ? views[index - 1] : start;
    if (event.type === "melded" && newCanastas(event, before, views[index])) {
      found.push({ index, kind: "canasta" });
    }
    if (event.type === "reserve_taken") found.push({ index, kind: "reserve" });
    if (event.type === "deal_ended") found.push({ index, kind: "out" });
  });
  return found;
}

function newCanastas(event, before, after) {
  const side = after.seats === 4 ? event.data.seat % 2 : event.data.seat;
  return event.data.placements.some(
    ({ meld }) => after.melds[side][meld].grade && !before.melds[side][meld]?.grade,
  );
}

/** A player of steps: `go` to an index, `toggle` play; `onStep(index)` and `onPlay(playing)` hear of it. */
export function stepper(length, { onChange }) {
  const state = { index: 0, playing: false, speed: 1 };
  let timer = 0;

  function tick() {
    clearTimeout(timer);
    if (!state.playing) return;
    timer = setTimeout(() => {
      if (state.index >= length - 1) state.playing = false;
      else state.index += 1;
      onChange(state);
      tick();
    }, beat(state.speed));
  }

  return {
    state,
    go(index) {
      state.index = Math.min(length - 1, Math.max(0, index));
      onChange(state);
      tick();
    },
    toggle() {
      state.playing = !state.playing;
      if (state.playing && state.index >= length - 1) state.index = 0;
      onChange(state);
      tick();
    },
    pause() {
      state.playing = false;
      onChange(state);
      tick();
    },
    setSpeed(speed) {
      state.speed = speed;
      onChange(state);
      tick();
    },
  };
}
