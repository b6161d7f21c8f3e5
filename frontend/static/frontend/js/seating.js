// Small help on the pages where people sit down; all of them work without it.
// A form marked `data-once` is sent once however often its button is tapped.

const SHOWN_FOR = 2500;

for (const form of document.querySelectorAll("form[data-once]")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "yes";
  });
}

// A page that comes back from the browser's memory may send its forms again.
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-once]")) delete form.dataset.sent;
});

for (const button of document.querySelectorAll("[data-copy]")) {
  if (!navigator.clipboard) continue;
  const words = button.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.querySelector(button.dataset.copy).value);
    button.textContent = button.dataset.done;
    setTimeout(() => {
      button.textContent = words;
    }, SHOWN_FOR);
  });
}

for (const button of document.querySelectorAll("[data-share]")) {
  if (!navigator.share) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const url = document.querySelector(button.dataset.share).value;
    // Changing one's mind in the phone's own dialogue is no fault.
    await navigator.share({ title: document.title, url }).catch(() => {});
  });
}

for (const field of document.querySelectorAll("input[readonly]")) {
  field.addEventListener("focus", () => field.select());
}
