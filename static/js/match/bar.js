/* What says that the page is not live stands in the action area. */

let lost = null;

/** Put it into the action area of a fresh page. */
export function ready() {
  if (lost && !lost.closest("#match-entry")) {
    document.getElementById("match-entry").prepend(lost);
  }
}

document.addEventListener("live:lost", ({ detail }) => {
  lost = detail.message;
  ready();
});
