// The bar under a replay: first, back, play, on, last; a slider with marks; speed. Pure, like `render`.

import { SPEEDS } from "./replay.js";
import { say } from "./words.js";
import { h } from "./vdom.js";

const ICONS = {
  first: "M5 4h2.5v16H5zM20 4v16L8.5 12z",
  back: "M17 4v16L6 12z",
  play: "M7 4v16l12-8z",
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  on: "M7 4v16l11-8z",
  last: "M16.5 4H19v16h-2.5zM4 4v16l11.5-8z",
};

function button(icon, label, onClick, { disabled = false, main = false } = {}) {
  return h(
    "button.step",
    {
      class: { "is-main": main },
      // Not `disabled`: a button that loses its use under the finger must not lose the focus.
      attrs: { type: "button", "aria-label": label, title: label, "aria-disabled": String(disabled) },
      on: { click: onClick },
    },
    [h("svg", { attrs: { viewBox: "0 0 24 24", "aria-hidden": "true" } }, [h("path", { attrs: { d: ICONS[icon] } })])],
  );
}

/**
 * @param {object} state {index, playing, speed} of the stepper
 * @param {object} deal {length, marks, spoken} how many events, the moments, the current move in words
 * @param {object} act {go, toggle, setSpeed}
 */
export function controls(state, deal, act, { phrases }) {
  const last = deal.length - 1;
  return h("div.controls", { key: "controls", attrs: { role: "group", "aria-label": phrases["replay.controls"] } }, [
    h("div.track", [
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
      h("div.marks", { attrs: { "aria-hidden": "true" } }, deal.marks.map(({ index, kind }) =>
        h(`span.mark.mark-${kind}`, {
          key: `${kind}-${index}`,
          // The place is data, so it is set through the object model: the policy allows no style attribute.
          hook: { insert: ({ elm }) => elm.style.setProperty("left", `${(100 * index) / Math.max(1, last)}%`) },
        }),
      )),
    ]),
    h("div.steps", [
      button("first", phrases["replay.first"], () => act.go(0), { disabled: state.index === 0 }),
      button("back", phrases["replay.back"], () => act.go(state.index - 1), { disabled: state.index === 0 }),
      button(state.playing ? "pause" : "play", phrases[state.playing ? "replay.pause" : "replay.play"], act.toggle, { main: true }),
      button("on", phrases["replay.on"], () => act.go(state.index + 1), { disabled: state.index === last }),
      button("last", phrases["replay.last"], () => act.go(last), { disabled: state.index === last }),
      h("label.speed", [
        h("span.unseen", phrases["replay.speed"]),
        h(
          "select",
          { on: { change: (event) => act.setSpeed(Number(event.target.value)) } },
          SPEEDS.map((speed) =>
            h(
              "option",
              { attrs: { value: String(speed) }, props: { selected: speed === state.speed } },
              `${speed}×`,
            ),
          ),
        ),
      ]),
    ]),
    h("p.place", say(phrases, "replay.count", { at: String(state.index + 1), of: String(deal.length) })),
  ]);
}

/** The moments of a deal as buttons that lead to them. */
export function momentButtons(state, marks, act, { phrases }) {
  return h("div.moments", { key: "moments", attrs: { role: "group", "aria-label": phrases["moments"] } },
    marks.map(({ index, kind }) =>
      h(
        "button.moment",
        {
          key: `${kind}-${index}`,
          class: { "is-here": index === state.index },
          attrs: { type: "button" },
          on: { click: () => act.go(index) },
        },
        [h(`span.dot.mark-${kind}`), phrases[`moment.${kind}`]],
      ),
    ),
  );
}
