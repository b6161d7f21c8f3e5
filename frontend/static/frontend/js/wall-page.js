// Starts the wall: draws what the page came with, asks for what is new while it is looked at.

import { merged, renderWall, withRow } from "./wall.js";
import { h, patch } from "./vdom.js";

const EVERY = 2500;
const AFTER_FAULT = 10_000;
/** An answer is drawn a few tables at a time, so that no frame is long. */
const AT_ONCE = 3;
const BETWEEN = 50;

const readJson = (id) => JSON.parse(document.getElementById(id).textContent);

function startWall(root, filter) {
  let rows = new Map();
  let waiting = [];
  let tick = 0;
  let timer = 0;
  let drawing = 0;
  const ctx = {
    phrases: readJson("phrases"),
    sprite: root.dataset.sprite,
    search: filter?.value ?? "",
    // Where there is nothing to search in, whoever follows a pair is led to where there is.
    follow: filter ? follow : (names) => location.assign(`/tables/?name=${encodeURIComponent(names)}`),
    tiles: new Map(),
  };
  root.replaceChildren(document.createElement("div"));
  let node = patch(root.firstElementChild, h("div"));

  function take(feed) {
    tick = feed.tick;
    // Tables that are new or gone are so at once; those that moved on come one after another.
    const moved = feed.tables.filter(({ id }) => rows.has(id));
    const others = feed.tables.filter(({ id }) => !rows.has(id));
    rows = merged(rows, { order: feed.order, tables: others });
    waiting = [...waiting, ...moved];
    drawSome();
  }

  function drawSome() {
    clearTimeout(drawing);
    for (const row of waiting.splice(0, AT_ONCE)) {
      if (rows.has(row.id)) rows = withRow(rows, row);
    }
    draw();
    if (waiting.length) drawing = setTimeout(drawSome, BETWEEN);
  }

  function draw() {
    node = patch(node, renderWall(rows, ctx));
  }

  function search(words) {
    ctx.search = words;
    const url = new URL(location.href);
    if (words.trim()) url.searchParams.set("name", words);
    else url.searchParams.delete("name");
    history.replaceState(null, "", url);
    draw();
  }

  function follow(names) {
    filter.value = names;
    filter.focus();
    search(names);
  }

  async function ask() {
    clearTimeout(timer);
    if (document.visibilityState !== "visible") return;
    let wait = EVERY;
    try {
      const answer = await fetch(`${root.dataset.wall}?since=${tick}`);
      if (!answer.ok) throw new Error(`the wall could not be fetched: ${answer.status}`);
      take(await answer.json());
    } catch {
      // Away for a while: what is shown stays, and the next answer brings what was missed.
      wait = AFTER_FAULT;
    }
    clearTimeout(timer);
    timer = setTimeout(ask, wait);
  }

  filter?.addEventListener("input", () => search(filter.value));
  filter?.form.addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("visibilitychange", ask);
  take(readJson("wall"));
  timer = setTimeout(ask, EVERY);
}

startWall(document.querySelector("[data-wall]"), document.querySelector("[data-filter]"));
