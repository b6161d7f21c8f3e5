// From one view to the next: `reduce(view, event) -> view`, for the public, for one seat, and with
// all cards (`all_hands`, `stock_cards`, `reserve_cards`) for a game that has been revealed.
// Pure: no page, no clock, no rules beyond what an event says. An unknown type throws, so that a
// page that is older than the server says so instead of showing a wrong table.

const SIDES = 2;

/** A table with nothing on it: what a view holds of one deal. */
function emptyTable(seats) {
  return {
    dealer: 0,
    turn: 0,
    step: "draw",
    first_turn: false,
    minimum: Array(SIDES).fill(0),
    hands: Array(seats).fill(0),
    hand: null,
    melds: Array.from({ length: SIDES }, () => []),
    pile: { count: 0, cards: [] },
    stock: 0,
    reserves: 0,
    taken: Array(SIDES).fill(false),
    waiting: Array(seats).fill(false),
    ended: null,
    sheets: null,
    all_hands: undefined,
    stock_cards: undefined,
    reserve_cards: undefined,
  };
}

/**
 * The view before the first deal; all else comes with `deal_started`.
 * Of `profile` the parts `turn` and `deal` are read: how the pile lies, how many cards there are.
 */
export function emptyView({ game, profile = {}, seats, audience = "public" }) {
  return {
    game,
    profile,
    seats,
    audience,
    seq: 0,
    deal: 0,
    totals: Array(SIDES).fill(0),
    holders: [],
    paused: false,
    asked: null,
    over: false,
    winner: null,
    ...emptyTable(seats),
  };
}

/** The seat this view is for, or null for the public. */
export function ownSeat(view) {
  return view.audience.startsWith("seat-") ? Number(view.audience.slice(5)) : null;
}

export const sideOf = (view, seat) => (view.seats === 4 ? seat % 2 : seat);

const replaced = (list, index, value) => list.map((old, at) => (at === index ? value : old));
const shifted = (list, index, by) => replaced(list, index, list[index] + by);

function without(hand, cards) {
  const rest = [...hand];
  for (const card of cards) {
    const at = rest.indexOf(card);
    if (at < 0) throw new Error(`the hand has no ${card}`);
    rest.splice(at, 1);
  }
  return rest;
}

// A hand is followed only where it is the reader's own; unseen cards make it unknown for a while.
function given(view, seat, cards, number) {
  let { hand } = view;
  if (seat === ownSeat(view)) hand = cards && hand ? [...hand, ...cards] : null;
  return {
    hands: shifted(view.hands, seat, number),
    hand,
    ...(view.all_hands && {
      all_hands: replaced(view.all_hands, seat, [...view.all_hands[seat], ...cards]),
    }),
  };
}

function played(view, seat, cards) {
  const own = seat === ownSeat(view) && view.hand;
  return {
    hands: shifted(view.hands, seat, -cards.length),
    hand: own ? without(view.hand, cards) : view.hand,
    ...(view.all_hands && {
      all_hands: replaced(view.all_hands, seat, without(view.all_hands[seat], cards)),
    }),
  };
}

function onPile(view, card) {
  const isClosed = view.profile.turn.pile === "closed";
  return {
    count: view.pile.count + 1,
    cards: isClosed ? [card] : [...view.pile.cards, card],
  };
}

const started = (view, seat) => ({ waiting: replaced(view.waiting, seat, false) });

// Only the first draw of a deal can be rejected, and only where the profile grants that (S3-6).
const afterFirst = (view) => view.first_turn && Boolean(view.profile.turn.first_card_may_be_rejected);

