// Talk at a table: ready phrases for players, words among those who watch; each room apart, and
// anyone can be hidden. Nothing of it is an event.

import { say, seatName } from "./words.js";
import { newId } from "./commands.js";
import { h } from "./vdom.js";

export const PRESETS = ["hello", "good-luck", "thanks", "well-played", "bravo", "sorry", "one-moment", "back-again", "good-game"];
// Drawn here: not every device has a picture for each of them in its letters.
const FACE = "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z";
const EYES = "M9 9.500v.01M15 9.500v.01";
export const EMOTES = {
  smile: `${FACE}${EYES}M8 14c1 1.600 2.400 2.400 4 2.400s3-.8 4-2.400`,
  laugh: `${FACE}M7.500 10 9 8.500l1.500 1.500M13.500 10 15 8.500l1.500 1.500M7.500 13h9c-.3 2.900-2.100 4.700-4.500 4.700S7.800 15.900 7.500 13z`,
  applause:
    "M9 21.500 4.500 15a1.300 1.300 0 0 1 2-1.600L8 15 5.800 10.500a1.200 1.200 0 0 1 2.100-1.100L10.500 13 9 7.500a1.200 1.200 0 0 1 2.300-.6L13 12l.3-4.500a1.200 1.200 0 0 1 2.400.1L15.500 16c-.2 2.600-1.200 4.600-2.700 5.500M18 5l1-2.500M20 8l2.500-1M14.500 4V1.500",
  surprise: `${FACE}${EYES}M12 13.300a2.200 2.200 0 1 0 0 4.400 2.200 2.200 0 0 0 0-4.400z`,
  think: `${FACE}M10 9.500v.01M16 9v.01M8 7l2.500-.8M14.500 5.800l2.500.7M9 16.200l5.500-1.200`,
};
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
    /** What was sent and not yet answered: its id, and the field that still holds it. */
    sent: null,
    /** Why the last was not said. */
    fault: null,
    /**
     * @param {import("./types.d.ts").Frame} frame
     * @returns {boolean} whether it was talk
     */
    onFrame(frame) {
      if (c.sent && "id" in frame && frame.id === c.sent.id) return answered(frame);
      if (frame.t !== "talk") return false;
      // What was said is sent again after a reconnect.
      if (!c.lines.some((line) => keyOf(line) === keyOf(frame))) {
        c.lines = [...c.lines, frame].slice(-KEPT);
      }
      page.redraw();
      return true;
    },
    say: (phrase) => issue({ phrase }),
    /** @param {HTMLInputElement} field emptied once its words are said */
    write(field) {
      const text = field.value.trim();
      if (text) issue({ text }, field);
    },
    toggle(from) {
      if (c.muted.has(from)) c.muted.delete(from);
      else c.muted.add(from);
      page.redraw();
    },
  };

  function issue(what, field = null) {
    const id = newId();
    const has = page.send({ t: "say", id, ...what });
    c.sent = has ? { id, field, text: field?.value } : null;
    c.fault = has ? null : "offline";
    page.redraw();
  }

  function answered(frame) {
    const { field, text } = c.sent;
    c.sent = null;
    c.fault = frame.t === "error" ? frame.code : null;
    if (!c.fault && field?.value === text) field.value = "";
    page.redraw();
    return true;
  }

  const emote = (name, label) =>
    h("svg.emote-picture", { attrs: { viewBox: "0 0 24 24", ...(label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" }) } }, [
      h("path", { attrs: { d: EMOTES[name] } }),
    ]);

  function words({ text, phrase }, phrases) {
    if (text) return text;
    const said = phrases[`talk.${phrase}`] ?? "";
    return EMOTES[phrase] ? emote(phrase, said) : said;
  }

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
        muted ? "…" : words(line, phrases),
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
      isOwnRoom ? h("p.talk-fault", { attrs: { role: "status" } }, c.fault ? (phrases[`refused.${c.fault}`] ?? phrases["refused.unknown"]) : "") : null,
      isOwnRoom ? ways(ctx) : null,
    ]);
  }

  function ways(ctx) {
    const { phrases } = ctx;
    const preset = (name, kind, text) =>
      h(`button.${kind}`, { key: name, attrs: { type: "button", ...(kind === "emote" && { "aria-label": phrases[`talk.${name}`], title: phrases[`talk.${name}`] }) }, on: { click: () => c.say(name) } }, text);
    if (seat !== null) {
      return h("div.presets", [
        ...Object.keys(EMOTES).map((name) => preset(name, "emote", [emote(name, "")])),
        ...PRESETS.map((name) => preset(name, "preset", phrases[`talk.${name}`])),
      ]);
    }
    const submit = (event) => {
      event.preventDefault();
      c.write(event.target.elements.text);
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
