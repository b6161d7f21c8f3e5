import assert from "node:assert/strict";
import { test } from "node:test";

import { grown, matches, merged, playerName, renderWall, withRow } from "../../../frontend/static/frontend/js/wall.js";

const row = (id, more = {}) => ({
  id,
  names: ["Carla Conti", "bot:", "Dino Furió", ""],
  club: "Circolo Aurora",
  profile: "Buraco Aberto",
  label: "7",
  deal: 1,
  melds: [[["H", 3, null]], []],
  ...more,
});

test("an answer of the feed brings new rows, keeps the others, and drops what has gone", () => {
  const [a, b, c] = ["a", "b", "c"].map((id) => row(id));
  const rows = merged(new Map(), { order: ["a", "b"], tables: [a, b] });
  const newer = row("b", { deal: 2 });
  const next = merged(rows, { order: ["b", "c"], tables: [newer, c] });
  assert.deepEqual([...next.keys()], ["b", "c"]);
  assert.equal(next.get("b"), newer);
  assert.equal(merged(rows, { order: ["a", "b"], tables: [] }).get("a"), a);
  assert.equal(withRow(rows, newer).get("b"), newer);
  assert.equal(rows.get("b"), b);
});

test("a search finds names, clubs and rules in any order, without accents and capitals", () => {
  for (const words of ["", "carla", "furio CONTI", "Carla Conti & Dino Furió", "aurora 7", "aberto"]) {
    assert.ok(matches(row("a"), words), words);
  }
  assert.ok(!matches(row("a"), "carla elsa"));
});

test("who has no name is called by the seat", () => {
  const phrases = { "seat.bot": "Bot {number}", "seat.unnamed": "Seat {number}" };
  const names = [0, 1, 2, 3].map((seat) => playerName(row("a"), seat, phrases));
  assert.deepEqual(names, ["Carla Conti", "Bot 2", "Dino Furió", "Seat 4"]);
});

test("melds that are new or longer have grown, but not those of a new deal", () => {
  const after = row("a", { melds: [[["H", 4, null], ["7", 3, null]], []] });
  assert.deepEqual([...grown(after, row("a"), 0)], [0, 1]);
  assert.deepEqual([...grown(after, after, 0)], []);
  assert.deepEqual([...grown(row("a", { deal: 2 }), row("a"), 0)], []);
});

test("practice stands apart, closed, until somebody searches", () => {
  const rows = new Map(
    [row("a"), row("b", { practice: true, club: "" })].map((each) => [each.id, {
      ...each, names: ["Carla", "bot:"], melds: [[], []], totals: [0, 0], turn: 0, stock: 1, pile: [0, null],
    }]),
  );
  const phrases = new Proxy({}, { get: (_, key) => String(key) });
  const drawn = (search) => {
    const ctx = { phrases, sprite: "", search, follow() {}, tiles: new Map() };
    return renderWall(rows, ctx).children.filter(Boolean).map(({ sel, children }) => [sel, children.length]);
  };
  assert.deepEqual(drawn(""), [["ul.wall", 1], ["details.wall-practice", 2]]);
  assert.deepEqual(drawn("carla"), [["ul.wall", 2]]);
});
