/* Why a click on the board leads nowhere: a sentence of the rules replaces the prompt until the next click or
   key. It is a live region, so screen readers announce it. */

import { sendStep } from "../live.js";

const box = document.createElement("p");
Object.assign(box, { className: "ask-why", role: "status" });

let asked = 0;

function clear() {
  asked += 1;
  box.textContent = "";
}

/** Ask why a mark leads nowhere after the words in the address, and show the answer. */
export async function explain({ dataset }, version) {
  clear();
  const mine = asked;
  const answer = await sendStep(version, location.search.slice(1), dataset.mark);
  if (answer?.said && mine === asked) {
    box.textContent = answer.said;
  }
}

/** Put the empty region into the bar of a fresh page. */
export function ready() {
  clear();
  document.querySelector("#match-entry .ask-said")?.append(box);
}

document.addEventListener("pointerdown", clear);
document.addEventListener("keydown", clear);
