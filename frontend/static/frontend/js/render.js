// A view as a page: `render(view, ctx)` gives one virtual node. Pure, and told nothing but the view,
// so it cannot show what the view does not hold. What lies face down is a number, never a card.
//
// ctx: {phrases, names, sprite, log, fresh, near, onSwap, status}; in a replay `controls`, and what
// stands above the log (`extras`); at the own table also `play`, the
// player, whose taps on melds, stock and pile it takes, and `presence`.

import { isCard, shortCard, spokenCard, standsFor } from "./cards.js";
import { keyed } from "./hand.js";
import { openHands } from "./openhands.js";
import { picture } from "./pictures.js";
import { awayWord, clockPart, connectionText, presencePart } from "./presence.js";
import { sideOf } from "./reduce.js";
import { meldName, say, sayCount, seatName, sideName, turnLine } from "./words.js";
import { h } from "./vdom.js";

const signed = (points) => String(points).replace("-", "−");

/**
 * @param {string} name
 * @param {object} ctx
 * @param {{key?: string, label?: string, classes?: Record<string, boolean>}} [how]
 */
function card(name, ctx, { key, label, classes = {} } = {}) {
  if (!isCard(name)) throw new Error(`not a card: ${name}`);
  return h(
    "span.card",
    { key, class: classes, attrs: { role: "img", "aria-label": label ?? spokenCard(name, ctx.phrases) } },
    [picture(name, ctx)],
  );
}

/**
 * What can be tapped at the own table: a button over what it stands for.
 * @param {string} label
 * @param {() => void} act
 * @param {{lit?: boolean, focus: string, drop?: string}} how
 */
function target(label, act, { lit = false, focus, drop }) {
  return h("button.target", {
    key: "target",
    class: { "is-lit": lit },
    attrs: { type: "button", "aria-label": label, "data-focus": focus, "data-drop": drop },
    on: { click: act },
  });
}

// A meld that looks as before is the same node, which the renderer passes over: late in a game most
// of the table stays as it is, and a tap must not cost the drawing of sixty cards.
const drawn = new WeakMap();

function meld(laid, number, side, ctx) {
  const { play } = ctx;
  const fresh = ctx.fresh?.side === side ? [...(ctx.fresh.melds[number] ?? [])] : [];
  const isOwn = Boolean(play && play.side() === side && play.isTurn());
  const isLit = isOwn && ctx.targets.melds.has(number);
  const look = [number, side, isOwn, isLit, ...fresh].join();
  const before = drawn.get(laid);
  if (before?.look === look && before.ctx === ctx) return before.node;
  const node = drawnMeld(laid, number, side, fresh, { isOwn, isLit }, ctx);
  drawn.set(laid, { look, ctx, node });
  return node;
}

function drawnMeld(laid, number, side, fresh, { isOwn, isLit }, ctx) {
  const { phrases, play } = ctx;
  const stands = standsFor(laid);
  const column = keyed(laid.cards).map(({ name, key }, index) => {
    const wild = index === laid.wild;
    const at = fresh.indexOf(name);
    if (at >= 0) fresh.splice(at, 1);
    const label =
      wild && stands
        ? say(phrases, "card.wild", {
            card: spokenCard(name, phrases),
            stands: spokenCard(stands, phrases),
          })
        : undefined;
    return card(name, ctx, { key, label, classes: { "is-wild": wild, "is-fresh": at >= 0 } });
  });
  // Columns run from high to low, with a wild at an end of a set at the bottom (S0-36).
  if (!laid.set) column.reverse();
  const size = laid.cards.length;
  const parts = [meldName(laid, phrases), sayCount(phrases, "cards", size)];
  if (laid.grade) parts.push(phrases[`grade.${laid.grade}`]);
  return h(
    "div.meld",
    {
      key: `meld-${number}`,
      class: { "is-canasta": Boolean(laid.grade) },
      attrs: { role: "group", "aria-label": parts.join(", ") },
    },
    [
      h("div.column", column),
      laid.grade
        ? h(`p.grade.grade-${laid.grade}`, { attrs: { "aria-hidden": "true" } }, [
            h("b", String(size)),
            h("span", phrases[`grade.short.${laid.grade}`]),
          ])
        : null,
      isOwn
        ? target(say(phrases, "target.meld", { meld: parts.join(", ") }), () => play.toMeld(number), {
            lit: isLit,
            focus: `meld-${number}`,
            drop: `meld-${number}`,
          })
        : null,
    ],
  );
}

