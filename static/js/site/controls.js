/* Menus, buttons and forms on every page. Nothing here is needed to use the site. */

import { gettext, inDigits, interpolate } from "./language.js";
import { present, required } from "./required.js";

/** How far from the edge of the window a menu stays, in pixels. */
const EDGE = 4;

function closeMenus(except) {
  for (const menu of document.querySelectorAll("details[data-menu][open]")) {
    if (menu !== except) {
      menu.open = false;
    }
  }
}

document.addEventListener("click", (event) => {
  closeMenus(event.target.closest("details[data-menu]"));
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") {
    return;
  }
  document.activeElement?.closest("details[data-menu]")?.querySelector("summary")?.focus();
  closeMenus(null);
});

/** Bring all of a menu that was opened between the edges of the window. */
function settleMenu({ target }) {
  const list = target.matches?.("details[data-menu][open]") && target.querySelector(".menu-list");
  if (list) {
    list.style.translate = "";
    const { left, right } = list.getBoundingClientRect();
    const aside = Math.max(EDGE - left, 0) || Math.min(document.documentElement.clientWidth - EDGE - right, 0);
    list.style.translate = `${aside}px`;
  }
}

document.addEventListener("toggle", settleMenu, true);

async function copyAddress(button, input) {
  await navigator.clipboard.writeText(input.value);
  const label = button.textContent;
  button.textContent = gettext("Copied");
  setTimeout(() => {
    button.textContent = label;
  }, 2000);
}

/** Show the buttons that copy an address, where the browser can. */
export function offerCopying() {
  for (const button of navigator.clipboard ? document.querySelectorAll("[data-copy] button[hidden]") : []) {
    const input = required("input", present(button.closest("[data-copy]"), "[data-copy]"));
    button.hidden = false;
    button.addEventListener("click", () => copyAddress(button, input));
  }
}

offerCopying();

/* Who comes back to a form with errors is brought to the first field that has one. */
document.querySelector(".field-bad :is(input, select, textarea)")?.focus();

/* Who begins to play in another tab becomes a guest, and this browser's token another one: a page that
   was drawn for a visitor sends the token of now. Members' pages do not, as somebody else may have
   signed in since. */
function renewToken(form) {
  const token = /(?:^|; )(?:__Host-csrf|csrftoken)=([^;]+)/.exec(document.cookie)?.[1];
  if (token && document.body.dataset.user === "") {
    form.elements.csrfmiddlewaretoken.value = token;
  }
}

/* A form that makes something new is sent once, however often its button is pressed, until the page is shown
   again. */
const sent = new Set();

addEventListener("submit", (event) => {
  if (event.target.matches("form[data-once]")) {
    renewToken(event.target);
  }
  // One that a script holds back, as with strict dice, is sent later by that script.
  if (event.defaultPrevented || !event.target.matches("form[data-once]")) {
    return;
  }
  if (sent.has(event.target)) {
    event.preventDefault();
  }
  sent.add(event.target);
});

addEventListener("pageshow", () => sent.clear());

/* A file that is too large is refused as soon as it is chosen: <input type="file" data-most-bytes>. */
document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement)) {
    return;
  }
  const most = Number(target.dataset.mostBytes);
  if (most) {
    const isTooLarge = (target.files?.[0]?.size ?? 0) > most;
    const refusal = gettext("The file is too large: it may have %(size)s MB at most.");
    target.setCustomValidity(isTooLarge ? interpolate(refusal, { size: inDigits(most / 1e6) }) : "");
    target.reportValidity();
  }
});

/* A field whose use depends on another: <div data-when="clock=custom"> shows while the form's
   field "clock" has the value "custom". Without script all are shown. */
function showDependents(form) {
  const values = new FormData(form);
  for (const part of form.querySelectorAll("[data-when]")) {
    const [name, wanted] = part.dataset.when.split("=");
    part.hidden = !wanted.split("|").includes(values.get(name) ?? "");
    if (part.matches("details:not([hidden])")) {
      part.open = true;
    }
  }
}

for (const form of document.querySelectorAll("form:has([data-when])")) {
  showDependents(form);
  form.addEventListener("change", () => showDependents(form));
}

/* A long list can be searched: <select data-search="Search for a city"> gets a field before it, which
   leaves the choices that hold what is typed. If none does, all stay. */
const plain = (text) => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** @param {HTMLSelectElement} list */
function makeSearchable(list) {
  const parts = [...list.children].map((part) => ({
    part,
    options: part.matches("optgroup") ? [...part.children] : [part],
  }));
  const field = document.createElement("input");
  field.type = "search";
  field.placeholder = field.ariaLabel = list.dataset.search ?? "";
  let chosen = list.value;
  list.addEventListener("change", () => {
    chosen = list.value;
  });
  field.addEventListener("input", () => {
    const typed = plain(field.value.trim());
    const fits = (option) => plain(option.textContent).includes(typed);
    const anyFits = parts.some(({ options }) => options.some(fits));
    list.replaceChildren();
    for (const { part, options } of parts) {
      const left = anyFits ? options.filter(fits) : options;
      if (part.matches("optgroup")) {
        part.replaceChildren(...left);
      }
      if (left.length) {
        list.append(part);
      }
    }
    list.value = chosen;
    if (!list.value) {
      list.selectedIndex = 0;
    }
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      chosen = list.value;
      list.focus();
    }
  });
  list.before(field);
}

document.querySelectorAll("select[data-search]").forEach(makeSearchable);

/* Forms that create a user send the device's time zone, so that times are right from the start.
   Without script it is UTC, until the preferences say otherwise. */
for (const field of document.querySelectorAll("input[type='hidden'][name='time_zone']")) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
}
