/* Filters above a list, <form id="…" data-region data-filters="results">: a choice fetches the region
   of that id at once, under an address that can be gone back to.

   <fieldset class="filters-own" data-game="…"> has the filters of one game alone: they are not asked
   of another one, whose own are fetched along. */

import { fetchRegions } from "./lists.js";

const PAUSE = 200;

let timer = 0;

function apply(form) {
  clearTimeout(timer);
  const own = form.querySelector(".filters-own");
  const isOther = form.elements.game.value !== (own?.dataset.game ?? "");
  if (own) {
    own.disabled = isOther;
  }
  const url = `${location.pathname}?${new URLSearchParams(new FormData(form))}`;
  history.pushState(null, "", url);
  fetchRegions([form.dataset.filters, ...(isOther ? [form.id] : [])], url).catch(() => location.reload());
}

document.addEventListener("change", ({ target }) => {
  const form = target.closest("form[data-filters]");
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