function seat(number, view, ctx) {
  const { phrases } = ctx;
  const isTurn = number === view.turn && !view.ended && !view.over && view.deal > 0;
  return h(
    "div.seat",
    {
      key: `seat-${number}`,
      class: { "is-turn": isTurn },
      attrs: { "data-move": `seat-${number}`, ...(isTurn && { "aria-current": "true" }) },
    },
    [
      presencePart(number, view, ctx),
      h("span.seat-name", seatName(number, ctx)),
      h("span.held", [
        picture(`back${sideOf(view, number) + 1}`, ctx, "svg.mini-back"),
        h("span.count", { attrs: { "aria-hidden": "true" } }, String(view.hands[number])),
        h("span.unseen", sayCount(phrases, "cards", view.hands[number])),
      ]),
      view.waiting[number] ? h("span.tag", phrases["reserve.waiting"]) : null,
      awayWord(number, view, ctx) ?? (isTurn ? h("span.turn-word", phrases[`turn.word.${view.step}`]) : null),
      clockPart(number, ctx),
    ],
  );
}

function side(number, view, ctx, where) {
  const { phrases } = ctx;
  const seats = view.hands.map((_, at) => at).filter((at) => sideOf(view, at) === number);
  const melds = view.melds[number];
  const name = sideName(view, number, ctx);
  const minimum = view.minimum[number];
  return h(
    `section.side.side-${where}`,
    { key: `side-${number}`, attrs: { "aria-label": name } },
    [
      h("div.side-head", [
        h("div.seats", seats.map((each) => seat(each, view, ctx))),
        h("p.score", [
          h("span", phrases["score"]),
          " ",
          h("b", signed(view.totals[number])),
        ]),
      ]),
      h("div.side-notes", [
        view.taken[number] ? h("span.tag", phrases["reserve.taken"]) : null,
        minimum && melds.length === 0
          ? h("span.tag", say(phrases, "minimum", { points: String(minimum) }))
          : null,
      ]),
      h(
        "div.melds",
        melds.length
          ? melds.map((laid, at) => meld(laid, at, number, ctx))
          : [h("p.empty", { key: "none" }, view.deal > 0 ? phrases["melds.none"] : "")],
      ),
      view.all_hands ? openHands(seats, view, ctx) : null,
    ],
  );
}

function heap(kind, number, name, picturePart, button = null) {
  return h(`div.heap.heap-${kind}`, { key: kind }, [
    h(
      "div.heap-picture",
      { class: { "is-empty": number === 0 }, attrs: { "data-move": kind } },
      [number ? picturePart : null, button],
    ),
    h("p.heap-label", [
      h("b", String(number)),
      " ",
      h("span", name),
    ]),
  ]);
}

function stockTarget(ctx) {
  const { play, phrases } = ctx;
  if (!play?.isDrawing()) return null;
  return target(phrases["act.draw"], play.draw, { lit: Boolean(play.legal?.draw), focus: "stock" });
}

function pileTarget(view, ctx) {
  const { play, phrases, targets } = ctx;
  if (!play?.isTurn()) return null;
  const draws = play.isDrawing();
  const takes = play.isClosed() ? Boolean(play.legal?.using.length) : Boolean(play.legal?.take);
  return target(phrases[draws ? "target.take" : "target.discard"], play.toPile, {
    lit: draws ? takes : targets.discard,
    focus: "pile",
    drop: "pile",
  });
}

function pile(view, ctx) {
  const { phrases } = ctx;
  const { cards, count } = view.pile;
  const shown = keyed(cards);
  const top = shown.at(-1);
  const below = shown.slice(0, -1);
  return h("div.pile", { key: "pile", attrs: { role: "group", "aria-label": `${phrases["pile"]}: ${sayCount(phrases, "cards", count)}` } }, [
    h("div.heap.heap-top", [
      h("div.heap-picture", { class: { "is-empty": !top }, attrs: { "data-move": "pile" } }, [
        top
          ? card(top.name, ctx, {
              key: top.key,
              label: say(phrases, "pile.top", { card: spokenCard(top.name, phrases) }),
              classes: { "is-fresh": Boolean(ctx.fresh?.pile) },
            })
          : null,
        pileTarget(view, ctx),
      ]),
      h("p.heap-label", [h("b", String(count)), " ", h("span", phrases["pile"])]),
    ]),
    below.length
      ? h("div.pile-below", below.map(({ name, key }) => card(name, ctx, { key })))
      : null,
  ]);
}

function middle(view, ctx) {
  const { phrases } = ctx;
  return h("section.middle", { key: "middle", attrs: { "aria-label": phrases["middle"] } }, [
    h("div.heaps", [
      heap("stock", view.stock, phrases["stock"], picture("back1", ctx), stockTarget(ctx)),
      heap(
        "reserves",
        view.reserves,
        phrases[view.reserves === 1 ? "reserves.one" : "reserves.other"],
        picture("back2", ctx),
      ),
    ]),
    pile(view, ctx),
  ]);
}

