/* The form of a new challenge: the sentence above its button follows every change.

   The server writes the sentence, for the settings in the query. Without scripts a form that was changed
   shows its new sentence when it is sent, and waits for a second press (games/web/lobby/views.py). */

const PAUSE = 150;
/** Fields that the sentence doesn't depend on. */
const UNSAID = new Set([
  "csrfmiddlewaretoken",
  "commitment_token",
  "message",
  "nonce",
  "nonce_commitment",
  "shown",
]);

/** @param {HTMLElement} sentence */
function follow(sentence) {
  const form = /** @type {HTMLFormElement} */ (sentence.closest("form"));
  let timer = 0;
  let turn = 0;

  async function update() {
    turn += 1;
    const mine = turn;
    const query = new URLSearchParams([["sentence", "1"]]);
    for (const [name, value] of new FormData(form)) {
      if (!UNSAID.has(name) && typeof value === "string") {
        query.append(name, value);
      }
    }
    const response = await fetch(`?${query}`);
    const text = await response.text();
    if (response.ok && mine === turn) {
      sentence.textContent = text;
    }
  }

  form.addEventListener("input", () => {
    form.querySelector("[name=shown]")?.remove();
    clearTimeout(timer);
    timer = setTimeout(() => update().catch(() => {}), PAUSE);
  });
}

for (const sentence of document.querySelectorAll("[data-sentence]")) {
  follow(sentence);
}
