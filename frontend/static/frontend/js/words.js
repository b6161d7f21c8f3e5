// Says what happened in short sentences of the page's language, and names seats and sides.
// Pure. A sentence is a list of parts, strings and `{card}`, so that a page can draw the cards
// and a screen reader can speak them. The sentences themselves come from the server (`phrases`).

import { spokenCard } from "./cards.js";
import { sideOf } from "./reduce.js";

/** The text of a key with `{name}` places filled by strings, as one string. */
export function say(phrases, key, values = {}) {
  return speak(sentence(phrases, key, values), phrases);
}

/** The key's form for a number: `key.one` or `key.other`, by the rules of the page's language. */
export function sayCount(phrases, key, number, values = {}) {
  const form = number === 1 ? "one" : "other";
  return say(phrases, `${key}.${form}`, { ...values, count: String(number) });
}

/** Like `say`, but as parts; a value may be a string or a list of parts. */
export function sentence(phrases, key, values = {}) {
  const template = phrases[key];
  if (template === undefined) throw new Error(`no phrase: ${key}`);
  return template
    .split(/(\{\w+\})/)
    .filter((piece) => piece !== "")
    .flatMap((piece) => {
      const name = /^\{(\w+)\}$/.exec(piece)?.[1];
      return name === undefined ? piece : (values[name] ?? piece);
    });
}

/** A sentence's parts as the text that is spoken. */
export function speak(parts, phrases) {
  return parts.map((part) => (part.card ? spokenCard(part.card, phrases) : part)).join("");
}

export function seatName(seat, { names, phrases }) {
  return names?.[seat] || say(phrases, "seat.unnamed", { number: String(seat + 1) });
}

/** "Carla & Dino": the names of one side. */
export function sideName(view, side, ctx) {
  const seats = Array.from({ length: view.seats }, (_, seat) => seat);
  return seats
    .filter((seat) => sideOf(view, seat) === side)
    .map((seat) => seatName(seat, ctx))
    .join(" & ");
}

/** "Sequence of hearts" or "Set of sevens". */
export function meldName({ cards, set, wild }, phrases) {
  const natural = cards.find((_, index) => index !== wild);
  return set
    ? say(phrases, "meld.set", { rank: phrases[`rank.plural.${natural[0]}`] })
    : say(phrases, "meld.sequence", { suit: phrases[`suit.${natural[1]}`] });
}

const cardList = (cards) =>
  cards.flatMap((card, index) => (index === 0 ? [{ card }] : [", ", { card }]));

function melded(event, before, after, ctx) {
  const { phrases } = ctx;
  const { seat, placements } = event.data;
  const name = seatName(seat, ctx);
  const side = sideOf(after, seat);
  return placements.flatMap(({ meld, cards, result }) => {
    const old = before.melds[side][meld];
    const said = old
      ? sentence(phrases, "log.adds", {
          name,
          cards: cardList(cards),
          meld: meldName(result, phrases),
        })
      : sentence(phrases, "log.melds", { name, cards: cardList(result.cards) });
    if (!result.grade || result.grade === old?.grade) return [said];
    const grade = phrases[`grade.${result.grade}`];
    return [said, sentence(phrases, "log.canasta", { grade })];
  });
}

function scored({ data }, before, after, ctx) {
  return data.sheets.map((sheet, side) =>
    sentence(ctx.phrases, "log.scored", {
      side: sideName(after, side, ctx),
      points: String(sheet.total),
      total: String(data.totals[side]),
    }),
  );
}

// A director gives reasons of their own.
const LENT = new Set(["absent", "clock", "back"]);

const simple = {
  game_opened: () => [],
  card_drawn: () => ["log.draws"],
  card_rejected: ({ card }) => ["log.rejects", { card: [{ card }] }],
  discarded: ({ card, shown }) => [shown ? "log.shows" : "log.discards", { card: [{ card }] }],
  reserve_taken: ({ direct }) => [direct ? "log.reserve.direct" : "log.reserve.waiting"],
  deal_ended: ({ reason }) => [`log.ended.${reason}`],
  seed_revealed: () => ["log.seed"],
  seat_changed({ reason, holder, seat }, { called }) {
    if (LENT.has(reason)) return [`log.seat.${reason}`];
    // At a live table the new name comes a moment later, with a snapshot.
    return called ? ["log.seat.substituted.by", { next: called(holder, seat) }] : ["log.seat.substituted"];
  },
  ruling_made: () => ["log.ruling"],
  asked: ({ what }) => [`log.asked.${what}`],
  answered: ({ grant }) => [grant ? "log.answered.yes" : "log.answered.no"],
  undo_granted: ({ placements }) => [
    "log.undo",
    { cards: cardList(placements.flatMap(({ cards }) => cards)) },
  ],
  game_paused: () => ["log.paused"],
  game_resumed: () => ["log.resumed"],
  clock_expired: () => ["log.clock"],
  clock_credited: () => ["log.credited"],
};

/**
 * The sentences for one event, each a list of parts; often one, none for what nobody needs to hear.
 * @param {object} before the view before the event
 * @param {object} after the view after it
 */
export function describe(event, before, after, ctx) {
  const { phrases } = ctx;
  const { data, type } = event;
  const name = Number.isInteger(data.seat) ? seatName(data.seat, ctx) : "";
  switch (type) {
    case "deal_started":
      return [
        sentence(phrases, "log.deal", {
          deal: String(data.deal),
          name: seatName(data.starter, ctx),
        }),
      ];
    case "pile_taken": {
      const form = data.count === 1 ? "one" : "other";
      return [sentence(phrases, `log.takes.${form}`, { name, count: String(data.count) })];
    }
    case "melded":
      return melded(event, before, after, ctx);
    case "reserve_became_stock":
      return [sentence(phrases, "log.stock", { count: String(data.count) })];
    case "deal_scored":
      return scored(event, before, after, ctx);
    case "game_ended":
      return data.winner === null || data.winner === undefined
        ? [sentence(phrases, "log.game.tied")]
        : [sentence(phrases, "log.game.won", { side: sideName(after, data.winner, ctx) })];
    default: {
      const form = simple[type];
      if (!form) throw new Error(`unknown event type: ${type}`);
      const [key, values] = form(data, ctx);
      return key ? [sentence(phrases, key, { name, ...values })] : [];
    }
  }
}

/** "Carla to draw": whose turn it is and what is awaited; empty once the deal has ended. */
export function turnLine(view, ctx) {
  const { phrases } = ctx;
  if (view.over) {
    return view.winner === null
      ? say(phrases, "log.game.tied")
      : say(phrases, "log.game.won", { side: sideName(view, view.winner, ctx) });
  }
  if (view.deal === 0) return say(phrases, "turn.waiting");
  if (view.paused) return say(phrases, "turn.paused");
  if (view.ended) return say(phrases, "turn.ended", { deal: String(view.deal) });
  return say(phrases, `turn.${view.step}`, { name: seatName(view.turn, ctx) });
}
