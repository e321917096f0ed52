/* Who looks at the match now, and a message where the page is not live. Both come over the connection, and stay when
   the page is replaced. */

import { required } from "../site/required.js";

/** The message that the page is not live. @type {HTMLElement | null} */
let lost = null;
/** The seats of players who look at the match. @type {number[]} */
let here = [];

/** Show both on a fresh page. */
export function ready() {
  if (lost && !lost.closest("#match-entry")) {
    required("#match-entry").prepend(lost);
  }
  // <span data-here="1" hidden>…</span> beside the name of each player
  for (const mark of document.querySelectorAll("#match-players [data-here]")) {
    mark.hidden = !here.includes(Number(mark.dataset.here));
  }
}

document.addEventListener("live:lost", ({ detail }) => {
  lost = detail.message;
  ready();
});
document.addEventListener("live:here", ({ detail }) => {
  here = detail.seats;
  ready();
});
