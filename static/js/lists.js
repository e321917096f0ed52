/* Lists that keep up: when the page is told that something changed (live.js), each
   <div id="…" data-region data-live-list="me|lobby|match"> is fetched again. Not while the reader is in it;
   in the first seconds, when the page is fresh and much may be told at once, it is put off to their
   end. */

import { parse, swap } from "./regions.js";
import { isOutdated, reload } from "./release.js";

const NEW = 5_000;

let turn = 0;
const putOff = new Set();

const isTyping = () => document.activeElement.matches("input, select, textarea");

/** Fetch the page at `url` and take over the regions with these ids, unless a later call overtakes.

    Tells the page by an event `regions:swapped` on `document` when any has changed. A page of a newer
    release is loaded whole, unless the reader is typing. */
export async function fetchRegions(ids, url = location.href) {
  const mine = (turn += 1);
  const response = await fetch(url);
  if (!response.ok || response.redirected) {
    return;
  }
  const content = parse(await response.text());
  if (mine !== turn) {
    return;
  }
  if (isOutdated(content) && !isTyping() && reload(content, url)) {
    return;
  }
  if (swap(content, (id) => ids.includes(id)).length) {
    document.dispatchEvent(new CustomEvent("regions:swapped"));
  }
}

function refresh(kind) {
  const left = NEW - performance.now();
  if (left > 0) {
    if (!putOff.has(kind)) {
      putOff.add(kind);
      setTimeout(() => refresh(kind), left + 1);
    }
    return;
  }
  const lists = [...document.querySelectorAll(`[data-live-list~="${kind}"]`)];
  const ids = lists.filter((list) => !list.contains(document.activeElement)).map(({ id }) => id);
  if (ids.length) {
    fetchRegions(ids).catch(() => {});
  }
}

/* Who waits on the page of a challenge is brought to its match as soon as that begins. */
document.addEventListener("regions:swapped", () => {
  const begun = document.querySelector("#challenge-state a[data-begun]");
  if (begun) {
    location.assign(begun.href);
  }
});

for (const kind of ["me", "lobby", "match"]) {
  document.addEventListener(`live:${kind}`, () => refresh(kind));
}
