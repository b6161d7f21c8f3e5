// The player's part of the page: notices, what is set out, the own hand, the buttons. Pure, like
// `render`: it draws what `player` holds, and hands taps back to it.

import { shortCard, spokenCard, standsFor } from "./cards.js";
import { ORDERS } from "./hand.js";
import { picture } from "./pictures.js";
import { clockPart, connectionText, takeover } from "./presence.js";
import { isChosen } from "./stage.js";
import { meldName, say, sayCount, seatName, turnLine } from "./words.js";
import { h } from "./vdom.js";

/**
 * A button of the dock; `off` ones keep the focus and say that they are off.
 * @param {any} label
 * @param {() => void} act
 * @param {{main?: boolean, lit?: boolean, off?: boolean, busy?: boolean, focus?: string, key?: string, hint?: string}} [how]
 */
function button(label, act, { main = false, lit = false, off = false, busy = false, focus, key, hint } = {}) {
  return h(
    "button.act",
    {
      key,
      class: { "is-main": main, "is-lit": lit, "is-pending": busy },
      attrs: {
        type: "button",
        "aria-disabled": String(off),
        "aria-busy": String(busy),
        ...(focus && { "data-focus": focus }),
        ...(hint && { "aria-keyshortcuts": hint }),
      },
      on: { click: () => !off && act() },
    },
    label,
  );
}

function iconButton(path, label, act, focus, shortcut) {
  return h(
    "button.tool",
    {
      attrs: { type: "button", "aria-label": label, title: label, "data-focus": focus, "aria-keyshortcuts": shortcut },
      on: { click: act },
    },
    [h("svg", { attrs: { viewBox: "0 0 24 24", "aria-hidden": "true" } }, [h("path", { attrs: { d: path } })])],
  );
}

const ICONS = {
  sort: "M3 6h12v2H3zm0 5h9v2H3zm0 5h6v2H3zm14-9 4 5h-3v6h-2v-6h-3z",
  hints:
    "M12 2a7 7 0 0 0-4 12.7V17h8v-2.3A7 7 0 0 0 12 2zm-1 11V9.5L9.5 8 11 6.8l1 1 1-1L14.5 8 13 9.5V13zM8.500 18.500h7V20h-7zm1.500 2.500h4V22h-4z",
  menu: "M5 10a2 2 0 1 0 0 4 2 2 0 0 0 0-4zm7 0a2 2 0 1 0 0 4 2 2 0 0 0 0-4zm7 0a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
};

// Notices ------------------------------------------------------------------------------------------

// They are seen; what is heard of them stands in the log, or in `spoken`.
function notice(kind, parts, attrs = {}) {
  return h(`div.note.note-${kind}`, { key: kind, attrs }, parts);
}

const NO_WAY_BACK = new Set(["outdated", "gone"]);

/** What a screen reader hears of what the log does not tell; one element, whose text changes. */
function spoken(view, ctx) {
  const { phrases, connection, hint } = ctx;
  const threat = takeover(ctx);
  return [
    connection === "open" ? "" : connectionText(ctx),
    hint ?? "",
    threat ? say(phrases, "takeover.soon", { name: seatName(threat.seat, ctx) }) : "",
  ].filter(Boolean).join(" ");
}

function faultText({ code, clause }, phrases) {
  const text = phrases[`refused.${code}`] ?? phrases["refused.unknown"];
  return [h("span", text), clause ? h("span.clause", ` ${say(phrases, "refused.clause", { clause })}`) : null];
}

function confirmation(p, phrases) {
  const { what, move } = p.confirm;
  const values = move.card ? { card: spokenCard(move.card, phrases) } : {};
  const question = what === "out" ? phrases["confirm.out"] : say(phrases, "confirm.discard", values);
  return h("div.note.note-confirm", { key: "confirm", attrs: { role: "alertdialog", "aria-label": question } }, [
    h("span.note-text", question),
    h("div.note-buttons", [
      h(
        "button.act.is-main",
        {
          attrs: { type: "button", "data-focus": "yes" },
          on: { click: p.yes },
          hook: { insert: ({ elm }) => elm.focus({ preventScroll: true }) },
        },
        phrases[what === "out" ? "confirm.out.yes" : "confirm.yes"],
      ),
      button(phrases["confirm.no"], p.no, { focus: "no" }),
    ]),
  ]);
}

