// Follows tables as the page does: reads [{view, events}], writes the view after each event.

import { reduce } from "../../../frontend/static/frontend/js/reduce.js";

let text = "";
for await (const piece of process.stdin) text += piece;
const followed = JSON.parse(text).map(({ view, events }) => {
  let now = view;
  return events.map((event) => (now = reduce(now, event)));
});
process.stdout.write(JSON.stringify(followed));
