// The live source: one socket, frames in order, and a way back after any silence.
// Knows frames, not cards: it hands snapshots and events on, and asks `since` when one is missing.
// It keeps nothing for later: what cannot leave now is refused to the caller.

const FIRST_WAIT = 500;
const LONGEST_WAIT = 20_000;
const SILENCE = 45_000;
const ANSWER_WITHIN = 10_000;
const IN_ORDER = new Set(["snapshot", "events", "resync", "pong"]);

/** Milliseconds before the next try: doubling up to a limit, with jitter so that a room does not return at once. */
export function waitBefore(attempt, random = Math.random) {
  const full = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempt);
  return full / 2 + (full / 2) * random();
}

/**
 * Keeps the order of frames. `take` answers what to do with one: {snapshot}, {events} (only those
 * not seen yet), {since} (a gap: ask for what follows this number) or {} (nothing new).
 */
export function frameOrder() {
  let seq = null;
  return {
    seq: () => seq,
    /** @param {import("./types.d.ts").Frame} frame */
    take(frame) {
      if (frame.t === "snapshot") {
        seq = frame.seq;
        return { snapshot: frame };
      }
      if (frame.t === "resync" && seq !== null) return { since: seq };
      if (frame.t !== "events") return {};
      if (seq === null || frame.to <= seq) return {};
      if (frame.from > seq + 1) return { since: seq };
      const events = frame.events.filter((event) => event.seq > seq);
      seq = frame.to;
      return { events };
    },
  };
}

/**
 * Follow a table until the page goes away.
 * @param {string} address of the socket
 * @param {{onSnapshot: Function, onEvents: Function, onState: Function, onOther?: Function}} listener
 *   `onState` hears "connecting", "open" or "lost"; `onOther` every other frame
 * @returns {{restart: Function, close: Function, send: (message: object) => boolean}}
 *   `restart` asks for a new snapshot; `send` says whether the message has left
 */
export function follow(address, listener) {
  let socket = null;
  let attempt = 0;
  let timer = 0;
  let watchdog = 0;
  let closed = false;

  // A dead line can look open for long: after a silence we ask what is new, and hang up unless heard.
  function listenForSilence(order) {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => {
      if (socket?.readyState !== WebSocket.OPEN) return;
      socket.send(JSON.stringify({ t: "since", seq: order.seq() }));
      watchdog = setTimeout(connect, ANSWER_WITHIN);
    }, SILENCE);
  }

  function connect() {
    clearTimeout(timer);
    clearTimeout(watchdog);
    drop();
    const order = frameOrder();
    let asked = false;
    listener.onState("connecting");
    socket = new WebSocket(address);
    socket.onmessage = ({ data }) => {
      listenForSilence(order);
      const frame = JSON.parse(data);
      const { snapshot, events, since } = order.take(frame);
      if (frame.t === "pong") asked = false;
      if (!IN_ORDER.has(frame.t)) listener.onOther?.(frame);
      if (snapshot || events) {
        attempt = 0;
        asked = false;
        listener.onState("open");
      }
      if (snapshot) listener.onSnapshot(snapshot);
      if (events) listener.onEvents(events, frame);
      if (since !== undefined && !asked) {
        asked = true;
        socket.send(JSON.stringify({ t: "since", seq: since }));
      }
    };
    socket.onclose = retry;
  }

  function drop() {
    if (!socket) return;
    socket.onclose = null;
    socket.onmessage = null;
    socket.close();
    socket = null;
  }

  function retry() {
    if (closed) return;
    clearTimeout(watchdog);
    listener.onState("lost");
    timer = setTimeout(connect, waitBefore(attempt));
    attempt += 1;
  }

  function reconnectNow() {
    if (!closed && socket?.readyState !== WebSocket.OPEN) connect();
  }

  addEventListener("online", reconnectNow);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") reconnectNow();
  });
  connect();

  return {
    restart: connect,
    send(message) {
      if (socket?.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(message));
      return true;
    },
    close() {
      closed = true;
      clearTimeout(timer);
      clearTimeout(watchdog);
      removeEventListener("online", reconnectNow);
      drop();
    },
  };
}
