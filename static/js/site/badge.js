/* How many matches wait for the reader, in the tab's title and beside "My matches", and how many
   notifications are new, beside each bell. */

const MOST = 99;

const badge = document.querySelector("[data-waiting]");
let count = Number(badge?.dataset.waiting ?? 0);
let plain = document.title;

function showTitle() {
  document.title = count ? `(${count}) ${plain}` : plain;
}

function show() {
  showTitle();
  for (const link of document.querySelectorAll("a[data-next]")) {
    link.hidden = !count;
  }
}

/** Give the page another title; the count stays before it. The count may still include the match in which
    the reader has just moved, so a link to the next match on the new page waits for a fresh count.

    @param {string} title */
export function setTitle(title) {
  plain = title;
  showTitle();
  if (count && document.querySelector("a[data-next][hidden]")) {
    refresh().catch(() => {});
  }
}

function showNumber(element, number) {
  element.hidden = !number;
  element.firstChild.textContent = number > MOST ? `${MOST}+` : String(number);
}

function showCounts({ waiting = 0, unseen = 0 }) {
  count = waiting;
  showNumber(badge, waiting);
  document.querySelectorAll("[data-unseen]").forEach((bell) => showNumber(bell, unseen));
  show();
}

async function refresh() {
  // after Back, browsers would answer from their cache
  const response = await fetch("/api/v1/waiting/", { cache: "no-cache" });
  if (response.ok) {
    const counts = await response.json();
    showCounts({ waiting: counts.count, unseen: counts.unseen });
  }
}

if (badge) {
  show();
  document.addEventListener("live:me", ({ detail }) => {
    if (detail?.waiting === undefined) {
      refresh().catch(() => {});
    } else {
      showCounts(detail);
    }
  });
}
