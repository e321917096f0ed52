/* Live lists: when the socket reports a change (net/socket.js), each
   <div id="…" data-region data-live-list="me|lobby|match|event"> is fetched again. While the reader is in
   it, that is put off until they leave it. In the first seconds, when the page is fresh and many changes
   may be reported at once, it is put off to their end. Neither holds for a page that Back has brought
   back, since its lists may be hours old.

   One with data-poll="/address/" is fetched from there every minute while the page is in view.

   One with data-live-from="/address/" is fetched from there, after up to two seconds at random, as very
   many pages may show it. One with data-version="42" shows that version of its match or
   tournament. */

import { isOutdated, parse, reload, swap } from "../net/patches.js";

const NEW = 5_000;
const PAUSE = 200;
const SPREAD = 2_000;
const MINUTE = 60_000;

/** The number of the latest fetch: of the page, and of each region that has an address of its own. */
const turns = new Map();
let timer = 0;
/** The versions heard of in the first seconds, by kind. */
const putOff = new Map();
/** The kinds of changes that have to wait until the reader leaves a list, by the list's id. */
const unread = new Map();

const isReading = (id) => document.getElementById(id)?.contains(document.activeElement) ?? false;
const isTyping = () => document.activeElement?.matches("input, select, textarea") ?? false;

/** Fetch the page at `url` and take over the regions with these ids, unless a later call overtakes.

    Tells the page by an event `regions:swapped` on `document` when any has changed. A page of a newer
    release is loaded whole, unless the reader is typing.

    @param {string[]} ids
    @param {string} [url]
    @param {string} [lane] only later calls with the same one overtake
    @param {(id: string) => boolean} [isWanted] asked of each region once the page is here
    @returns {Promise<void>} */
export async function fetchRegions(ids, url = location.href, lane = "page", isWanted = () => true) {
  const mine = (turns.get(lane) ?? 0) + 1;
  turns.set(lane, mine);
  // after Back, browsers would answer from their cache
  const response = await fetch(url, { cache: "no-cache" });
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
  if (swap(content, (id) => ids.includes(id) && isWanted(id)).length) {
    document.dispatchEvent(new CustomEvent("regions:swapped"));
  }
}

/** Fetch lists again: those with an address of their own from there, after a pause at random. */
function fetchLists(lists, isWanted) {
  for (const { id, dataset } of lists.filter((list) => list.dataset.liveFrom)) {
    const fetchOne = () => fetchRegions([id], dataset.liveFrom, id, isWanted).catch(() => {});
    setTimeout(fetchOne, Math.random() * SPREAD);
  }
  const ids = lists.filter(({ dataset }) => !dataset.liveFrom).map(({ id }) => id);
  if (ids.length) {
    fetchRegions(ids, location.href, "page", isWanted).catch(() => {});
  }
}

function refresh(kind, version, isReturn = false) {
  const left = NEW - performance.now();
  if (left > 0 && !isReturn) {
    if (!putOff.has(kind)) {
      setTimeout(() => refresh(kind, putOff.get(kind)), left + 1);
    }
    putOff.set(kind, version);
    return;
  }
  /** Whether a list may change now; otherwise it does once the reader has left it. */
  const mayChange = (id) => {
    if (isReturn || !isReading(id)) {
      return true;
    }
    unread.set(id, new Set(unread.get(id)).add(kind));
    return false;
  };
  const lists = [...document.querySelectorAll(`[data-live-list~="${kind}"]`)];
  fetchLists(
    lists.filter((list) => list.dataset.version !== String(version) && mayChange(list.id)),
    mayChange,
  );
}

document.addEventListener("focusout", ({ target }) => {
  const id = target instanceof Element && target.closest("[data-live-list]")?.id;
  // The next element has the focus only afterwards.
  setTimeout(() => {
    if (unread.has(id) && !isReading(id)) {
      const kinds = unread.get(id);
      unread.delete(id);
      kinds.forEach((kind) => refresh(kind));
    }
  });
});

/* Who waits on the page of a challenge is brought to its match as soon as that begins. */
document.addEventListener("regions:swapped", () => {
  const begun = document.querySelector("#challenge-state a[data-begun]");
  if (begun) {
    location.assign(begun.href);
  }
});

for (const kind of /** @type {const} */ (["me", "lobby", "match", "event"])) {
  document.addEventListener(`live:${kind}`, ({ detail }) => {
    refresh(kind, detail?.version, Boolean(detail && "isReturn" in detail));
  });
}

// --- Filters ---

/* Filters above a list, <form id="…" data-region data-filters="results">: a choice fetches the region
   of that id at once, under an address that can be gone back to.

   <fieldset class="filters-own" data-game="…"> has the filters of one game alone: they are not asked
   of another one, whose own are fetched along. */

function apply(form) {
  clearTimeout(timer);
  const own = form.querySelector(".filters-own");
  const isOther = own ? form.elements.game.value !== own.dataset.game : Boolean(form.elements.game?.value);
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
    fetchRegions([form.id, form.dataset.filters ?? ""]).catch(() => location.reload());
  }
});

setInterval(() => {
  for (const { id, dataset } of document.hidden ? [] : document.querySelectorAll("[data-poll]")) {
    fetchRegions([id], dataset.poll, id).catch(() => {});
  }
}, MINUTE);
