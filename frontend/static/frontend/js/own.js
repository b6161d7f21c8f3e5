// The own place at a live table: puts the player, the dock, keys, drag and motion together.
// Loaded only for who holds a seat; a spectator's page never has it.

import { dialogs } from "./dialogs.js";
import { dock } from "./dock.js";
import { drag } from "./drag.js";
import { listen } from "./keys.js";
import { player } from "./play.js";
import { timeOf, warningBetween } from "./presence.js";
import { sideOf } from "./reduce.js";
import { sound } from "./sound.js";
import { say, seatName } from "./words.js";

const HINT_TIME = 8000;
// The clock beside it goes on.
const WARNING_TIME = 3000;

/**
 * @param {HTMLElement} root of the table
 * @param {number} seat
 * @param {object} ctx what is drawn; gets `play`, `dock` and `dialogs`
 * @param {{send: (message: object) => boolean, redraw: () => void}} page
 */
export function ownPlace(root, seat, ctx, page) {
  let forget = 0;
  let time = null;
  const hint = (text, shown = HINT_TIME) => {
    ctx.hint = text;
    clearTimeout(forget);
    forget = setTimeout(() => {
      ctx.hint = null;
      page.redraw();
    }, shown);
    page.redraw();
  };
  const p = player(seat, {
    send: page.send,
    redraw: page.redraw,
    say: (key) => hint(ctx.phrases[key]),
  });
  ctx.play = p;
  ctx.dock = dock;
  ctx.dialogs = dialogs;

  listen(p, {
    redraw: page.redraw,
    focusCard(key) {
      /** @type {HTMLElement|null} */
      const card = root.querySelector(`[data-focus="card-${key}"]`);
      card?.focus({ preventScroll: true });
    },
  });
  drag(root, p, ctx);

  // Who acts is back: the bot gives the seat up at the first touch or key.
  const isBack = () => {
    if (document.visibilityState === "visible" && p.isReady() && p.botPlays() && !p.desk.pending) p.back();
  };
  document.addEventListener("pointerdown", isBack);
  document.addEventListener("keydown", isBack);

  return {
    beforeDraw: () => {
      ctx.targets = p.targets();
    },
    onSnapshot(view) {
      ctx.near = sideOf(view, seat);
      p.onSnapshot(view);
    },
    onEvents(view, events) {
      for (const { type, data } of events) {
        // The side that asked is told at its place what became of it; on a phone the log is far down.
        if (type === "answered" && sideOf(view, data.seat) !== p.side()) {
          hint(say(ctx.phrases, data.grant ? "log.answered.yes" : "log.answered.no", { name: seatName(data.seat, ctx) }));
        }
      }
      const fault = p.desk.fault;
      const isNowOwn = p.onEvents(view, events);
      if (isNowOwn) sound("turn");
      else if (events.some(({ data }) => data.seat !== undefined)) sound("card");
      if (p.desk.fault && p.desk.fault !== fault) sound("fault");
    },
    onBack: p.onBack,
    /** The line has ended for good. */
    onEnd() {
      p.isOver = true;
      p.dialog = null;
    },
    onFrame: p.onFrame,
    /** Once a second while time runs. */
    tick() {
      const now = p.isTurn() ? timeOf(seat, ctx.clock) : null;
      const warning = warningBetween(time, now);
      time = now;
      if (warning === null) return;
      sound("warning");
      hint(say(ctx.phrases, "clock.warning", { seconds: String(warning) }), WARNING_TIME);
    },
  };
}
