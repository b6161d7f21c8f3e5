// Dragging a card: within the hand to order it, onto a meld or the pile to play it. An extra, for
// mouse, pen and finger; all of it is done by taps as well. Up and down the finger still scrolls.

const START = 10;

/**
 * @param {HTMLElement} root
 * @param {object} p the player
 * @param {object} ctx `dragged` is true for the click that ends a drag
 */
export function drag(root, p, ctx) {
  let held = null;

  root.addEventListener("pointerdown", (event) => {
    /** @type {HTMLElement|null} */
    const elm = /** @type {Element} */ (event.target).closest(".hand-card");
    if (!elm || event.button !== 0) return;
    ctx.dragged = false;
    held = { elm, key: elm.dataset.card, x: event.clientX, y: event.clientY, moving: false };
  });

  root.addEventListener("pointermove", (event) => {
    if (!held) return;
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.moving) {
      if (Math.hypot(dx, dy) < START) return;
      held.moving = true;
      ctx.dragged = true;
      held.elm.setPointerCapture(event.pointerId);
      held.elm.classList.add("is-dragged");
    }
    held.elm.style.setProperty("transform", `translate(${dx}px, ${dy}px)`);
  });

  function end(event, isDropped) {
    if (!held) return;
    const { elm, key, moving } = held;
    held = null;
    if (!moving) return;
    elm.style.removeProperty("transform");
    elm.classList.remove("is-dragged");
    // The click comes after this, and is not a tap.
    setTimeout(() => {
      ctx.dragged = false;
    }, 0);
    if (isDropped) drop(key, elm, event);
  }

  function drop(key, elm, { clientX, clientY }) {
    elm.style.setProperty("pointer-events", "none");
    const under = document.elementFromPoint(clientX, clientY);
    elm.style.removeProperty("pointer-events");
    const goal = /** @type {HTMLElement|null} */ (under?.closest("[data-drop]"))?.dataset.drop;
    if (goal) {
      p.selected.add(key);
      if (goal === "pile") p.toPile();
      else p.toMeld(Number(goal.slice(5)));
      return;
    }
    const keys = p.hand().map((card) => card.key);
    const other = /** @type {HTMLElement|null} */ (under?.closest(".hand-card"));
    const row = root.querySelector(".hand-row");
    if (other) p.moveCard(keys.indexOf(key), keys.indexOf(other.dataset.card));
    else if (row?.contains(under)) p.moveCard(keys.indexOf(key), keys.length - 1);
  }

  root.addEventListener("pointerup", (event) => end(event, true));
  root.addEventListener("pointercancel", (event) => end(event, false));
}
