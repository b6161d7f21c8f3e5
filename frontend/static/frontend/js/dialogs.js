// The dialogs of the player: more, help, what can I do, read the table. Pure, like `render`.
// Native modal dialogs: the browser keeps the focus inside and gives it back.

import { spokenCard } from "./cards.js";
import { hintsOf } from "./hints.js";
import { KEYS } from "./keys.js";
import { logLine } from "./render.js";
import { meldName, say, sayCount, seatName, turnLine } from "./words.js";
import { h } from "./vdom.js";

function dialog(name, title, body, ctx) {
  const { phrases, play: p } = ctx;
  return h(
    "dialog.sheet-dialog",
    {
      key: `dialog-${name}`,
      attrs: { "aria-labelledby": "dialog-title", "aria-describedby": "dialog-body" },
      hook: {
        insert: ({ elm }) => elm.showModal(),
        destroy: ({ elm }) => elm.close(),
      },
      on: {
        close: () => p.dialog === name && p.close(),
        click: ({ target, currentTarget }) => target === currentTarget && p.close(),
      },
    },
    [
      h("div.dialog-head", [
        h("h2", { attrs: { id: "dialog-title" } }, title),
        h("button.tool.tool-text", { attrs: { type: "button", "aria-label": phrases["menu.close"] }, on: { click: p.close } }, "✕"),
      ]),
      h("div.dialog-body", { attrs: { id: "dialog-body" } }, body),
    ],
  );
}

const line = (text, act, disabled = false) =>
  h("button.menu-line", { attrs: { type: "button", "aria-disabled": String(disabled) }, on: { click: () => !disabled && act() } }, text);

function menu(view, ctx) {
  const { phrases, play: p } = ctx;
  return [
    line(phrases["hints"], () => p.open("hints")),
    line(phrases["read"], () => p.open("read")),
    line(phrases["swap"], () => (p.close(), ctx.onSwap())),
    line(phrases["help"], () => p.open("help")),
    h("a.menu-line", { attrs: { href: "/another-device/" } }, phrases["device"]),
    line(phrases["ask.undo"], () => p.ask("undo"), !p.mayUndo || Boolean(view.asked)),
    view.paused
      ? line(phrases["ask.resume"], () => p.ask("resume"), Boolean(view.asked))
      : line(phrases["ask.pause"], () => p.ask("pause"), Boolean(view.asked) || view.over),
  ];
}

function help(view, ctx) {
  const { phrases } = ctx;
  return [
    h("h3", phrases["help.play"]),
    h("ol.help-list", [1, 2, 3, 4, 5].map((number) => h("li", phrases[`help.${number}`]))),
    h("h3", phrases["help.keys"]),
    h("dl.keys", KEYS.flatMap(({ key, phrase }) => [h("dt", [h("kbd", key)]), h("dd", phrases[phrase])])),
    h("ul.help-list", ["arrows", "space", "digits", "escape"].map((name) => h("li", phrases[`key.${name}`]))),
    h("p", [h("a", { attrs: { href: "/help/", target: "_blank", rel: "noopener" } }, phrases["help.more"])]),
  ];
}

function hints(view, ctx) {
  const { phrases, play: p } = ctx;
  if (!p.isTurn()) return [h("p", phrases["hints.none"])];
  if (!p.legal) return [h("p", phrases["hints.wait"])];
  const clauses = view.clauses ?? {};
  return [
    h("ul.hints", hintsOf(p.legal, view, p.side(), ctx).map((hint) => {
      const act = hint.offer ? () => p.setOut(hint.offer) : hint.act ? () => (p.close(), p[hint.act]()) : null;
      const clause = clauses[hint.code];
      return h("li", { key: JSON.stringify(hint.parts) }, [
        act
          ? h("button.menu-line", { attrs: { type: "button" }, on: { click: act } }, logLine(hint.parts, ctx))
          : h("p.hint-text", logLine(hint.parts, ctx)),
        hint.why
          ? h("p.hint-why", [hint.why, clause ? ` ${say(phrases, "refused.clause", { clause })}` : ""])
          : null,
      ]);
    })),
  ];
}

/** The table in sentences, as it is read aloud. */
export function tableInWords(view, ctx) {
  const { phrases, play: p } = ctx;
  const own = p.side();
  const speak = (cards) => cards.map((card) => spokenCard(card, phrases)).join(", ");
  const melds = (side) =>
    view.melds[side].length
      ? view.melds[side].map((meld, at) =>
          say(phrases, "read.meld", {
            number: String(at + 1),
            meld: meld.grade ? `${meldName(meld, phrases)}, ${phrases[`grade.${meld.grade}`]}` : meldName(meld, phrases),
            cards: speak(meld.cards),
          }),
        )
      : [phrases["read.melds.none"]];
  const { count, cards } = view.pile;
  const pile = !count
    ? phrases["read.pile.none"]
    : cards.length > 1
      ? say(phrases, "read.pile.open", { cards: speak(cards) })
      : say(phrases, "read.pile", { count: sayCount(phrases, "cards", count), card: speak(cards.slice(-1)) });
  const hands = view.hands.map((number, seat) => `${seatName(seat, ctx)} ${number}`).join(", ");
  const minimum = view.melds[own].length ? 0 : view.minimum[own];
  return [
    turnLine(view, ctx),
    view.hand ? say(phrases, "read.hand", { cards: speak(p.hand().map(({ name }) => name)) }) : phrases["hand.hidden"],
    pile,
    say(phrases, "read.stock", { count: sayCount(phrases, "cards", view.stock) }),
    say(phrases, "read.side.own", { points: String(view.totals[own]) }),
    ...melds(own),
    minimum ? say(phrases, "read.minimum", { points: String(minimum) }) : "",
    say(phrases, "read.side.other", { points: String(view.totals[1 - own]) }),
    ...melds(1 - own),
    say(phrases, "read.hands", { hands }),
  ].filter(Boolean);
}

const BODIES = {
  menu: ["menu", menu],
  help: ["help", help],
  hints: ["hints", hints],
  read: ["read", (view, ctx) => tableInWords(view, ctx).map((text) => h("p", text))],
};

/** The open dialog, or null. */
export function dialogs(view, ctx) {
  const { phrases, play: p } = ctx;
  if (!p.dialog) return null;
  const [title, body] = BODIES[p.dialog];
  return dialog(p.dialog, phrases[title], body(view, ctx), ctx);
}
