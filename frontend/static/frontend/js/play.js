// The player's side of a table: what is chosen and set out, what may be done with it, what is on
// its way. It holds the state of one page and turns taps and keys into commands; it knows no rule
// (what lights up is the server's `legal`), and draws nothing (see `dock`).

import { commandDesk, newId } from "./commands.js";
import { ORDERS, arranged, handMemory, keyed, minus, moved, nameOf } from "./hand.js";
import { sideOf } from "./reduce.js";
import * as stage from "./stage.js";

const NONE = { fresh: false, melds: new Set(), discard: false, grow: new Set() };

/** Whether one of the reader's switches is on; they live on the page's root element. */
export const isOn = (name) => document.documentElement.dataset[name] !== "off";

/** The cards that an event brought into the hand of a seat. */
function arrived({ type, data }, seat) {
  if (data.seat !== seat) return [];
  if (type === "card_drawn") return data.card ? [data.card] : [];
  return type === "pile_taken" || type === "reserve_taken" ? (data.cards ?? []) : [];
}

/**
 * @param {number} seat the own one
 * @param {{send: (message: object) => boolean, redraw: () => void, say: (key: string) => void}} page
 */
export function player(seat, page) {
  let view = null;
  let memory = null;
  const p = {
    seat,
    /** @type {import("./hand.js").Order} */
    order: "suit",
    byHand: [],
    /** Keys of chosen cards of the hand. */
    selected: new Set(),
    staged: [],
    trial: null,
    legal: null,
    /** What waits for a yes: {what: "discard"|"out", move}. */
    confirm: null,
    /** The open dialog: "help", "hints", "read" or "menu". */
    dialog: null,
    /** Cards that came last. */
    arrived: [],
    /** The key of the card that the arrow keys start from. */
    active: null,
    mayUndo: false,
    /** The server has ended the line: this page plays no more. */
    isOver: false,
    asked: { legal: 0, trial: "" },
  };
  const desk = commandDesk(page.send, page.redraw);
  p.desk = desk;

  // What is so ----------------------------------------------------------------------------------

  p.isReady = () => view !== null;
  p.isTurn = () =>
    view !== null &&
    view.turn === seat &&
    view.deal > 0 &&
    !view.ended &&
    !view.over &&
    !view.paused &&
    !p.isOver &&
    !p.botPlays();
  p.isDrawing = () => p.isTurn() && view.step === "draw";
  p.isPlaying = () => p.isTurn() && view.step === "play";
  p.isClosed = () => view.profile.turn?.pile === "closed";
  p.botPlays = () => (view.holders[seat] ?? "").startsWith("bot:");
  p.side = () => sideOf(view, seat);
  /** The card that comes along when a closed pile is taken. */
  p.top = () => (p.isDrawing() && p.isClosed() ? view.pile.cards.at(-1) : undefined);
  p.chosen = () => [...p.selected].map(nameOf);
  p.stagedFromHand = () => stage.stagedCards(p.staged, p.top());
  p.targets = () => (p.isTurn() ? stage.targets(p.legal, p.chosen(), { top: p.top() }) : NONE);
  p.choices = (at) => stage.choices(p.legal, p.staged[at]);

  /** The hand as it lies: what is set out is not in it. */
  p.hand = () => {
    if (!view.hand) return [];
    const held = minus(view.hand, p.stagedFromHand()) ?? view.hand;
    return keyed(arranged(held, p.order, p.byHand));
  };

  /** How many cards are left in the hand once these are gone. */
  const leaves = (number) => (view.hand?.length ?? 0) - number;

  // What comes ------------------------------------------------------------------------------------

  function tidy() {
    p.staged = view.hand ? stage.kept(p.staged, view.hand, p.top()) : [];
    if (!p.isTurn()) p.staged = [];
    const keys = new Set(p.hand().map(({ key }) => key));
    p.selected = new Set([...p.selected].filter((key) => keys.has(key)));
    if (!keys.has(p.active)) p.active = p.hand()[0]?.key ?? null;
    if (p.confirm && !p.isTurn()) p.confirm = null;
    if (p.legal && p.legal.seq !== view.seq) p.legal = null;
  }

  function ask() {
    if (p.isTurn()) page.send({ t: "legal", seq: view.seq });
    if (p.staged.length) tryOut();
  }

  function tryOut() {
    p.trial = null;
    p.asked.trial = newId();
    if (!p.staged.length) return;
    page.send({ t: "try", id: p.asked.trial, seq: view.seq, place: p.staged.map(stage.asSent) });
  }

  /** What was set out is laid; the hand may hold the same cards once more. */
  function laidDown() {
    p.staged = [];
    p.trial = null;
  }

  /** A chosen card is gone; another like it in the hand is not the one that was chosen. */
  function unchoose(card) {
    p.selected = new Set([...p.selected].filter((key) => nameOf(key) !== card));
  }

  /** Runs `step`; if with it a meld on its way turns out to be done, nothing of it is set out. */
  function settling(step) {
    const move = desk.pending?.message.move;
    const result = step();
    if ((move?.place || move?.using) && !desk.pending && !desk.fault) laidDown();
    return result;
  }

  p.onSnapshot = (next) => {
    view = next;
    if (!memory) {
      memory = handMemory(localStorage, view.game);
      Object.assign(p, memory.read());
    }
    p.mayUndo = Boolean(view.may_undo);
    settling(() => desk.seen(view.seq));
    tidy();
    ask();
  };

  /** The line was down and is there again; what happened meanwhile has been seen. */
  p.onBack = () => {
    if (!desk.pending) desk.forget();
    desk.resend();
  };

  p.onEvents = (next, events) => {
    const wasTurn = view && p.isTurn();
    view = next;
    for (const event of events) {
      if (event.data.seat === seat && event.type === "melded") p.mayUndo = true;
      else if (event.type !== "asked" && event.type !== "answered") p.mayUndo = false;
    }
    const came = events.flatMap((event) => arrived(event, seat));
    if (came.length) p.arrived = came;
    else if (!p.isTurn()) p.arrived = [];
    desk.seen(view.seq);
    if (!desk.pending) desk.forget();
    const staged = p.staged.length;
    for (const { type, data } of events) {
      if (data.seat !== seat) continue;
      if (type === "melded") laidDown();
      if (type === "discarded") unchoose(data.card);
    }
    tidy();
    if (p.staged.length !== staged) p.trial = null;
    ask();
    return !wasTurn && p.isTurn();
  };

  /** Other frames; true if it was one of ours. */
  p.onFrame = (frame) => {
    if (frame.t === "legal") {
      if (frame.seq === view.seq) p.legal = frame;
      const { pending } = desk;
      if (pending?.stale) {
        desk.settleStale(
          pending.message.t === "move" && stage.isStillLegal(p.legal, pending.message.move),
          view.seq,
        );
      }
    } else if (frame.t === "tried") {
      if (frame.id === p.asked.trial) p.trial = frame;
    } else if (settling(() => desk.heard(frame, view?.seq ?? 0))) {
      // The table has moved on: what is possible now decides what becomes of the move.
      if (desk.pending?.stale) {
        if (p.isTurn()) page.send({ t: "legal", seq: view.seq });
        else desk.settleStale(false, view.seq);
      }
    } else {
      return false;
    }
    page.redraw();
    return true;
  };

  // What the player does --------------------------------------------------------------------------

  function command(message) {
    p.confirm = null;
    return desk.issue(message);
  }

  const move = (what) => command({ t: "move", seq: view.seq, move: what });

  function changed() {
    desk.forget();
    tidy();
    tryOut();
    page.redraw();
  }

  p.toggle = (key) => {
    if (p.selected.has(key)) p.selected.delete(key);
    else p.selected.add(key);
    p.active = key;
    p.confirm = null;
    desk.forget();
    page.redraw();
  };

  p.clear = () => {
    p.selected.clear();
    p.staged = [];
    p.confirm = null;
    changed();
  };

  p.draw = () => p.isDrawing() && move({ move: "draw" });
  p.reject = () => p.isPlaying() && move({ move: "reject" });

  function set(cards, onto) {
    if (p.isDrawing() && p.staged.length) {
      // A closed pile is taken with one placement: more cards go onto that one.
      p.staged = stage.grown(p.staged, 0, cards);
    } else {
      const top = p.top();
      p.staged = stage.staging(p.staged, top ? [top, ...cards] : cards, onto);
    }
    p.selected.clear();
    changed();
  }

  /** The chosen cards as a new meld. */
  p.toNew = () => {
    if (!p.isTurn()) return;
    if (p.isDrawing() && !p.isClosed()) return;
    if (p.selected.size) set(p.chosen());
    else page.say("play.choose_first");
  };

  /** The chosen cards onto an own meld. */
  p.toMeld = (number) => {
    if (!p.isTurn() || (p.isDrawing() && !p.isClosed())) return;
    if (p.selected.size || p.top()) set(p.chosen(), number);
    else page.say("play.choose_first");
  };

  /** The chosen cards onto what is set out already. */
  p.toStaged = (at) => {
    if (!p.selected.size) return;
    p.staged = stage.grown(p.staged, at, p.chosen());
    p.selected.clear();
    changed();
  };

  /** The pile: taken when a card is due, else it receives the discard. */
  p.toPile = () => {
    if (p.isPlaying()) {
      p.discard();
    } else if (p.isDrawing()) {
      if (!p.isClosed()) move({ move: "take" });
      else if (p.selected.size) p.toNew();
      else if (p.legal?.using.length === 1) p.setOut(p.legal.using[0]);
      else p.open("hints");
    }
  };

  p.discard = () => {
    if (!p.isPlaying()) return;
    const [card, ...more] = p.chosen();
    if (!card || more.length) return page.say("play.choose_one");
    if (p.staged.length) return page.say("play.lay_first");
    const goes = { move: "discard", card };
    const isOut = leaves(1) === 0 && view.taken[p.side()];
    if (!isOn("confirm")) move(goes);
    else wait(isOut ? "out" : "discard", goes);
  };

  p.layDown = () => {
    if (!p.staged.length || !p.isTurn()) return;
    const placements = p.staged.map(stage.asSent);
    if (p.isDrawing()) return move({ move: "take", using: placements });
    const lays = { move: "meld", place: placements };
    const isOut = leaves(p.stagedFromHand().length) === 0 && view.taken[p.side()];
    if (isOut && isOn("confirm")) wait("out", lays);
    else move(lays);
  };

  function wait(what, goes) {
    p.confirm = { what, move: goes };
    desk.forget();
    page.redraw();
  }

  p.yes = () => p.confirm && move(p.confirm.move);
  p.no = () => {
    p.confirm = null;
    page.redraw();
  };

  /** Set out one of the moves that `legal` offers. */
  p.setOut = (offer) => {
    p.dialog = null;
    p.selected.clear();
    const placements = Array.isArray(offer) ? offer : [offer];
    const own = placements.map(({ cards, onto, layout, end }) =>
      stage.asSent({ cards, onto, layout, wild: end }),
    );
    p.staged = stage.kept([...(p.isDrawing() ? [] : p.staged), ...own], view.hand ?? [], p.top());
    changed();
  };

  p.unstage = (at) => {
    p.staged = stage.unstaged(p.staged, at);
    changed();
  };

  p.choose = (at, choice) => {
    p.staged = stage.chosenLayout(p.staged, at, choice);
    changed();
  };

  p.next = () => view.ended && !view.over && command({ t: "next" });
  p.ask = (what) => {
    p.dialog = null;
    command({ t: "ask", what });
  };
  p.answer = (grant) => view.asked && command({ t: "answer", what: view.asked.what, grant });
  p.back = () => p.botPlays() && command({ t: "back" });

  p.mustAnswer = () => Boolean(view.asked) && sideOf(view, view.asked.seat) !== p.side();

  function keep() {
    memory.write({ order: p.order, byHand: p.order === "hand" ? p.hand().map(({ name }) => name) : [] });
  }

  p.sort = (order = ORDERS[(ORDERS.indexOf(p.order) + 1) % ORDERS.length]) => {
    if (order === "hand") p.byHand = p.hand().map(({ name }) => name);
    p.order = order;
    keep();
    page.redraw();
  };

  /** Move a card within the hand, which from then on lies by hand. */
  p.moveCard = (from, to) => {
    const cards = p.hand().map(({ name }) => name);
    if (from < 0 || from >= cards.length) return;
    p.byHand = moved(cards, from, to);
    p.order = "hand";
    keep();
    page.redraw();
  };

  p.open = (dialog) => {
    p.dialog = dialog;
    page.redraw();
  };
  p.close = () => {
    p.dialog = null;
    page.redraw();
  };

  return p;
}
