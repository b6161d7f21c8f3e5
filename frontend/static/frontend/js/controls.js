// The bar under a replay: a slider with marks, steps by event and by turn, play, speed, a link to
// here; and the moments of the deal as a list. Pure, like `render`.

import { REAL_TIME, SPEEDS } from "./replay.js";
import { say, seatName } from "./words.js";
import { h } from "./vdom.js";

const ICONS = {
  first: "M4 4h2.5v16H4zM20 4v16L8.5 12z",
  turnBack: "M12 4v16L2 12zM22 4v16L12 12z",
  back: "M17 4v16L6 12z",
  play: "M7 4v16l12-8z",
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  on: "M7 4v16l11-8z",
  turnOn: "M2 4v16l10-8zM12 4v16l10-8z",
  last: "M17.5 4H20v16h-2.5zM4 4v16l11.5-8z",
  link: "M10.6 13.4a1 1 0 0 1 0-1.4l3-3a1 1 0 1 1 1.4 1.4l-3 3a1 1 0 0 1-1.4 0zM8 18.5a4 4 0 0 1-2.8-6.8l2-2 1.4 1.4-2 2a2 2 0 0 0 2.8 2.8l2-2 1.4 1.4-2 2A4 4 0 0 1 8 18.5zm8.8-4.8-1.4-1.4 2-2a2 2 0 0 0-2.8-2.8l-2 2-1.4-1.4 2-2a4 4 0 0 1 5.6 5.6z",
};

const icon = (name) =>
  h("svg", { attrs: { viewBox: "0 0 24 24", "aria-hidden": "true" } }, [
    h("path", { attrs: { d: ICONS[name] } }),
  ]);

function button(name, label, onClick, { disabled = false, main = false } = {}) {
  return h(
    "button.step",
    {
      class: { "is-main": main },
      // Not `disabled`: a button that loses its use under the finger must not lose the focus.
      attrs: { type: "button", "aria-label": label, title: label, "aria-disabled": String(disabled) },
      on: { click: onClick },
    },
    [icon(name)],
  );
}

function track(state, deal, act, phrases) {
  const last = deal.length - 1;
  return h("div.track", [
    h("input.scrub", {
      attrs: {
        type: "range",
        min: "0",
        max: String(last),
        step: "1",
        "aria-label": phrases["replay.place"],
        "aria-valuetext": deal.spoken,
      },
      props: { value: String(state.index) },
      on: { input: (event) => act.go(Number(event.target.value)) },
    }),
    h("div.marks", { attrs: { "aria-hidden": "true" } }, deal.marks.map(({ index, kind, grade }, at) =>
      h(`span.mark.mark-${kind}${grade ? `.mark-${grade}` : ""}`, {
        key: `${kind}-${index}-${at}`,
        // The place is data, so it is set through the object model: the policy allows no style attribute.
        hook: { insert: ({ elm }) => elm.style.setProperty("left", `${(100 * index) / Math.max(1, last)}%`) },
      }),
    )),
  ]);
}

function speeds(state, act, phrases) {
  const choice = (value, text) =>
    h("option", { attrs: { value }, props: { selected: value === String(state.speed) } }, text);
  const read = (value) => (value === REAL_TIME ? value : Number(value));
  return h("label.speed", [
    h("span.unseen", phrases["replay.speed"]),
    h("select", { on: { change: (event) => act.setSpeed(read(event.target.value)) } }, [
      ...SPEEDS.map((speed) => choice(String(speed), `${speed}×`)),
      choice(REAL_TIME, phrases["replay.realtime"]),
    ]),
  ]);
}

/**
 * @param {object} state {index, playing, speed} of the stepper
 * @param {object} deal {length, marks, turns, spoken, now, copied} how many events, the moments, the
 *   turns around (`turnsAround`), the current move in words and as nodes, what to say of a link just
 *   copied
 * @param {object} act {go, toggle, setSpeed, copy}
 */
export function controls(state, deal, act, { phrases }) {
  const last = deal.length - 1;
  const { turns } = deal;
  const atStart = { disabled: state.index === 0 };
  const atEnd = { disabled: state.index === last };
  return h("div.controls", { key: "controls", attrs: { role: "group", "aria-label": phrases["replay.controls"] } }, [
    h("p.now", { attrs: { "aria-hidden": "true" } }, deal.now),
    track(state, deal, act, phrases),
    h("div.steps", [
      button("first", phrases["replay.first"], () => act.go(0), atStart),
      button("turnBack", phrases["replay.turn.back"], () => act.go(turns.back), atStart),
      button("back", phrases["replay.back"], () => act.go(state.index - 1), atStart),
      button(state.playing ? "pause" : "play", phrases[state.playing ? "replay.pause" : "replay.play"], act.toggle, { main: true }),
      button("on", phrases["replay.on"], () => act.go(state.index + 1), atEnd),
      button("turnOn", phrases["replay.turn.on"], () => act.go(turns.on), atEnd),
      button("last", phrases["replay.last"], () => act.go(last), atEnd),
    ]),
    h("div.steps-more", [
      h("p.place", [
        h("span", say(phrases, "replay.count", { at: String(state.index + 1), of: String(deal.length) })),
        turns.number
          ? h("span", ` · ${say(phrases, "replay.turn", { turn: String(turns.number) })}`)
          : null,
      ]),
      speeds(state, act, phrases),
      h("button.quiet-button.copy", {
        attrs: { type: "button", "aria-label": phrases["replay.copy"], title: phrases["replay.copy"] },
        on: { click: act.copy },
      }, [icon("link")]),
    ]),
    h("p.copied", { attrs: { role: "status" } }, deal.copied),
  ]);
}

function momentText({ kind, grade, seat, names }, ctx) {
  const { phrases } = ctx;
  if (kind === "out" && seat === null) return phrases["moment.end"];
  return say(phrases, `moment.${kind}.of`, {
    name: seatName(seat, { phrases, names: names ?? ctx.names }),
    ...(grade && { grade: phrases[`grade.${grade}`] }),
  });
}

/** The moments of a deal as buttons that lead to them. */
export function momentButtons(state, marks, act, ctx) {
  return h("div.moments", { key: "moments", attrs: { role: "group", "aria-label": ctx.phrases["moments"] } },
    marks.map((mark, at) =>
      h(
        "button.moment",
        {
          key: `${mark.kind}-${mark.index}-${at}`,
          class: { "is-here": mark.index === state.index },
          attrs: { type: "button" },
          on: { click: () => act.go(mark.index) },
        },
        [h(`span.dot.mark-${mark.kind}${mark.grade ? `.mark-${mark.grade}` : ""}`), momentText(mark, ctx)],
      ),
    ),
  );
}
