/* Why a click on the board leads nowhere: a sentence of the rules, in the place of what is asked, until the
   reader goes on. It is said politely to who listens. */

import { sendStep } from "../live.js";

const box = document.createElement("p");
Object.assign(box, { className: "ask-why", role: "status" });

let asked = 0;

function clear() {
  asked += 1;
  box.textContent = "";
}

/** Ask about a mark after what the address says is entered, and show the answer. */
export async function explain({ dataset }, version) {
  clear();
  const mine = asked;
  const answer = await sendStep(version, location.search.slice(1), dataset.mark);
  if (answer?.said && mine === asked) {
    box.textContent = answer.said;
  }
}

/** Begin anew in the bar of a fresh page. */
export function ready() {
  clear();
  document.querySelector("#match-entry .ask-said")?.append(box);
}

document.addEventListener("pointerdown", clear);
document.addEventListener("keydown", clear);
