// "What can I do?": the server's `legal` in sentences, each with the clause it rests on.
// Pure; knows no rule. Long lists are cut: first what makes or improves a canasta, then by worth.

import { minus } from "./hand.js";
import { meldName, sentence } from "./words.js";

const MOST = 6;

const cardList = (cards) => cards.flatMap((card, at) => (at ? [" ", { card }] : [{ card }]));
const asMeld = ({ result, set, wild }) => ({ cards: result, set, wild });
/** @param {import("./types.d.ts").Placement} placement */
const goalOf = ({ onto }) => onto ?? "new";

/**
 * Placements of which none is a part of another, the best first.
 * @param {import("./types.d.ts").Placement[]} placements
 */
export function best(placements) {
  const sorted = placements.toSorted(
    (one, other) => Number(Boolean(other.grade)) - Number(Boolean(one.grade)) || other.worth - one.worth,
  );
  const kept = [];
  for (const each of sorted) {
    const isPart = kept.some((more) => goalOf(more) === goalOf(each) && minus(more.cards, each.cards) !== null);
    if (!isPart) kept.push(each);
  }
  return kept;
}

/**
 * @param {import("./types.d.ts").LegalFrame} legal
 * @param {import("./types.d.ts").View} view
 * @param {0|1} side the own one
 * @returns {{parts: (string|{card: string})[], why: string, code: string, offer?: object|object[],
 *   act?: string}[]} `offer`: what `setOut` takes; `act`: the command of that name; `code`: the
 *   refusal whose clause explains it
 */
export function hintsOf(legal, view, side, { phrases }) {
  const found = [];
  const { using, melds, combined, discards } = legal;
  const placement = (one, key) => ({
    parts: sentence(phrases, key, { cards: cardList(one.cards), meld: meldName(asMeld(one), phrases) }),
    offer: one,
  });
  if (legal.draw) found.push({ parts: [phrases["hints.draw"]], why: phrases["why.draw"], code: "wrong-step", act: "draw" });
  if (legal.take) found.push({ parts: [phrases["hints.take"]], why: phrases["why.take"], code: "pile-empty", act: "toPile" });
  for (const one of best(using).slice(0, MOST)) {
    found.push({ ...placement(one, "hints.using"), why: phrases["why.using"], code: "pile-needs-use" });
  }
  if (legal.reject) {
    found.push({ parts: [phrases["hints.reject"]], why: phrases["why.reject"], code: "cannot-reject", act: "reject" });
  }
  const minimum = view.melds[side].length ? 0 : view.minimum[side];
  const why = minimum ? sentence(phrases, "why.opening", { points: String(minimum) }).join("") : phrases["why.meld"];
  const code = minimum ? "opening-too-low" : "meld-too-short";
  const shown = best(melds);
  for (const one of shown.slice(0, MOST)) {
    found.push({ ...placement(one, one.onto === undefined ? "hints.new" : "hints.onto"), why, code });
  }
  if (shown.length > MOST) {
    found.push({ parts: sentence(phrases, "hints.more", { count: String(shown.length - MOST) }), why: "", code: "" });
  }
  if (!melds.length || minimum) {
    for (const several of combined.slice(0, 3)) {
      const cards = several.flatMap((one, at) => [at ? "; " : "", ...cardList(one.cards)]);
      found.push({ parts: sentence(phrases, "hints.together", { cards }), why, code, offer: several });
    }
  }
  if (discards.length) {
    found.push({
      parts: sentence(phrases, "hints.discard", { cards: cardList(discards) }),
      why: phrases["why.discard"],
      code: "wrong-step",
    });
  }
  return found;
}
