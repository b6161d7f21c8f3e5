// The page that proves a match: fetches its record or reads a kept one, shows each step as it goes.

import { verify } from "./verify.js";
import { say } from "./words.js";
import { h, patch } from "./vdom.js";

const WHY = new Set(["read", "header", "chain", "commitment", "shuffle", "draws"]);

const readJson = (id) => JSON.parse(document.getElementById(id).textContent);

function place({ line, deal }, phrases) {
  const parts = [];
  if (deal !== undefined) parts.push(say(phrases, "verify.in_deal", { deal: String(deal) }));
  if (line !== undefined) parts.push(say(phrases, "verify.at_line", { line: String(line) }));
  return parts.join(" ");
}

function stepItem(found, number, phrases) {
  const { step, ok, values, code, where } = found;
  const text = (key) => say(phrases, key, values);
  return h("li.proof", { key: number, class: { "is-ok": ok, "is-wrong": !ok } }, [
    h("p.proof-head", [
      h("b.proof-mark", phrases[ok ? "verify.passed" : "verify.failed"]),
      h("span", text(`step.${step}`)),
    ]),
    ok
      ? h("p", text(`step.${step}.why`))
      : h("p.proof-fault", [phrases[`fault.${code}`], " ", place(where, phrases)]),
  ]);
}

function result(state, phrases) {
  if (state.note) return h("p.verdict", phrases[state.note]);
  const wrong = state.steps.some(({ ok }) => !ok);
  const hidden = state.steps.find(({ step }) => step === "redacted");
  if (wrong) return h("p.verdict.is-wrong", phrases["verify.unsound"]);
  if (hidden) {
    return h("div.verdict", [h("p", phrases["verify.redacted"]), h("code", hidden.values.commitment)]);
  }
  return state.done ? h("p.verdict.is-ok", phrases["verify.sound"]) : null;
}

function draw(state, phrases) {
  return h("div.proofs", [
    h("div", { attrs: { role: "status" } }, [result(state, phrases)]),
    h("ol.proof-list", state.steps.filter(({ step, ok }) => !ok || WHY.has(step))
      .map((found, number) => stepItem(found, number, phrases))),
  ]);
}

function startVerify(root) {
  const phrases = readJson("phrases");
  const button = root.querySelector("[data-check]");
  const file = root.querySelector("[data-file]");
  let node = patch(root.querySelector("[data-mount]"), h("div"));
  let run = 0;
  const show = (state) => {
    node = patch(node, draw(state, phrases));
  };

  async function check(load) {
    run += 1;
    const own = run;
    const state = { steps: [], note: "verify.reading", done: false };
    show(state);
    let bytes;
    try {
      bytes = await load();
    } catch {
      show({ ...state, note: "verify.unreachable" });
      return;
    }
    state.note = "verify.working";
    for await (const found of verify(bytes)) {
      if (own !== run) return;
      state.steps.push(found);
      show(state);
    }
    state.note = "";
    state.done = true;
    show(state);
    button.textContent = phrases["verify.again"];
  }

  async function fetched() {
    const answer = await fetch(root.dataset.verify);
    if (!answer.ok) throw new Error(`the record could not be fetched: ${answer.status}`);
    return new Uint8Array(await answer.arrayBuffer());
  }

  if (!globalThis.crypto?.subtle) {
    show({ steps: [], note: "verify.insecure", done: false });
    button.disabled = true;
    return;
  }
  button.addEventListener("click", () => check(fetched));
  // A file that was changed meanwhile may be chosen again.
  file.addEventListener("click", () => {
    file.value = "";
  });
  file.addEventListener("change", () => {
    const [chosen] = file.files;
    if (chosen) check(async () => new Uint8Array(await chosen.arrayBuffer()));
  });
  check(fetched);
}

startVerify(document.querySelector("[data-verify]"));
