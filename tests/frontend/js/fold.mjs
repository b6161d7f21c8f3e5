// Folds matches as the page does: reads [{start, events}] on stdin, writes the views after each event.

import { emptyView, reduce } from "../../../frontend/static/frontend/js/reduce.js";
import { describe } from "../../../frontend/static/frontend/js/words.js";

let text = "";
for await (const piece of process.stdin) text += piece;
const { matches, phrases } = JSON.parse(text);

const folded = matches.map(({ start, names, events }) => {
  let view = emptyView(start);
  return events.map((event) => {
    const after = reduce(view, event);
    const said = describe(event, view, after, { phrases, names });
    view = after;
    return { view, said };
  });
});
process.stdout.write(JSON.stringify(folded));
