// Talk at a table: ready phrases for players, words among those who watch; each room apart, and
// anyone can be hidden. Nothing of it is an event.

import { say, seatName } from "./words.js";
import { newId } from "./commands.js";
import { h } from "./vdom.js";

export const PRESETS = ["hello", "good-luck", "thanks", "well-played", "bravo", "sorry", "one-moment", "back-again", "good-game"];
// Pictures need no translation, and screen readers name them in their own language.
export const EMOTES = { smile: "🙂", laugh: "😄", applause: "👏", surprise: "😮", think: "🤔" };
const KEPT = 40;
const HEARD = "M3 9h4l6-5v16l-6-5H3zm12.500-1.500a6 6 0 0 1 0 9v-2.400a3.500 3.500 0 0 0 0-4.200zm0-4.500a10 10 0 0 1 0 18v-2.200a8 8 0 0 0 0-13.600z";
const MUTED = "M3 9h4l6-5v16l-6-5H3zm12-.2 1.400-1.400 2.600 2.600 2.600-2.600L23 8.800 20.400 11.400 23 14l-1.400 1.400-2.600-2.600-2.600 2.600L15 14l2.600-2.600z";

const keyOf = ({ at, from, phrase, text, seat }) => [at, from, seat, phrase, text].join("|");

/**
 * @param {number|null} seat the own one; null: a spectator
 * @param {{send: (message: object) => boolean, redraw: () => void}} page
 */
export function conversation(seat, page) {
  const c = {
    lines: [],
    muted: new Set(),
    unseen: 0,
    /**
     * @param {import("./types.d.ts").Frame} frame
     * @returns {boolean} whether it was talk
     */
    onFrame(frame) {
      if (frame.t !== "talk") return false;
      // What was said is sent again after a reconnect.
      if (!c.lines.some((line) => keyOf(line) === keyOf(frame))) {
        c.lines = [...c.lines, frame].slice(-KEPT);
      }
      page.redraw();
      return true;
    },
    say: (phrase) => page.send({ t: "say", id: newId(), phrase }),
    write: (text) => page.send({ t: "say", id: newId(), text }),
    toggle(from) {
      if (c.muted.has(from)) c.muted.delete(from);
      else c.muted.add(from);
      page.redraw();
    },
  };

  const nameOf = (line, ctx) =>
    line.seat === null ? line.name || ctx.phrases["talk.watcher"] : seatName(line.seat, ctx);

  function shown(line, ctx) {
    const { phrases } = ctx;
    const name = nameOf(line, ctx);
    const muted = c.muted.has(line.from ?? "");
    return h("li.said", { key: keyOf(line), class: { "is-muted": muted, "is-own": line.seat !== null && line.seat === seat } }, [
      h("span.said-text", [
        h("b", name),
        " ",
        muted ? "…" : (line.text ?? EMOTES[line.phrase] ?? phrases[`talk.${line.phrase}`] ?? ""),
      ]),
      line.seat !== null && line.seat === seat
        ? null
        : h(
            "button.mute",
            { attrs: { type: "button", "aria-pressed": String(muted), "aria-label": say(phrases, muted ? "talk.unmute" : "talk.mute", { name }) }, on: { click: () => c.toggle(line.from ?? "") } },
            [h("svg", { attrs: { viewBox: "0 0 24 24", "aria-hidden": "true" } }, [h("path", { attrs: { d: muted ? MUTED : HEARD } })])],
          ),
    ]);
  }

  function room(lines, title, ctx, isOwnRoom) {
    const { phrases } = ctx;
    return h("div.room", { key: title }, [
      h("h3", title),
      h("ul.said-list", { attrs: { "aria-live": "polite" } }, lines.length ? lines.map((line) => shown(line, ctx)) : [h("li.empty", { key: "none" }, phrases["talk.none"])]),
      isOwnRoom ? ways(ctx) : null,
    ]);
  }

  function ways(ctx) {
    const { phrases } = ctx;
    const preset = (name, kind, text) =>
      h(`button.${kind}`, { key: name, attrs: { type: "button" }, on: { click: () => c.say(name) } }, text);
    if (seat !== null) {
      return h("div.presets", [
        ...Object.entries(EMOTES).map(([name, picture]) => preset(name, "emote", picture)),
        ...PRESETS.map((name) => preset(name, "preset", phrases[`talk.${name}`])),
      ]);
    }
    const submit = (event) => {
      event.preventDefault();
      const field = event.target.elements.text;
      if (field.value.trim() && c.write(field.value.trim())) field.value = "";
    };
    return h("form.say", { on: { submit } }, [
      h("input", { attrs: { name: "text", maxlength: "200", autocomplete: "off", "aria-label": phrases["talk.say"], placeholder: phrases["talk.say"] } }),
      h("button.act", { attrs: { type: "submit" } }, phrases["talk.send"]),
    ]);
  }

  /** Both rooms, as far as the reader hears them. */
  c.render = (view, ctx) => {
    const { phrases } = ctx;
    const of = (name) => c.lines.filter((line) => line.room === name);
    return h("details.talk", { key: "talk", attrs: { open: true } }, [
      h("summary", phrases["talk"]),
      room(of("table"), phrases["talk.table"], ctx, seat !== null),
      seat === null ? room(of("watchers"), phrases["talk.watchers"], ctx, true) : null,
    ]);
  };
  return c;
}
