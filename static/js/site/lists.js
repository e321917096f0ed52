/* Live lists: when the socket reports a change (net/socket.js), each
   <div id="…" data-region data-live-list="me|lobby|match|event"> is fetched again. Not while the reader is in it;
   in the first seconds, when the page is fresh and much may be told at once, it is put off to their
   end.

   One with data-live-from="/address/" is fetched from there, after up to two seconds at random, as very
   many pages may show it. One with data-version="42" shows that version of its match or
   tournament. */

import { isOutdated, parse, reload, swap } from "../net/patches.js";

const NEW = 5_000;
const PAUSE = 200;
const SPREAD = 2_000;

/** The number of the latest fetch: of the page, and of each region that has an address of its own. */
const turns = new Map();
let timer = 0;
/** The versions heard of in the first seconds, by kind. */
const putOff = new Map();

const isTyping = () => document.activeElement.matches("input, select, textarea");

/** Fetch the page at `url` and take over the regions with these ids, unless a later call overtakes.

    Tells the page by an event `regions:swapped` on `document` when any has changed. A page of a newer
    release is loaded whole, unless the reader is typing.

    @param {string[]} ids
    @param {string} [url]
    @param {string} [lane] only later calls with the same one overtake
    @returns {Promise<void>} */
export async function fetchRegions(ids, url = location.href, lane = "page") {
  const mine = (turns.get(lane) ?? 0) + 1;
  turns.set(lane, mine);
  const response = await fetch(url);
  if (!response.ok || response.redirected) {
    return;
  }
  const content = parse(await response.text());
  if (mine !== turns.get(lane)) {
    return;
  }
  if (isOutdated(content) && !isTyping() && reload(content, url)) {
    return;
  }
  if (swap(content, (id) => ids.includes(id)).length) {
    document.dispatchEvent(new CustomEvent("regions:swapped"));
  }
}

/** Fetch a region from an address of its own. */
function fetchLater(list) {
  const { id, dataset } = list;
  setTimeout(() => fetchRegions([id], dataset.liveFrom, id).catch(() => {}), Math.random() * SPREAD);
}

function refresh(kind, version) {
  const left = NEW - performance.now();
  if (left > 0) {
    if (!putOff.has(kind)) {
      setTimeout(() => refresh(kind, putOff.get(kind)), left + 1);
    }
    putOff.set(kind, version);
    return;
  }
  const lists = [...document.querySelectorAll(`[data-live-list~="${kind}"]`)].filter(
    (list) => !list.contains(document.activeElement) && list.dataset.version !== String(version),
  );
  lists.filter(({ dataset }) => dataset.liveFrom).forEach(fetchLater);
  const ids = lists.filter(({ dataset }) => !dataset.liveFrom).map(({ id }) => id);
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

for (const kind of /** @type {const} */ (["me", "lobby", "match", "event"])) {
  document.addEventListener(`live:${kind}`, ({ detail }) => refresh(kind, detail?.version));
}

// --- Filters ---

/* Filters above a list, <form id="…" data-region data-filters="results">: a choice fetches the region
   of that id at once, under an address that can be gone back to.

   <fieldset class="filters-own" data-game="…"> has the filters of one game alone: they are not asked
   of another one, whose own are fetched along. */

function apply(form) {
  clearTimeout(timer);
  const own = form.querySelector(".filters-own");
  const isOther = form.elements.game.value !== (own?.dataset.game ?? "");
  if (own) {
    own.disabled = isOther;
  }
  const url = `${location.pathname}?${new URLSearchParams(/** @type {any} */ (new FormData(form)))}`;
  history.pushState(null, "", url);
  fetchRegions([form.dataset.filters, ...(isOther ? [form.id] : [])], url).catch(() => location.reload());
}

document.addEventListener("change", ({ target }) => {
  const form = target instanceof Element && target.closest("form[data-filters]");
  if (form) {
    clearTimeout(timer);
    timer = setTimeout(() => apply(form), PAUSE);
  }
});

document.addEventListener("submit", (event) => {
  if (event.target.matches("form[data-filters]")) {
    event.preventDefault();
    apply(event.target);
  }
});

addEventListener("popstate", () => {
  const form = document.querySelector("form[data-filters]");
  if (form) {
    form.reset();
    fetchRegions([form.id, form.dataset.filters]).catch(() => location.reload());
  }
});