function notices(view, ctx) {
  const { phrases, play: p } = ctx;
  const found = [];
  // Who taps in vain is told of the line by that.
  if (ctx.connection !== "open" && p.desk.fault?.code !== "offline") {
    const isBack = ctx.connection === "back";
    const isOver = NO_WAY_BACK.has(ctx.connection);
    found.push(
      notice(isBack ? "back" : "line", [
        h("span.note-text", [connectionText(ctx), p.desk.pending && !isBack && !isOver ? ` ${phrases["pending.kept"]}` : ""]),
        isOver ? button(phrases["reload"], () => location.reload(), { main: true, focus: "reload" }) : null,
      ]),
    );
  }
  const threat = takeover(ctx);
  if (threat && threat.seat !== p.seat) {
    found.push(notice("away", [say(phrases, "takeover.in", { name: seatName(threat.seat, ctx), seconds: String(threat.seconds) })]));
  }
  if (p.botPlays() && !view.over) {
    found.push(
      notice("bot", [
        h("span.note-text", phrases["bot.plays"]),
        button(phrases["bot.back"], p.back, { main: true, focus: "back", busy: Boolean(p.desk.pending) }),
      ]),
    );
  }
  if (view.asked) {
    const { seat, what } = view.asked;
    const text =
      seat === p.seat ? phrases[`own.asked.${what}`] : say(phrases, `log.asked.${what}`, { name: seatName(seat, ctx) });
    found.push(
      p.mustAnswer()
        ? notice("asked", [
            h("span.note-text", text),
            h("div.note-buttons", [
              button(phrases["answer.yes"], () => p.answer(true), { main: true, focus: "grant" }),
              button(phrases["answer.no"], () => p.answer(false), { focus: "deny" }),
            ]),
          ])
        : notice("asked", [h("span.note-text", [text, " ", phrases["answer.waiting"]])]),
    );
  }
  if (view.paused && !view.over && !view.asked) {
    found.push(
      notice("paused", [
        h("span.note-text", phrases["log.paused"]),
        button(phrases["ask.resume"], () => p.ask("resume"), { main: true, focus: "resume" }),
      ]),
    );
  }
  if (p.confirm) found.push(confirmation(p, phrases));
  if (p.desk.fault) found.push(notice("fault", faultText(p.desk.fault, phrases), { role: "alert" }));
  else if (ctx.hint) found.push(notice("hint", [ctx.hint]));
  return h("div.notes", { key: "notes" }, found);
}

// What is set out ----------------------------------------------------------------------------------

/**
 * @param {string} name
 * @param {object} ctx
 * @param {{key?: string, wild?: boolean, label?: string}} [how]
 */
const smallCard = (name, ctx, { key, wild = false, label } = {}) =>
  h(
    "span.card",
    { key, class: { "is-wild": wild }, attrs: { role: "img", "aria-label": label ?? spokenCard(name, ctx.phrases) } },
    [picture(name, ctx)],
  );

/** "joker as nine of hearts", for the wild of a layout. */
function wildLabel(meld, ctx) {
  const stands = standsFor(meld);
  if (!stands) return undefined;
  return say(ctx.phrases, "card.wild", {
    card: spokenCard(meld.cards[meld.wild], ctx.phrases),
    stands: spokenCard(stands, ctx.phrases),
  });
}

function meldRow(meld, ctx) {
  const label = wildLabel(meld, ctx);
  return h("div.meld-row", meld.cards.map((name, at) =>
    smallCard(name, ctx, { key: String(at), wild: at === meld.wild, label: at === meld.wild ? label : undefined }),
  ));
}

const asMeld = ({ result, set, wild, grade }) => ({ cards: result, set, wild, grade });

function facts(laid, ctx) {
  const { phrases } = ctx;
  const meld = asMeld(laid);
  return [
    meldName(meld, phrases),
    say(phrases, "stage.worth", { points: String(laid.worth) }),
    laid.grade ? phrases[`grade.${laid.grade}`] : phrases[laid.wild === null ? "stage.clean" : "stage.wild"],
  ].join(" · ");
}

