/* Who else looks at the match now, as the site says over the socket: a mark beside the name, which is
   put there again whenever the strips of the players are swapped.

   <span data-here="1" hidden>…</span> */

let here = [];

/** Show the marks of those who are here. */
export function ready() {
  for (const mark of document.querySelectorAll("#match-players [data-here]")) {
    mark.hidden = !here.includes(Number(mark.dataset.here));
  }
}

document.addEventListener("live:here", ({ detail }) => {
  here = detail.seats;
  ready();
});
