// Starts the live table on a page: reads what the server left in it, draws on each change.

import { follow } from "./live.js";
import { motion } from "./motion.js";
import { clockAt, connectionText, presenceAt } from "./presence.js";
import { emptyView, reduce } from "./reduce.js";
import { render } from "./render.js";
import { conversation } from "./talk.js";
import { LOG_LENGTH, freshCards, lines } from "./telling.js";
import { h, patch } from "./vdom.js";
import { say } from "./words.js";

// Names come with snapshots only, and what was taken back may touch more than cards.
const NEEDS_SNAPSHOT = new Set(["seat_changed", "undo_granted"]);
const SECOND = 1000;

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
    /** Why the server closed the socket for good. */
    gone: null,
    presence: null,
    clock: null,
  };
  let node = patch(root.querySelector("[data-mount]"), h("div"));
  let shown = null;
  const page = {
    beforeDraw: () => {},
    draw(view) {
      shown = view;
      page.beforeDraw();
      const focus = root.contains(document.activeElement) ? document.activeElement : null;
      node = patch(node, render(view, ctx));
      keepFocus(root, focus);
    },
    redraw: () => shown && page.draw(shown),
  };
  ctx.onSwap = () => {
    ctx.near = 1 - ctx.near;
    page.redraw();
  };
  return { ctx, page };
}

// What had the focus may be gone: its successor of the same name gets it, else the hand, so that
// a keyboard or a screen reader is never thrown back to the top of the page.
function keepFocus(root, before) {
  if (!before || before.isConnected || root.querySelector("dialog[open]")) return;
  const same = before.dataset.focus && root.querySelector(`[data-focus="${before.dataset.focus}"]`);
  const next = same || root.querySelector('.hand-card[tabindex="0"]') || root.querySelector(".dock button");
  next?.focus({ preventScroll: true });
}

// A bot comes by its reference: it has no name of its own in any language.
function shownNames(names, { phrases }) {
  return names.map((name, seat) =>
    name.startsWith("bot:") ? say(phrases, "seat.bot", { number: String(seat + 1) }) : name,
  );
}

function addressOf(root) {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const address = new URL(`${scheme}//${location.host}${root.dataset.socket}`);
  if (root.dataset.pass) address.searchParams.set("pass", root.dataset.pass);
  return String(address);
}

async function startLive(root) {
  const { ctx, page } = openPage(root);
  const seat = root.dataset.seat ? Number(root.dataset.seat) : null;
  let view = null;
  let source = null;
  let isBack = false;
  const send = (message) => source?.send(message) ?? false;
  const travel = motion(root);
  const talk = conversation(seat, { send, redraw: page.redraw });
  ctx.talk = talk.render;
  const own =
    seat === null ? null : (await import("./own.js")).ownPlace(root, seat, ctx, { send, redraw: page.redraw });
  if (own) page.beforeDraw = own.beforeDraw;

  // What was on its way when the line broke goes again once the table has been seen.
  function comeBack() {
    if (isBack) own?.onBack();
    isBack = false;
  }

  source = follow(addressOf(root), {
    onState(state) {
      ctx.connection = state;
      isBack ||= state === "back";
      if (state === "gone") {
        own?.onEnd();
        ctx.talk = null;
      }
      if (view) page.draw(view);
      else root.querySelector("[data-waiting]")?.replaceChildren(connectionText(ctx));
    },
    onSnapshot(frame) {
      // Before the first deal the server's view has no table yet.
      view = { ...emptyView(frame.view), ...frame.view, seq: frame.seq };
      ctx.names = shownNames(frame.names, ctx);
      ctx.clock = clockAt(frame.clock);
      ctx.fresh = null;
      root.querySelector("[data-waiting]")?.remove();
      own?.onSnapshot(view);
      comeBack();
      page.draw(view);
    },
    onEvents(events, frame) {
      travel.before();
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
        own?.onEnd();
        page.draw(view);
        throw error;
      }
      // What is caught up with comes without a clock; the next frame has it again.
      if (frame.clock) ctx.clock = clockAt(frame.clock);
      own?.onEvents(view, events);
      comeBack();
      page.draw(view);
      travel.after(events, seat);
      if (events.some(({ type }) => NEEDS_SNAPSHOT.has(type))) send({ t: "since", seq: 0 });
    },
    onOther(frame) {
      if (frame.t === "presence") ctx.presence = presenceAt(frame);
      else if (frame.t === "error" && !frame.id) ctx.gone = frame.code;
      else if (talk.onFrame(frame) || own?.onFrame(frame)) return;
      if (view) page.draw(view);
    },
  });

  setInterval(() => {
    own?.tick();
    if (view && (ctx.clock || ctx.presence?.takeover) && !document.hidden) page.draw(view);
  }, SECOND);
}

const root = document.querySelector("[data-table]");
if (root) startLive(root);
