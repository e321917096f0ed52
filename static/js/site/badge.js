/* How many matches wait for the reader, in the tab's title and beside "My matches". */

const MOST = 99;

const badge = document.querySelector("[data-waiting]");
let count = Number(badge?.dataset.waiting ?? 0);
let plain = document.title;

function show() {
  document.title = count ? `(${count}) ${plain}` : plain;
  for (const link of document.querySelectorAll("a[data-next]")) {
    link.hidden = !count;
  }
}

/** Give the page another title; the count stays before it.

    @param {string} title */
export function setTitle(title) {
  plain = title;
  show();
}

function showCount(waiting) {
  count = waiting;
  badge.hidden = !count;
  badge.firstChild.textContent = count > MOST ? `${MOST}+` : String(count);
  show();
}

async function refresh() {
  const response = await fetch("/api/v1/waiting/");
  if (response.ok) {
    showCount((await response.json()).count);
  }
}

if (badge) {
  show();
  document.addEventListener("live:me", ({ detail }) => {
    if (detail?.waiting === undefined) {
      refresh().catch(() => {});
    } else {
      showCount(detail.waiting);
    }
  });
}
