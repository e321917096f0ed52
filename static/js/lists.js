/* Lists that keep up: when the page hears that something changed (live.js), each
   <div id="…" data-live-list="me|lobby" hx-get="…" hx-select="#…" hx-swap="outerHTML"
   hx-trigger="fresh"> is read again. Not while the reader is in it, and not in the first seconds,
   when the page is as fresh as can be. */

const NEW = 5_000;

function freshen(kind) {
  if (performance.now() < NEW) {
    return;
  }
  for (const list of document.querySelectorAll(`[data-live-list~="${kind}"]`)) {
    if (!list.contains(document.activeElement)) {
      window.htmx.trigger(list, "fresh");
    }
  }
}

for (const kind of ["me", "lobby"]) {
  document.addEventListener(`live:${kind}`, () => freshen(kind));
}
