// The wall of live tables: rows from the feed, merged, filtered and drawn small. Pure.

import { shortCard, spokenCard } from "./cards.js";
import { picture } from "./pictures.js";
import { say, sayCount } from "./words.js";
import { h } from "./vdom.js";

const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const SIDES = 2;

/** The rows by table after an answer of the feed, in its order; tables that are gone are gone. */
export function merged(rows, { order, tables }) {
  const fresh = new Map(tables.map((row) => [row.id, row]));
  return new Map(
    order.filter((id) => fresh.has(id) || rows.has(id)).map((id) => [id, fresh.get(id) ?? rows.get(id)]),
  );
}

/** A wall with one table's newer row in its place. */
export const withRow = (rows, row) => new Map(rows).set(row.id, row);

/** A text without accents and capitals, to be searched in. */
const plain = (text) => text.normalize("NFD").replace(/\p{Mark}/gu, "").toLowerCase();

/** Whether all words of a search are in the names, club, rules or number of a table. */
export function matches(row, search) {
  const text = plain([...row.names, row.club, row.profile, row.label].join(" "));
  return plain(search).split(/[\s&]+/).every((word) => text.includes(word));
}

export function playerName(row, seat, phrases) {
  const name = row.names[seat];
  if (name && name !== "bot:") return name;
  return say(phrases, name ? "seat.bot" : "seat.unnamed", { number: String(seat + 1) });
}

const seatsOf = (row, side) =>
  row.names.map((_, seat) => seat).filter((seat) => seat % SIDES === side);

/** The melds of a side that are new or longer than in the row before, by their number. */
export function grown(row, before, side) {
  if (!before || before.deal !== row.deal) return new Set();
  const old = before.melds[side];
  return new Set(row.melds[side].flatMap(([, size], at) => (size > (old[at]?.[1] ?? 0) ? [at] : [])));
}

function mini([what, size, grade], at, isFresh) {
  const suit = SUITS[what];
  const text = suit ?? (what === "T" ? "10" : what);
  return h(
    `span.mini.mini-${Math.min(size, 14)}${suit ? `.ink-${what.toLowerCase()}` : ""}${grade ? `.grade-${grade}` : ""}`,
    { key: `${at}`, class: { "is-fresh": isFresh } },
    [h("b", text), h("i", String(size))],
  );
}

function side(row, number, before, ctx) {
  const { phrases } = ctx;
  const melds = row.melds[number];
  const seats = seatsOf(row, number);
  const fresh = grown(row, before, number);
  const names = seats.map((seat) => playerName(row, seat, phrases)).join(" & ");
  const canastas = melds.filter(([, , grade]) => grade).length;
  return h("div.wall-half", { key: `side-${number}` }, [
    h("p.wall-side", [
      h("span.wall-names", seats.flatMap((seat, at) => [
        at ? "\u00a0& " : "",
        h("span", { class: { "is-turn": seat === row.turn } }, playerName(row, seat, phrases)),
      ])),
      h("button.follow", {
        attrs: { type: "button", "aria-label": say(phrases, "wall.follow", { names }), title: say(phrases, "wall.follow", { names }) },
        on: { click: () => ctx.follow(names) },
      }, [h("svg", { attrs: { viewBox: "0 0 24 24", "aria-hidden": "true" } }, [
        h("path", { attrs: { d: "M12 5C6.5 5 2.7 9.5 1.5 12c1.2 2.5 5 7 10.5 7s9.3-4.5 10.5-7C21.3 9.5 17.5 5 12 5zm0 11.5a4.5 4.5 0 1 1 0-9 4.5 4.5 0 0 1 0 9zm0-2a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z" } }),
      ])]),
      h("b", String(row.totals[number]).replace("-", "−")),
    ]),
    h("p.unseen", [sayCount(phrases, "wall.melds", melds.length), " ", sayCount(phrases, "wall.canastas", canastas)].join("")),
    h("div.minis", { attrs: { "aria-hidden": "true" } }, melds.map((meld, at) => mini(meld, at, fresh.has(at)))),
  ]);
}

function middle(row, ctx) {
  const { phrases } = ctx;
  const [count, top] = row.pile;
  return h("div.wall-middle", { key: "middle" }, [
    h("span.wall-heap", [picture("back1", ctx, "svg.mini-card"), h("b", String(row.stock)), h("span.unseen", phrases["stock"])]),
    h("span.wall-heap", [
      top
        ? h("span.mini-top", {
            key: `${count}-${top}`,
            attrs: { role: "img", "aria-label": say(phrases, "pile.top", { card: spokenCard(top, phrases) }), title: shortCard(top, phrases) },
          }, [picture(top, ctx, "svg.mini-card")])
        : h("span.mini-card.is-empty"),
      h("b", String(count)),
      h("span.unseen", phrases["pile"]),
    ]),
  ]);
}

function state(row, phrases) {
  if (row.over) return phrases["wall.over"];
  if (row.turn === null) return phrases["wall.between"];
  return say(phrases, "wall.turn", { name: playerName(row, row.turn, phrases) });
}

function tile(row, before, ctx) {
  const { phrases } = ctx;
  return h("li", { key: row.id }, [
    h("article.wall-table", [
      h("div", [
        h("h2", [h("a", { attrs: { id: `table-${row.id}`, href: `/tables/${row.id}/` } },
          [row.profile, row.label].filter(Boolean).join(" · "))]),
        row.club ? h("p.wall-club", row.club) : null,
      ]),
      side(row, 0, before, ctx),
      middle(row, ctx),
      side(row, 1, before, ctx),
      h("p.wall-state", [
        h("span", row.deal ? say(phrases, "deal", { deal: String(row.deal) }) : ""),
        h("span", state(row, phrases)),
      ]),
    ]),
  ]);
}

// A tile whose row is the same is the same node, which the renderer passes over.
function keptTile(row, ctx) {
  const known = ctx.tiles.get(row.id);
  if (known?.row === row) return known.node;
  const node = tile(row, known?.row, ctx);
  ctx.tiles.set(row.id, { row, node });
  return node;
}

/**
 * The wall.
 * @param {Map<string, object>} rows the tables now
 * @param {object} ctx {phrases, sprite, search, follow, tiles} `tiles`: a Map that keeps what was
 *   drawn last, from which is seen what has grown
 */
export function renderWall(rows, ctx) {
  const { phrases, search } = ctx;
  const found = [...rows.values()].filter((row) => matches(row, search));
  // Who searches wants whatever is found; else those who practise are there for who asks for them.
  const apart = search.trim() ? [] : found.filter((row) => row.practice);
  const shown = found.filter((row) => !apart.includes(row));
  const empty = !search.trim() ? ["wall.none", "wall.none.more"] : ["wall.nobody", "wall.nobody.more"];
  return h("div.wall-live", [
    shown.length
      ? h("ul.wall", { key: "wall" }, shown.map((row) => keptTile(row, ctx)))
      : h("div.notice", { key: "notice" }, [
          h("h2", say(phrases, empty[0], { names: search })),
          h("p", phrases[empty[1]]),
        ]),
    apart.length
      ? h("details.wall-practice", { key: "practice" }, [
          h("summary", say(phrases, "wall.practice", { count: String(apart.length) })),
          h("ul.wall", apart.map((row) => keptTile(row, ctx))),
        ])
      : null,
  ]);
}