function stagedItem(placement, at, ctx) {
  const { phrases, play: p } = ctx;
  const laid = p.trial?.laid[at];
  const choices = p.choices(at);
  const goal = placement.onto === undefined ? "stage.new" : "stage.onto";
  return h("li.staged", { key: `${at}-${placement.cards.join()}` }, [
    h("div.staged-head", [
      h("span.staged-facts", laid ? facts(laid, ctx) : phrases[goal]),
      h(
        "button.tool.tool-text",
        { attrs: { type: "button", "aria-label": phrases["stage.remove"], title: phrases["stage.remove"], "data-focus": `unstage-${at}` }, on: { click: () => p.unstage(at) } },
        "✕",
      ),
    ]),
    laid ? meldRow(asMeld(laid), ctx) : meldRow({ cards: placement.cards, set: true, wild: null }, ctx),
    p.selected.size
      ? button(phrases["stage.grow"], () => p.toStaged(at), { focus: `grow-${at}`, lit: true })
      : null,
    choices.length > 1
      ? h("div.choices-row", { attrs: { role: "group", "aria-label": phrases["stage.choice"] } }, [
          h("span.unseen", phrases["stage.choice"]),
          ...choices.map((choice, index) => {
            const meld = asMeld(choice);
            return h(
              "button.choice",
              {
                key: choice.result.join(),
                attrs: {
                  type: "button",
                  "aria-pressed": String(isChosen(placement, choice)),
                  "aria-label": wildLabel(meld, ctx) ?? meldName(meld, phrases),
                  "data-focus": `choice-${at}-${index}`,
                },
                on: { click: () => p.choose(at, choice) },
              },
              meld.cards.map((name) => shortCard(name, phrases)).join(" "),
            );
          }),
        ])
      : null,
  ]);
}

function stageArea(view, ctx) {
  const { phrases, play: p } = ctx;
  if (!p.staged.length) return null;
  const { trial } = p;
  const minimum = trial?.minimum ?? 0;
  const isOpening = minimum > 0 && view.melds[p.side()].length === 0;
  const busy = p.desk.pending?.message.move?.move === "meld" || Boolean(p.desk.pending?.message.move?.using);
  const total = trial
    ? say(phrases, isOpening ? "stage.opening" : "stage.total", {
        points: String(trial.worth),
        minimum: String(minimum),
      })
    : phrases["stage.asking"];
  const isSaid = trial?.ok && p.staged.length === 1 && !isOpening;
  return h("section.stage", { key: "stage", attrs: { "aria-label": phrases["stage"] } }, [
    h("ul", p.staged.map((placement, at) => stagedItem(placement, at, ctx))),
    h("div.stage-foot", [
      h("p.stage-total", { class: { unseen: isSaid, "is-short": isOpening && trial.worth < minimum }, attrs: { role: "status" } }, total),
      trial && !trial.ok ? h("p.stage-fault", faultText(trial, phrases)) : null,
      h("div.note-buttons", [
        button(phrases[p.isDrawing() ? "act.take_with" : "act.lay"], p.layDown, {
          main: true,
          lit: Boolean(trial?.ok),
          busy,
          focus: "lay",
          hint: "l",
        }),
        button(phrases["act.clear"], p.clear, { focus: "clear", hint: "z" }),
      ]),
    ]),
  ]);
}

// The hand -----------------------------------------------------------------------------------------

function handCard({ name, key }, index, isNew, ctx) {
  const { play: p, phrases } = ctx;
  const isSelected = p.selected.has(key);
  const canGrow = p.selected.size > 0 || Boolean(p.top());
  const label = isNew ? say(phrases, "hand.new", { card: spokenCard(name, phrases) }) : spokenCard(name, phrases);
  return h(
    "button.card.hand-card",
    {
      key,
      class: { "is-selected": isSelected, "is-new": isNew, "is-useful": canGrow && ctx.targets.grow.has(name) },
      attrs: {
        type: "button",
        "aria-pressed": String(isSelected),
        "aria-label": label,
        tabindex: key === p.active ? "0" : "-1",
        "data-focus": `card-${key}`,
        "data-card": key,
        "data-move": `hand-${key}`,
      },
      on: { click: () => !ctx.dragged && p.toggle(key), focus: () => (p.active = key) },
    },
    [picture(name, ctx)],
  );
}

