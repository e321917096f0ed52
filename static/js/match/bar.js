/* What is above the board and what the bar takes, as `--above` and `--bar` of the page, so that the board fills what is
   left. Within a turn both only grow: the board does not jump from step to step. */

const LEAST = 104;

let shown = "";
let lost = null;
let most = { bar: LEAST, above: 0 };

const entry = () => document.getElementById("match-entry");
const watcher = new ResizeObserver(() => {
  if (entry().offsetHeight > most.bar) {
    dispatchEvent(new Event("resize"));
  }
});

/** Put into the bar what says that the page is not live. */
function hostLost() {
  if (lost && lost.parentNode !== entry()) {
    entry().prepend(lost);
  }
}

document.addEventListener("live:lost", ({ detail }) => {
  lost = detail.message;
  hostLost();
});

/** Give the board of a fresh page the room that the bar leaves, also when more is put into the bar. */
export function ready() {
  hostLost();
  fit();
  watcher.disconnect();
  watcher.observe(entry());
}

addEventListener("resize", () => {
  shown = "";
  fit();
});

function fit() {
  const { version } = document.getElementById("match-head").dataset;
  const before = version === shown ? most : { bar: LEAST, above: 0 };
  const top = document.getElementById("match-board").getBoundingClientRect().top + scrollY;
  most = {
    bar: Math.max(before.bar, entry().offsetHeight),
    above: Math.max(before.above, top),
  };
  shown = version;
  for (const [name, height] of Object.entries(most)) {
    document.documentElement.style.setProperty(`--${name}`, `${height}px`);
  }
}
