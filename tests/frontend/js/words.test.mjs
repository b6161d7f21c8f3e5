import assert from "node:assert/strict";
import { test } from "node:test";

import { shortCard, spokenCard, standsFor } from "../../../frontend/static/frontend/js/cards.js";
import { describe, say, sentence, speak } from "../../../frontend/static/frontend/js/words.js";

const phrases = {
  "card.name": "{rank} di {suit}",
  "card.joker": "jolly",
  "rank.T": "dieci",
  "suit.H": "cuori",
  discards: "{name} scarta {card}.",
};

test("a card is spoken in the page's language and written short", () => {
  assert.equal(spokenCard("TH", phrases), "dieci di cuori");
  assert.equal(spokenCard("JK", phrases), "jolly");
  assert.equal(shortCard("TH", phrases), "10♥");
});

test("a sentence keeps its cards as parts, and speaks them in full", () => {
  const parts = sentence(phrases, "discards", { name: "Carla", card: [{ card: "TH" }] });
  assert.deepEqual(parts, ["Carla", " scarta ", { card: "TH" }, "."]);
  assert.equal(speak(parts, phrases), "Carla scarta dieci di cuori.");
});

test("a name that looks like a place in a sentence stays a name", () => {
  assert.equal(say(phrases, "discards", { name: "{card}", card: "x" }), "{card} scarta x.");
});

test("a phrase that is not there is an error, not an empty line", () => {
  assert.throws(() => say(phrases, "nothing"), /no phrase/);
});

test("a wild in a sequence stands for the card of its place, in a set for none (S0-30, S0-32)", () => {
  const run = (cards, wild) => standsFor({ cards, set: false, wild });
  assert.equal(run(["3S", "2H", "5S"], 1), "4S");
  assert.equal(run(["AS", "2S", "JK"], 2), "3S");
  assert.equal(run(["JK", "KS", "AS"], 0), "QS");
  assert.equal(run(["QH", "KH", "2C"], 2), "AH");
  assert.equal(run(["2S", "3S", "4S"], null), null);
  assert.equal(standsFor({ cards: ["7S", "7H", "JK"], set: true, wild: 2 }), null);
});

test("who takes a seat over is named where the name is known", () => {
  const event = { type: "seat_changed", data: { seat: 0, holder: "p2", reason: "substituted" } };
  const ctx = {
    names: ["Carla"],
    phrases: { "log.seat.substituted": "Someone for {name}.", "log.seat.substituted.by": "{next} for {name}." },
  };
  const told = (more) => describe(event, {}, {}, { ...ctx, ...more }).map((parts) => speak(parts, ctx.phrases));
  assert.deepEqual(told({}), ["Someone for Carla."]);
  assert.deepEqual(told({ called: () => "Dino" }), ["Dino for Carla."]);
});
