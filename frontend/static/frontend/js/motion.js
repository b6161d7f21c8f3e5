// Cards that travel: FLIP with the browser's own animations. The page is always drawn first and
// ready for the next tap; a new move ends what still travels, so motion is never behind the game.

const TIME = 320;
const SHORT = 160;

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether things may move: the device's wish, and the reader's own switch. */
export const mayMove = () => !still.matches && document.documentElement.dataset.motion !== "off" && !document.hidden;

export function motion(root) {
  let rects = new Map();
  let running = [];
  /** The last travel of an element. */
  const travels = new WeakMap();

  const find = (name) => root.querySelector(`[data-move="${name}"]`);

  // Where things are going is asked for all of them before any is moved: a question after a change
  // has the whole page laid out anew.
  /** @type {(() => (() => void) | undefined)[]} */
  let planned = [];

  function depart() {
    const departures = planned.map((measure) => measure());
    planned = [];
    for (const go of departures) go?.();
  }

  const glide = (elm, from, { time = TIME, delay = 0 } = {}) =>
    planned.push(() => {
      const to = elm.getBoundingClientRect();
      if (!to.width || !from?.width) return undefined;
      const [dx, dy] = [from.left - to.left, from.top - to.top];
      if (Math.abs(dx) + Math.abs(dy) < 3) return undefined;
      // Two animations of one property, or of another than transform, would have the page painted
      // anew for every frame.
      const others = elm.getAnimations().filter((each) => each instanceof CSSAnimation);
      return () => {
        for (const each of others) each.cancel();
        const start = `translate(${dx}px, ${dy}px) scale(${from.width / to.width})`;
        elm.style.setProperty("transform-origin", "0 0");
        elm.style.setProperty("z-index", "3");
        const travel = elm.animate([{ transform: start }, { transform: "none" }], {
          duration: time,
          delay,
          fill: "backwards",
          easing: "cubic-bezier(0.2, 0.7, 0.2, 1)",
        });
        running.push(travel);
        travels.set(elm, travel);
        travel.finished.catch(() => {}).finally(() => {
          if (travels.get(elm) === travel) elm.style.removeProperty("z-index");
        });
      };
    });

  // A card that nobody here may see travels as a back, and is gone on arrival.
  const ghost = (from, to, back) =>
    planned.push(() => {
      const source = find(from)?.querySelector("svg") ?? root.querySelector(`.heap-${back} svg`);
      const [start, end] = [rects.get(from), find(to)?.getBoundingClientRect()];
      if (!source || !start || !end) return undefined;
      return () => {
        const copy = source.cloneNode(true);
        copy.classList.add("ghost");
        document.body.append(copy);
        copy.style.setProperty("left", `${start.left}px`);
        copy.style.setProperty("top", `${start.top}px`);
        copy.style.setProperty("width", `${start.width}px`);
        copy.style.setProperty("height", `${start.height}px`);
        const travel = copy.animate(
          [
            { transform: "none", opacity: 1 },
            {
              transform: `translate(${end.left - start.left}px, ${end.top - start.top}px) scale(0.4)`,
              opacity: 0.6,
            },
          ],
          { duration: TIME, easing: "ease-in-out" },
        );
        running.push(travel);
        travel.finished.catch(() => {}).finally(() => copy.remove());
      };
    });

  function arrive(elements, from) {
    elements.forEach((elm, at) => glide(elm, from, { delay: Math.min(at * 25, 200) }));
  }

  /** Follow one event, once the page shows what came of it. */
  function follow({ type, data }, own) {
    const isOwn = data.seat === own;
    const seat = `seat-${data.seat}`;
    const came = () => [...root.querySelectorAll(".hand-card.is-new")];
    const fresh = () => [...root.querySelectorAll(".meld .card.is-fresh")];
    if (type === "card_drawn") {
      if (isOwn) arrive(came(), rects.get("stock"));
      else ghost("stock", seat, "stock");
    } else if (type === "pile_taken") {
      if (isOwn) arrive(came(), rects.get("pile"));
      else ghost("pile", seat, "stock");
    } else if (type === "reserve_taken") {
      if (isOwn) arrive(came(), rects.get("reserves"));
      else ghost("reserves", seat, "reserves");
    } else if (type === "melded") {
      arrive(fresh(), rects.get(isOwn ? "stage" : seat) ?? rects.get(seat));
    } else if (type === "discarded" || type === "card_rejected") {
      const top = root.querySelector("[data-move=pile] > .card");
      if (top) glide(top, rects.get(`gone-${data.card}`) ?? rects.get(seat));
    }
  }

  return {
    /** Before drawing: end what travels, and remember where things lie. */
    before() {
      for (const each of running) each.finish();
      running = [];
      if (!mayMove()) return;
      rects = new Map();
      for (const elm of root.querySelectorAll("[data-move]")) {
        const { move } = elm.dataset;
        const rect = elm.getBoundingClientRect();
        rects.set(move, rect);
        if (move.startsWith("hand-")) rects.set(`gone-${move.slice(5, 7)}`, rect);
      }
    },
    /** After drawing. Of many events at once only the last few are worth following. */
    after(events, own) {
      if (!mayMove() || !rects.size) return;
      for (const elm of root.querySelectorAll(".hand-card:not(.is-new)")) {
        const from = rects.get(elm.dataset.move);
        if (from) glide(elm, from, { time: SHORT });
      }
      for (const event of events.slice(-3)) follow(event, own);
      depart();
    },
  };
}
