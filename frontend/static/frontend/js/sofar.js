// The score sheet as it grows: what lies on the table so far, line by line, with why. Pure.

import { say, sideName } from "./words.js";
import { h } from "./vdom.js";

const ORDER = ["melds", "clean", "semi", "dirty", "run13", "run14", "closing", "reserve", "hand"];
const signed = (points) => String(points).replace("-", "−");

function line({ code, count, points }, phrases) {
  const why = say(phrases, `why.${code}`, {
    count: String(count),
    each: signed(points / count),
  });
  return h("li", { key: code }, [
    h("span.sofar-line", [h("span", phrases[`line.${code}`]), h("b", signed(points))]),
    h("span.sofar-why", why),
  ]);
}

/**
 * @param {object[]|null} sheets a sheet a side as if the deal ended now
 * @param {object} view the table at that moment
 */
export function scoreSoFar(sheets, view, ctx) {
  const { phrases } = ctx;
  if (!sheets) return null;
  const note = view.all_hands ? "sheet.so_far.all" : "sheet.so_far.public";
  return h("details.sofar", { key: "sofar", attrs: { open: true } }, [
    h("summary", phrases["sheet.so_far"]),
    h("p.sofar-note", phrases[note]),
    h("div.sofar-sides", sheets.map((sheet, side) =>
      h("div", { key: side, attrs: { role: "group", "aria-label": sideName(view, side, ctx) } }, [
        h("p.sofar-head", [h("span", sideName(view, side, ctx)), h("b", signed(sheet.total))]),
        h("ul", ORDER.flatMap((code) => sheet.lines.filter((each) => each.code === code))
          .map((each) => line(each, phrases))),
      ]),
    )),
  ]);
}
