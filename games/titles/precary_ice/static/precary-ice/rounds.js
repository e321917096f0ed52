/* A whole round, watched in the record: its own playback is begun where the round begins, and ended
   where it does. */

let begin = null;
let end = null;

/** Press the button of the playback, if that is what it says. */
function press(label) {
  const button = document.querySelector(".stepper-tools .btn");
  if (button.textContent === label) {
    button.click();
  }
}

/** The entries that begin and end the round to which an entry belongs. */
async function boundsOf(n, address) {
  const { log } = await (await fetch(address)).json();
  const over = log.filter(({ events }) => events.some(({ type }) => type === "round"));
  const ends = over.map(({ number }) => number);
  return [Math.max(0, ...ends.filter((last) => last < n)), ends.find((last) => last >= n) ?? log.length];
}

/** Watch the round to which entry `n` belongs; `address` is that of the match as JSON. */
export async function watch(n, address) {
  [begin, end] = await boundsOf(n, address);
  if (n === begin) {
    reached(n);
  } else {
    document.querySelector(`.log-link[data-n="${begin}"]`).click();
  }
}

/** Note that the record shows entry `n`. */
export function reached(n) {
  if (n === begin) {
    begin = null;
    press("Play");
  } else if (n === end) {
    end = null;
    press("Pause");
  }
}
