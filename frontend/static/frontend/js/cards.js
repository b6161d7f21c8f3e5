// Cards by their two-character names: order, what a layout says, and how they are spoken.
// Pure; knows no page and no sentence of any language (those come in as `phrases`).

export const RANKS = "A23456789TJQK";
export const SUITS = "SHDC";
export const JOKER = "JK";

/** The place of a rank in a sequence with a low ace, 1 to 13; a high ace is 14. */
export function place(rank) {
  return RANKS.indexOf(rank) + 1;
}

export function isCard(name) {
  return name === JOKER || (name.length === 2 && RANKS.includes(name[0]) && SUITS.includes(name[1]));
}

/**
 * The card that the wild of a sequence stands for, by the place of the others in the layout.
 * @param {{cards: string[], set: boolean, wild: number|null}} meld a meld of a view
 * @returns {string|null} null without a wild, and in a set
 */
export function standsFor({ cards, set, wild }) {
  if (set || wild === null) return null;
  const anchor = anchorOf(cards, wild);
  return RANKS[(anchor.place + wild - anchor.index + 12) % 13] + cards[anchor.index][1];
}

// Any natural card fixes all places; an ace is low where it comes first and high where it comes last.
function anchorOf(cards, wild) {
  const index = cards.findIndex((card, at) => at !== wild && card[0] !== "A");
  if (index >= 0) return { index, place: place(cards[index][0]) };
  const ace = wild === 0 ? 1 : 0;
  return { index: ace, place: ace === cards.length - 1 ? 14 : 1 };
}

/** The spoken name of a card in the page's language: "ten of hearts". */
export function spokenCard(card, phrases) {
  if (card === JOKER) return phrases["card.joker"];
  return phrases["card.name"]
    .replace("{rank}", phrases[`rank.${card[0]}`])
    .replace("{suit}", phrases[`suit.${card[1]}`]);
}

/** The short name for running text: "10♥". */
export function shortCard(card, phrases) {
  if (card === JOKER) return phrases["card.joker"];
  const suit = { S: "♠", H: "♥", D: "♦", C: "♣" }[card[1]];
  return `${card[0] === "T" ? "10" : card[0]}${suit}`;
}
