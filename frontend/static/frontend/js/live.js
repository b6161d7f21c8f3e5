// The live source: one socket, frames in order, and a way back after any silence.
// Knows frames, not cards: it hands snapshots and events on, and asks `since` when one is missing.
// It keeps nothing for later: what cannot leave now is refused to the caller.

const FIRST_WAIT = 500;
const LONGEST_WAIT = 20_000;
const SILENCE = 45_000;
const ANSWER_WITHIN = 8_000;
// A server to which a whole room returns needs its time.
const GREETING_WITHIN = 20_000;
const BACK_TIME = 8_000;
// Closed for good: another has the seat now, or there is no such table.
const CLOSED_FOR_GOOD = new Set([4403, 4404]);
const IN_ORDER = new Set(["snapshot", "events", "resync", "pong"]);

/** Milliseconds before the next try: doubling up to a limit, with jitter so that a room does not return at once. */
export function waitBefore(attempt, random = Math.random) {
  const full = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempt);
  return full / 2 + (full / 2) * random();
}

/**
 * Keeps the order of frames. `take` answers what to do with one: {snapshot}, {events} (only those
 * not seen yet), {since} (a gap: ask for what follows this number) or {} (nothing new).
 * A page that comes back is greeted with a snapshot and asks for the events instead: so it can
 * tell what happened while it was away. What it gets then it takes, be it a snapshot again.
 */
export function frameOrder() {
  let seq = null;
  let isBack = false;
  return {
    seq: () => seq,
    /** The line was down: what comes next comes over a new one. */
    comeBack() {
      isBack = seq !== null;
    },
    /** @param {import("./types.d.ts").Frame} frame */
    take(frame) {
      if (frame.t === "snapshot") {
        const isGreeting = isBack;
        isBack = false;
        if (isGreeting && frame.seq > seq) return { since: seq };
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
 *   `onState` hears "connecting"; "open"; "lost", or "offline" where the browser says so; "back"
 *   for a while before "open" again; "gone" at the end. `onOther` hears every other frame
 * @returns {{close: () => void, send: (message: object) => boolean}}
 *   `send` says whether the message has left
 */
export function follow(address, listener) {
  const order = frameOrder();
  let socket = null;
  let attempt = 0;
  let timer = 0;
  let watchdog = 0;
  let rest = 0;
  let asked = false;
  let expecting = false;
  let state = "";
  let closed = false;

  function tell(next) {
    clearTimeout(rest);
    if (next === "back") rest = setTimeout(tell, BACK_TIME, "open");
    if (next === state) return;
    state = next;
    listener.onState(next);
  }

  // A dead line can look open for long: after a silence we ask what is new, and hang up unless heard.
  function listenForSilence() {
    clearTimeout(watchdog);
    expecting = false;
    watchdog = setTimeout(probe, SILENCE);
  }

  function probe() {
    if (socket?.readyState === WebSocket.OPEN && order.seq() !== null) send({ t: "since", seq: order.seq() });
  }

  function expectAnswer(within) {
    if (expecting) return;
    expecting = true;
    clearTimeout(watchdog);
    watchdog = setTimeout(hangUp, within);
  }

  function hangUp() {
    attempt += 1;
    tellLost();
    connect();
  }

  // Whatever is sent is answered: who hears nothing has lost the line without being told.
  function send(message) {
    if (socket?.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(message));
    expectAnswer(ANSWER_WITHIN);
    return true;
  }

  const tellLost = () => tell(navigator.onLine === false ? "offline" : "lost");

  function heard({ data }) {
    listenForSilence();
    const frame = JSON.parse(data);
    const { snapshot, events, since } = order.take(frame);
    if (frame.t === "pong") asked = false;
    if (!IN_ORDER.has(frame.t)) listener.onOther?.(frame);
    if (snapshot || events) {
      attempt = 0;
      asked = false;
      if (state !== "back") tell(state === "lost" || state === "offline" ? "back" : "open");
    }
    if (snapshot) listener.onSnapshot(snapshot);
    if (events) listener.onEvents(events, frame);
    if (since !== undefined && !asked) {
      asked = true;
      send({ t: "since", seq: since });
    }
  }

  function connect() {
    clearTimeout(timer);
    drop();
    order.comeBack();
    asked = false;
    if (!state) tell("connecting");
    socket = new WebSocket(address);
    socket.onmessage = heard;
    socket.onclose = ({ code }) => (CLOSED_FOR_GOOD.has(code) ? stop() : retry());
    expectAnswer(GREETING_WITHIN + waitBefore(attempt));
  }

  function drop() {
    clearTimeout(watchdog);
    expecting = false;
    if (!socket) return;
    socket.onclose = null;
    socket.onmessage = null;
    socket.close();
    socket = null;
  }

  function retry() {
    if (closed) return;
    drop();
    tellLost();
    timer = setTimeout(connect, waitBefore(attempt));
    attempt += 1;
  }

  function stop() {
    close();
    tell("gone");
  }

  function reconnectNow() {
    if (!closed && socket?.readyState !== WebSocket.OPEN) connect();
  }

  // A phone that was asleep may have lost the line without a word.
  function lookAgain() {
    if (document.visibilityState !== "visible") return;
    reconnectNow();
    probe();
  }

  function close() {
    closed = true;
    clearTimeout(timer);
    clearTimeout(rest);
    removeEventListener("online", reconnectNow);
    removeEventListener("offline", retry);
    document.removeEventListener("visibilitychange", lookAgain);
    drop();
  }

  addEventListener("online", reconnectNow);
  // What the browser knows at once the socket would find out much later.
  addEventListener("offline", retry);
  document.addEventListener("visibilitychange", lookAgain);
  connect();

  return { send, close };
}
