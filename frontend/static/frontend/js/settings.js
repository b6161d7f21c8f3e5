// The reader's own choices: look, sound, ways to play. Kept in this browser only, and never sent.
// Loaded first and as a classic script, so that a dark page does not flash white.

(() => {
  // The first of each is what holds until the reader chooses.
  const choices = {
    theme: ["auto", "light", "dark"],
    deck: ["two", "four"],
    contrast: ["normal", "high"],
    motion: ["on", "off"],
    sound: ["off", "on"],
    confirm: ["on", "off"],
    handed: ["right", "left"],
    keys: ["on", "off"],
  };
  const key = (name) => `pozzetto.${name}`;

  function stored(name) {
    try {
      const value = localStorage.getItem(key(name));
      return choices[name].includes(value) ? value : choices[name][0];
    } catch {
      return choices[name][0];
    }
  }

  function apply(name, value) {
    document.documentElement.dataset[name] = value;
  }

  for (const name of Object.keys(choices)) apply(name, stored(name));

  document.addEventListener("DOMContentLoaded", () => {
    /** @type {NodeListOf<HTMLSelectElement>} */
    const selects = document.querySelectorAll("select[data-setting]");
    for (const select of selects) {
      const name = select.dataset.setting;
      select.value = stored(name);
      select.addEventListener("change", () => {
        apply(name, select.value);
        try {
          localStorage.setItem(key(name), select.value);
        } catch {
          // Storage is refused here: the choice holds for this page.
        }
      });
    }
    /** @type {NodeListOf<HTMLSelectElement>} */
    const sending = document.querySelectorAll("select[data-submit]");
    for (const select of sending) {
      select.addEventListener("change", () => select.form.submit());
    }
  });
})();
