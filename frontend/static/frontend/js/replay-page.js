// Starts the replay on a page: fetches the events of the deal, keeps the place in the address.

import { controls, momentButtons } from "./controls.js";
import { faceDown } from "./openhands.js";
import { emptyView, ownSeat, reduce, sideOf } from "./reduce.js";
import { logLine, render } from "./render.js";
import {
  dealOf,
  eventInHash,
  indexOfEvent,
  moments,
  nameOf,
  neighbours,
  pauseBetween,
  stepper,
  turnStarts,
  turnsAround,
  unroll,
  unrollSheets,
} from "./replay.js";
import { scoreSoFar } from "./sofar.js";
import { LOG_LENGTH, freshCards, lines } from "./telling.js";
import { h, patch } from "./vdom.js";
import { speak } from "./words.js";

const COPIED_FOR = 6000;
/** Browsers refuse addresses that change too often, as they would while the slider is drawn. */
const ADDRESS_EVERY = 300;

const readJson = (id) => JSON.parse(document.getElementById(id).textContent);

/** This page's address with other parameters. */
function address(parameters, hash = location.hash) {
  const url = new URL(location.href);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  url.hash = hash;
  return url.href;
}

/** An address keeper that writes the last of many places. */
function keepAddress() {
  let timer = 0;
  let latest = "";
  return (hash) => {
    latest = hash;
    timer ||= setTimeout(() => {
      timer = 0;
      history.replaceState(null, "", latest);
    }, ADDRESS_EVERY);
  };
}

async function fetchDeal(root) {
  const answer = await fetch(root.dataset.events, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`the events could not be fetched: ${answer.status}`);
  const { events: sent, ...about } = await answer.json();
  const isOpening = ({ type }) => type === "game_opened";
  const opened = sent.filter(isOpening).reduce(reduce, emptyView(about));
  // Since the opening others may have sat down.
  const start = { ...opened, holders: about.holders };
  return { about, start, events: sent.filter((event) => !isOpening(event)) };
}

async function startReplay(root) {
  const { about, start, events } = await fetchDeal(root);
  const asked = eventInHash(location.hash);
  const elsewhere = asked === null ? null : dealOf(about.deals, asked);
  if (elsewhere !== null && elsewhere !== about.deal) {
    location.replace(address({ deal: elsewhere }));
    return;
  }
  const seat = ownSeat(start);
  const ctx = {
    phrases: readJson("phrases"),
    sprite: root.dataset.sprite,
    names: [],
    near: seat === null ? 0 : sideOf(start, seat),
    quiet: true,
  };
  const views = unroll(start, events);
  const sheets = unrollSheets(events);
  const people = readJson("names");
  const called = (holder, seat) => nameOf(holder, seat, people, ctx.phrases);
  const names = views.map(({ holders }) => holders.map(called));
  const marks = moments(start, events, views).map((mark) => ({ ...mark, names: names[mark.index] }));
  const starts = turnStarts(events, views);
  const said = events.map((event, at) => {
    const before = views[at - 1] ?? start;
    return lines(event, before, views[at], { ...ctx, called, names: before.holders.map(called) });
  });
  const last = events.length - 1;
  const remember = keepAddress();
  let copied = "";
  let timer = 0;
  root.querySelector("[data-waiting]")?.remove();
  let node = patch(root.querySelector("[data-mount]"), h("div"));

  const player = stepper(events.length, {
    onChange: show,
    pause: (index) => (index < last ? pauseBetween(events[index], events[index + 1]) : 0),
  });
  const act = { ...player, copy };

  function show(state) {
    const { index } = state;
    const spoken = said[index].map(({ parts }) => speak(parts, ctx.phrases)).join(" ");
    const turns = turnsAround(starts, index, last);
    ctx.names = names[index];
    ctx.log = said.slice(0, index + 1).flat().slice(-LOG_LENGTH);
    ctx.fresh = freshCards(events[index], views[index]);
    ctx.controls = controls(
      state,
      { length: events.length, marks, turns, spoken, now: shown(said[index]), copied },
      act,
      ctx,
    );
    ctx.extras = [
      momentButtons(state, marks, act, ctx),
      scoreSoFar(views[index].ended ? null : sheets[index], views[index], ctx),
      faceDown(views[index], ctx),
    ];
    node = patch(node, render(views[index], ctx));
    if (!state.playing) remember(`#ev=${events[index].seq}`);
  }

  const shown = (said) => said.flatMap(({ parts }) => [...logLine(parts, ctx), " "]);

  async function copy() {
    const link = address({ deal: about.deal }, `#ev=${events[player.state.index].seq}`);
    try {
      await navigator.clipboard.writeText(link);
      copied = ctx.phrases["replay.copied"];
    } catch {
      // Not allowed here: then it is there to be copied by hand.
      copied = link;
    }
    clearTimeout(timer);
    timer = setTimeout(() => {
      copied = "";
      show(player.state);
    }, COPIED_FOR);
    show(player.state);
  }

  ctx.onSwap = () => {
    ctx.near = 1 - ctx.near;
    show(player.state);
  };
  const goToHash = () => {
    const seq = eventInHash(location.hash);
    player.go(seq === null ? 0 : indexOfEvent(events, seq));
  };
  const { before, after } = neighbours(about.deals, about.deal);
  const toDeal = (deal) => deal !== null && location.assign(address({ deal }, ""));
  const keys = {
    ArrowLeft: () => player.go(player.state.index - 1),
    ArrowRight: () => player.go(player.state.index + 1),
    ArrowUp: () => player.go(turnsAround(starts, player.state.index, last).back),
    ArrowDown: () => player.go(turnsAround(starts, player.state.index, last).on),
    Home: () => player.go(0),
    End: () => player.go(last),
    PageUp: () => toDeal(before),
    PageDown: () => toDeal(after),
    " ": () => player.toggle(),
  };
  addEventListener("hashchange", goToHash);
  document.addEventListener("keydown", (event) => onKey(event, keys));
  keepPlaceInLinks(player, events);
  goToHash();
}

// Whoever looks through other eyes goes on looking at the same moment.
function keepPlaceInLinks(player, events) {
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = document.querySelectorAll("a[data-keep-place]");
  for (const link of links) {
    link.addEventListener("click", () => {
      link.hash = `#ev=${events[player.state.index].seq}`;
    });
  }
}

function onKey(event, keys) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const act = keys[event.key];
  const target = event.target.closest("input, select, textarea, button, a, summary, [role=log]");
  // Fields and the log keep their own keys, and a focused button keeps the space bar.
  if (!act || (target && (!target.matches("button, a, summary") || event.key === " "))) return;
  event.preventDefault();
  act();
}

const root = document.querySelector("[data-table]");
startReplay(root).catch((error) => {
  root.querySelector("[data-waiting]")?.replaceChildren(readJson("phrases")["failed"]);
  throw error;
});
