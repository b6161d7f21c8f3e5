// Small help on the pages where people sit down; all of them work without it.
// A form marked `data-once` is sent once however often its button is tapped.

const SHOWN_FOR = 2500;

/** @type {() => NodeListOf<HTMLFormElement>} */
const formsOnce = () => document.querySelectorAll("form[data-once]");

for (const form of formsOnce()) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
}

// A page that comes back from the browser's memory may send its forms again.
addEventListener("pageshow", () => {
  for (const form of formsOnce()) delete form.dataset.sent;
});

/** @type {NodeListOf<HTMLButtonElement>} */
const copying = document.querySelectorAll("[data-copy]");
/** @type {NodeListOf<HTMLButtonElement>} */
const sharing = document.querySelectorAll("[data-share]");
/** @type {NodeListOf<HTMLInputElement>} */
const links = document.querySelectorAll("input[readonly]");

/** @type {(selector: string) => string} */
const valueOf = (selector) => /** @type {HTMLInputElement} */ (document.querySelector(selector)).value;

for (const button of copying) {
  if (!navigator.clipboard) continue;
  const words = button.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(valueOf(button.dataset.copy));
    button.textContent = button.dataset.done;
    setTimeout(() => {
      button.textContent = words;
    }, SHOWN_FOR);
  });
}

for (const button of sharing) {
  if (!navigator.share) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const url = valueOf(button.dataset.share);
    // Changing one's mind in the phone's own dialogue is no fault.
    await navigator.share({ title: document.title, url }).catch(() => {});
  });
}

for (const field of links) {
  field.addEventListener("focus", () => field.select());
}