function hand(view, ctx) {
  const { phrases, play: p } = ctx;
  const cards = p.hand();
  const news = [...p.arrived];
  // Of equal cards the last one counts as the one that came.
  const isNew = new Array(cards.length).fill(false);
  for (let at = cards.length - 1; at >= 0; at -= 1) {
    const found = news.indexOf(cards[at].name);
    if (found < 0) continue;
    news.splice(found, 1);
    isNew[at] = true;
  }
  return h(
    "div.hand-row",
    {
      key: "hand",
      class: { "is-idle": !p.isTurn() },
      attrs: { role: "toolbar", "aria-label": `${phrases["hand"]}: ${sayCount(phrases, "cards", view.hands[p.seat])}` },
    },
    view.hand
      ? cards.map((card, index) => handCard(card, index, isNew[index], ctx))
      : [h("p.hand-hidden", { key: "hidden" }, phrases[view.hidden_own || view.waiting[p.seat] ? "hand.hidden" : "hand.none"])],
  );
}

// The buttons --------------------------------------------------------------------------------------

function actions(view, ctx) {
  const { phrases, play: p, targets } = ctx;
  const sent = p.desk.pending?.message;
  const doing = (move) => sent?.move?.move === move;
  if (view.over) {
    return [h("a.act.is-main", { key: "replay", attrs: { href: "replay/", "data-focus": "replay" } }, phrases["act.replay"])];
  }
  if (view.ended) {
    return [button(phrases["act.next"], p.next, { key: "next", main: true, lit: true, busy: sent?.t === "next", focus: "next", hint: "n" })];
  }
  if (p.isDrawing()) {
    const canTake = p.isClosed() ? Boolean(p.legal?.using.length) : Boolean(p.legal?.take);
    const top = view.pile.cards.at(-1);
    const takes = top
      ? sayCount(phrases, "act.take", view.pile.count, { card: shortCard(top, phrases) })
      : phrases["act.take.none"];
    return [
      button(phrases["act.draw"], p.draw, { key: "draw", main: true, lit: Boolean(p.legal?.draw), busy: doing("draw"), focus: "draw", hint: "d" }),
      button(takes, p.toPile, { key: "take", lit: canTake, off: Boolean(p.legal) && !canTake, busy: doing("take"), focus: "take", hint: "t" }),
    ];
  }
  return [
    button(phrases["act.new"], p.toNew, { key: "new", main: targets.fresh, lit: targets.fresh, off: !p.isTurn() || !p.selected.size, focus: "new", hint: "m" }),
    button(phrases["act.discard"], p.discard, { key: "discard", lit: targets.discard, off: !p.isTurn() || p.selected.size !== 1, busy: doing("discard"), focus: "discard", hint: "x" }),
    p.isTurn() && p.legal?.reject
      ? button(phrases["act.reject"], p.reject, { key: "reject", busy: doing("reject"), focus: "reject", hint: "j" })
      : null,
  ];
}

function instruction(view, ctx) {
  const { phrases, play: p } = ctx;
  if (p.desk.pending) return phrases["pending"];
  if (p.isDrawing()) return phrases["own.draw"];
  if (p.isPlaying()) return phrases["own.play"];
  return turnLine(view, ctx);
}

/** The whole dock; of a seat that is lost, or a page that cannot go on, only what to do now. */
export function dock(view, ctx) {
  const { phrases, play: p } = ctx;
  const look = { key: "dock", class: { "is-turn": p.isTurn(), "is-pending": Boolean(p.desk.pending) }, attrs: { "aria-label": phrases["own"] } };
  const told = [
    h("p.unseen", { key: "spoken", attrs: { role: "status" } }, spoken(view, ctx)),
    notices(view, ctx),
  ];
  if (NO_WAY_BACK.has(ctx.connection)) return h("section.dock", look, told);
  return h("section.dock", look, [
    ...told,
    stageArea(view, ctx),
    h("div.dock-head", { key: "head" }, [
      h("div.dock-say", [
        h("p.instruction", { attrs: { role: "status" } }, instruction(view, ctx)),
        clockPart(null, ctx),
      ]),
      h("div.tools", [
        iconButton(ICONS.sort, `${phrases["act.sort"]}: ${phrases[`sort.${ORDERS[(ORDERS.indexOf(p.order) + 1) % 3]}`]}`, () => p.sort(), "sort", "s"),
        iconButton(ICONS.hints, phrases["hints"], () => p.open("hints"), "hints", "h"),
        iconButton(ICONS.menu, phrases["menu"], () => p.open("menu"), "menu", "?"),
      ]),
    ]),
    hand(view, ctx),
    h("div.actions", { key: "actions" }, actions(view, ctx)),
  ]);
}
