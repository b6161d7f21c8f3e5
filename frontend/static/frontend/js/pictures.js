// Cards as pictures out of the sprite. Pure; what lies face down is a back, never a card.

import { h } from "./vdom.js";

/** A symbol of the sprite; spoken names belong to what holds it. */
export function picture(symbol, ctx, sel = "svg.face") {
  return h(sel, { attrs: { "aria-hidden": "true", viewBox: "0 0 50 70" } }, [
    h("use", { attrs: { href: `${ctx.sprite}#${symbol}` } }),
  ]);
}