function sheet(view, ctx) {
  const { phrases } = ctx;
  const [ended, sheets] = [view.ended, view.sheets ?? []];
  const order = ["melds", "clean", "semi", "dirty", "run13", "run14", "closing", "reserve", "hand"];
  const codes = order.filter((code) => sheets.some(({ lines }) => lines.some((l) => l.code === code)));
  const cell = (table, code) => table.lines.find((line) => line.code === code)?.points;
  const number = (points) => h("td", points === undefined ? "–" : signed(points));
  return h("section.sheet", { key: "sheet", attrs: { "aria-label": phrases["sheet"] } }, [
    h("h2", say(phrases, `sheet.ended.${ended.reason}`, {
      name: ended.seat === null || ended.seat === undefined ? "" : seatName(ended.seat, ctx),
    })),
    sheets.length
      ? h("table", [
          h("thead", [
            h("tr", [
              h("td"),
              ...sheets.map((_, at) => h("th", { attrs: { scope: "col" } }, sideName(view, at, ctx))),
            ]),
          ]),
          h("tbody", codes.map((code) =>
            h("tr", { key: code }, [
              h("th", { attrs: { scope: "row" } }, phrases[`line.${code}`]),
              ...sheets.map((table) => number(cell(table, code))),
            ]),
          )),
          h("tfoot", [
            h("tr", [
              h("th", { attrs: { scope: "row" } }, phrases["sheet.total"]),
              ...sheets.map(({ total }) => number(total)),
            ]),
            h("tr.match-total", [
              h("th", { attrs: { scope: "row" } }, phrases["sheet.match"]),
              ...view.totals.map(number),
            ]),
          ]),
        ])
      : null,
  ]);
}

function hand(view, ctx) {
  if (!view.hand) return null;
  return h("section.hand", { key: "hand", attrs: { "aria-label": ctx.phrases["hand"] } }, [
    h("div.row", keyed(view.hand).map(({ name, key }) => card(name, ctx, { key }))),
  ]);
}

/** One sentence of the log: its cards are drawn small and spoken in full. */
export function logLine(parts, ctx) {
  return parts.map((part) => {
    if (!part.card) return part;
    const suit = part.card === "JK" ? "joker" : part.card[1].toLowerCase();
    return h(
      `span.word-card.ink-${suit}`,
      { attrs: { role: "img", "aria-label": spokenCard(part.card, ctx.phrases) } },
      shortCard(part.card, ctx.phrases),
    );
  });
}

function panel(view, ctx) {
  const { phrases } = ctx;
  return h("aside.panel", { key: "panel", attrs: { "aria-label": phrases["log"] } }, [
    ...(ctx.extras ?? []),
    h("h2.panel-title", phrases["log"]),
    h(
      "div.log",
      {
        attrs: {
          role: "log",
          // In a replay the slider already speaks the move; two voices would talk over each other.
          "aria-live": ctx.quiet ? "off" : "polite",
          "aria-label": phrases["log"],
          tabindex: "0",
        },
      },
      [h("ol", ctx.log.map(({ key, parts }) => h("li", { key }, logLine(parts, ctx))))],
    ),
    ctx.talk?.(view, ctx) ?? null,
  ]);
}

function swapButton({ phrases, onSwap }) {
  return h("button.quiet-button", { key: "swap", attrs: { type: "button" }, on: { click: onSwap } }, [
    h("svg", { attrs: { viewBox: "0 0 24 24", "aria-hidden": "true" } }, [
      h("path", { attrs: { d: "M7 4 2.5 9h3.3v10h2.4V9h3.3zM17 20l4.5-5h-3.3V5h-2.4v10h-3.3z" } }),
    ]),
    h("span", phrases["swap"]),
  ]);
}

/**
 * The whole table.
 * @param {object} view what the reader may see
 * @param {object} ctx words, names, the sprite's address and what is only of this page
 */
export function render(view, ctx) {
  const { phrases } = ctx;
  const near = ctx.near ?? 0;
  return h("div.game", { key: "game", class: { "is-ended": Boolean(view.ended), "is-own": Boolean(ctx.play) } }, [
    h("div.status", { key: "status" }, [
      // At the own place the dock says whose turn it is, and speaks of the line.
      ctx.play ? null : h("p.turn-line", { key: "turn" }, turnLine(view, ctx)),
      h("p.deal-line", view.deal && !view.ended ? say(phrases, "deal", { deal: String(view.deal) }) : ""),
      ctx.connection && (!ctx.play || ctx.connection === "open")
        ? h(`p.connection.is-${ctx.connection}`, { key: "line", attrs: ctx.play ? {} : { role: "status" } }, connectionText(ctx))
        : null,
      ctx.presence?.watchers
        ? h("p.watchers", { key: "watchers" }, sayCount(phrases, "watchers", ctx.presence.watchers))
        : null,
      // A player has it in the menu: the table's room is for cards.
      ctx.play ? null : swapButton(ctx),
    ]),
    h("div.board", { key: "board" }, [
      side(1 - near, view, ctx, "far"),
      view.ended ? sheet(view, ctx) : middle(view, ctx),
      side(near, view, ctx, "near"),
      ctx.play ? null : hand(view, ctx),
    ]),
    ctx.controls ?? null,
    ctx.dock?.(view, ctx) ?? null,
    panel(view, ctx),
    ctx.dialogs?.(view, ctx) ?? null,
  ]);
}
