// The cards of a game that has been revealed: all hands, the stock in its order, the reserves. Pure.

import { shortCard, spokenCard } from "./cards.js";
import { arranged, keyed } from "./hand.js";
import { picture } from "./pictures.js";
import { say, seatName } from "./words.js";
import { h } from "./vdom.js";

const spoken = (name, { phrases }) => ({ role: "img", "aria-label": spokenCard(name, phrases) });

/** The hands of one side, a row a seat, named. */
export function openHands(seats, view, ctx) {
  return h("div.open-hands", { key: "open" }, seats.map((seat) => {
    const label = say(ctx.phrases, "hand.of", { name: seatName(seat, ctx) });
    return h("div.open-hand", { key: `hand-${seat}` }, [
      h("p.open-name", label),
      h(
        "div.row",
        { attrs: { role: "group", "aria-label": label } },
        keyed(arranged(view.all_hands[seat], "suit")).map(({ name, key }) =>
          h("span.card", { key, attrs: spoken(name, ctx) }, [picture(name, ctx)]),
        ),
      ),
    ]);
  }));
}

/** A card in running text. */
export function wordCard(name, ctx) {
  const suit = name === "JK" ? "joker" : name[1].toLowerCase();
  return h(`span.word-card.ink-${suit}`, { attrs: spoken(name, ctx) }, shortCard(name, ctx.phrases));
}

/** What lies face down, to be opened: the stock, next card first, and the reserves. */
export function faceDown(view, ctx) {
  if (!view.stock_cards) return null;
  const { phrases } = ctx;
  const row = (cards) => h("p.word-cards", cards.map((name) => wordCard(name, ctx)));
  return h("details.face-down", { key: "face-down" }, [
    h("summary", `${phrases["stock.next"]}: ${view.stock}`),
    row(view.stock_cards.toReversed()),
    ...view.reserve_cards.flatMap((cards, at) => [
      h("p.open-name", say(phrases, "reserve.cards", { number: String(at + 1) })),
      row(arranged(cards, "suit")),
    ]),
  ]);
}