const reducers = {
  game_opened: (view, data) => ({
    profile: { ...view.profile, ...data.profile },
    seats: data.seats,
    holders: data.holders,
  }),

  deal_started(view, { deal, dealer, starter, totals, minimum, hands, hand, pile, ...sizes }) {
    const rules = view.profile.deal;
    const reserves = sizes.reserves ?? 2;
    const pack = 104 + rules.jokers;
    const dealt = hands.reduce((sum, each) => sum + each, pile.length + reserves * rules.reserve);
    return {
      ...emptyTable(view.seats),
      deal,
      dealer,
      turn: starter,
      first_turn: true,
      totals,
      minimum,
      hands,
      hand: hand ?? null,
      pile: { count: pile.length, cards: pile },
      stock: sizes.stock ?? pack - dealt,
      reserves,
      all_hands: sizes.all_hands,
      stock_cards: sizes.stock_cards,
      reserve_cards: sizes.reserve_cards,
    };
  },

  card_drawn: (view, { seat, card }) => ({
    ...given(view, seat, card && [card], 1),
    ...started(view, seat),
    stock: view.stock - 1,
    stock_cards: view.stock_cards?.slice(0, -1),
    step: "play",
    first_turn: afterFirst(view),
  }),

  // The card goes back face up; the second card comes with its own `card_drawn`.
  card_rejected: (view, { seat, card }) => ({
    ...played(view, seat, [card]),
    pile: onPile(view, card),
    first_turn: false,
  }),

  pile_taken(view, { seat, cards, count: number }) {
    return {
      ...given(view, seat, cards, number),
      ...started(view, seat),
      pile: { count: 0, cards: [] },
      step: "play",
      first_turn: false,
    };
  },

  melded(view, { seat, placements }) {
    const side = sideOf(view, seat);
    const melds = [...view.melds[side]];
    for (const { meld, result } of placements) melds[meld] = result;
    const cards = placements.flatMap((placement) => placement.cards);
    return {
      ...played(view, seat, cards),
      melds: replaced(view.melds, side, melds),
      first_turn: false,
    };
  },

  // A discard may open its partner's eyes to a reserve fetched before (S0-41): `hand` is then there.
  discarded: (view, { seat, card, hand }) => ({
    ...played(view, seat, [card]),
    ...(hand && { hand }),
    pile: onPile(view, card),
    turn: (seat + 1) % view.seats,
    step: "draw",
    first_turn: false,
  }),

  reserve_taken(view, { seat, side, cards, count: number, direct }) {
    return {
      ...given(view, seat, cards, number),
      reserves: view.reserves - 1,
      reserve_cards: view.reserve_cards?.slice(1),
      taken: replaced(view.taken, side, true),
      waiting: replaced(view.waiting, seat, !direct),
    };
  },

  reserve_became_stock: (view, { count: number }) => ({
    reserves: view.reserves - 1,
    stock: view.stock + number,
    stock_cards: view.stock_cards && [...view.stock_cards, ...view.reserve_cards[0]],
    reserve_cards: view.reserve_cards?.slice(1),
  }),

  // A reserve that was never played is shown to its owner at the end.
  deal_ended: (view, { reason, seat, hand }) => ({
    ended: { reason, seat },
    ...(hand && { hand }),
  }),

  deal_scored: (view, { sheets, totals }) => ({ sheets, totals }),

  game_ended: (view, { winner }) => ({ over: true, winner: winner ?? null, asked: null }),

  seat_changed: (view, { seat, holder }) => ({ holders: replaced(view.holders, seat, holder) }),

  asked: (view, { seat, what }) => ({ asked: { seat, what } }),
  answered: () => ({ asked: null }),

  // A meld that was new goes (`result` null), one that was extended is as before.
  undo_granted(view, { seat, placements }) {
    const side = sideOf(view, seat);
    const melds = [...view.melds[side]];
    for (const { meld, result } of placements) melds[meld] = result;
    const cards = placements.flatMap((placement) => placement.cards);
    return {
      ...given(view, seat, cards, cards.length),
      melds: replaced(view.melds, side, melds.filter(Boolean)),
      asked: null,
    };
  },

  game_paused: () => ({ paused: true, asked: null }),
  game_resumed: () => ({ paused: false, asked: null }),

  seed_revealed: () => ({}),
  ruling_made: () => ({}),
  clock_expired: () => ({}),
  clock_credited: () => ({}),
};

// A move answers whatever was asked before it: the question is gone.
const MOVES = new Set([
  "card_drawn",
  "card_rejected",
  "pile_taken",
  "melded",
  "discarded",
  "reserve_taken",
  "reserve_became_stock",
  "deal_ended",
]);

/**
 * The view after one event.
 * @throws {Error} for an event of a type that this page does not know
 */
export function reduce(view, event) {
  const change = reducers[event.type];
  if (!change) throw new Error(`unknown event type: ${event.type}`);
  const asked = MOVES.has(event.type) ? null : view.asked;
  return { ...view, asked, ...change(view, event.data), seq: event.seq };
}

export const EVENT_TYPES = Object.keys(reducers);
