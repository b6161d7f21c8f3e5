// Starts the table on a page: reads what the server left in it, picks the source, draws on each change.

import { controls, momentButtons } from "./controls.js";
import { follow } from "./live.js";
import { emptyView, reduce, sideOf } from "./reduce.js";
import { render } from "./render.js";
import { eventInHash, indexOfEvent, moments, stepper, unroll } from "./replay.js";
import { h, patch } from "./vdom.js";
import { describe, say, speak } from "./words.js";

const LOG_LENGTH = 60;
// Names come with snapshots only, and what was taken back may touch more than cards.
const NEEDS_SNAPSHOT = new Set(["seat_changed", "undo_granted"]);

const readJson = (id) => JSON.parse(document.getElementById(id).textContent);

function openPage(root) {
  const ctx = {
    phrases: readJson("phrases"),
    sprite: root.dataset.sprite,
    names: readJson("names"),
    log: [],
    fresh: null,
    near: 0,
    connection: null,
  };
  let node = patch(root.querySelector("[data-mount]"), h("div"));
  let shown = null;
  const draw = (view) => {
    shown = view;
    node = patch(node, render(view, ctx));
  };
  ctx.onSwap = () => {
    ctx.near = 1 - ctx.near;
    draw(shown);
  };
  return { ctx, draw };
}

/** What the last event put on the table, to be shown a little brighter. */
function freshCards(event, view) {
  if (event.type === "discarded" || event.type === "card_rejected") return { pile: true };
  if (event.type !== "melded") return null;
  const melds = {};
  for (const { meld, cards } of event.data.placements) melds[meld] = cards;
  return { side: sideOf(view, event.data.seat), melds };
}

// A bot comes by its reference: it has no name of its own in any language.
function shownNames(names, { phrases }) {
  return names.map((name, seat) =>
    name.startsWith("bot:") ? say(phrases, "seat.bot", { number: String(seat + 1) }) : name,
  );
}

function lines(event, before, after, ctx) {
  return describe(event, before, after, ctx).map((parts, at) => ({
    key: `${event.seq}-${at}`,
    parts,
  }));
}

function startLive(root) {
  const { ctx, draw } = openPage(root);
  let view = null;
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const source = follow(`${scheme}//${location.host}${root.dataset.socket}`, {
    onState(state) {
      ctx.connection = state;
      if (view) draw(view);
      else root.querySelector("[data-waiting]")?.replaceChildren(ctx.phrases[`connection.${state}`]);
    },
    onSnapshot(frame) {
      // Before the first deal the server's view has no table yet.
      view = { ...emptyView(frame.view), ...frame.view, seq: frame.seq };
      ctx.names = shownNames(frame.names, ctx);
      ctx.fresh = null;
      root.querySelector("[data-waiting]")?.remove();
      draw(view);
    },
    onEvents(events) {
      try {
        for (const event of events) {
          const after = reduce(view, event);
          ctx.log = [...ctx.log, ...lines(event, view, after, ctx)].slice(-LOG_LENGTH);
          ctx.fresh = freshCards(event, after);
          view = after;
        }
      } catch (error) {
        // The server speaks of something newer than this page: say so, and stop guessing.
        source.close();
        ctx.connection = "outdated";
        draw(view);
        throw error;
      }
      draw(view);
      if (events.some(({ type }) => NEEDS_SNAPSHOT.has(type))) source.restart();
    },
  });
}

async function startReplay(root) {
  const { ctx, draw } = openPage(root);
  const answer = await fetch(root.dataset.events, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`the events could not be fetched: ${answer.status}`);
  const { events: sent, ...about } = await answer.json();
  const isOpening = ({ type }) => type === "game_opened";
  const start = sent.filter(isOpening).reduce(reduce, emptyView(about));
  const events = sent.filter((event) => !isOpening(event));
  const views = unroll(start, events);
  const marks = moments(start, events, views);
  ctx.quiet = true;
  const said = events.map((event, at) => lines(event, views[at - 1] ?? start, views[at], ctx));
  root.querySelector("[data-waiting]")?.remove();

  const player = stepper(events.length, {
    onChange(state) {
      const { index } = state;
      const spoken = said[index].map(({ parts }) => speak(parts, ctx.phrases)).join(" ");
      ctx.log = said.slice(0, index + 1).flat().slice(-LOG_LENGTH);
      ctx.fresh = freshCards(events[index], views[index]);
      ctx.controls = controls(state, { length: events.length, marks, spoken }, player, ctx);
      ctx.moments = momentButtons(state, marks, player, ctx);
      draw(views[index]);
      if (!state.playing) history.replaceState(null, "", `#ev=${events[index].seq}`);
    },
  });
  const goToHash = () => {
    const seq = eventInHash(location.hash);
    player.go(seq === null ? 0 : indexOfEvent(events, seq));
  };
  addEventListener("hashchange", goToHash);
  document.addEventListener("keydown", (event) => onKey(event, player, events.length));
  goToHash();
}

function onKey(event, player, length) {
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const target = event.target.closest("input, select, textarea, button, a, summary");
  const keys = {
    ArrowLeft: () => player.go(player.state.index - 1),
    ArrowRight: () => player.go(player.state.index + 1),
    Home: () => player.go(0),
    End: () => player.go(length - 1),
    " ": () => player.toggle(),
  };
  const act = keys[event.key];
  // Fields keep their own keys, and a focused button keeps the space bar.
  if (!act || (target && (target.matches("input, select, textarea") || event.key === " "))) return;
  event.preventDefault();
  act();
}

const root = document.querySelector("[data-table]");
if (root) {
  const start = root.dataset.events ? startReplay : startLive;
  Promise.resolve(start(root)).catch((error) => {
    root.querySelector("[data-waiting]")?.replaceChildren(readJson("phrases")["failed"]);
    throw error;
  });
}
