/* Swapping parts of the page for fresher ones without disturbing who reads or types in them. A part
   that can change has an id and `data-region`; scripts fetch the page, or a part of it (`?part=…`),
   and put each region that has changed in the place of the one with the same id. */

import { link, unpack } from "./match/marks.js";

const SCROLLS = [".log", ".board-scroll"];

const served = new Map();

/** A selector that finds an element again after a swap: by its id, mark, step or entry. */
function selectorOf(element) {
  if (element?.id) {
    return `#${CSS.escape(element.id)}`;
  }
  for (const key of ["mark", "step", "n"]) {
    if (element?.dataset?.[key] !== undefined) {
      return `[data-${key}="${CSS.escape(element.dataset[key])}"]`;
    }
  }
  return "";
}

/** A selector of the classes of an element; empty without any. */
const classesOf = (element) => [...element.classList].map((name) => `.${CSS.escape(name)}`).join("");

/** Note focus, what is typed, open details and scrolling inside an element. */
function remember(old) {
  const active = old.contains(document.activeElement) ? document.activeElement : null;
  const typing = active?.matches("input:not([type=hidden]), textarea") ? active : null;
  return {
    focus: selectorOf(active),
    value: typing?.value,
    selected: ["text", "textarea"].includes(typing?.type) ? [typing.selectionStart, typing.selectionEnd] : null,
    open: [...old.querySelectorAll("details[open]")].map(classesOf),
    scrolls: SCROLLS.map((name) => [name, old.querySelector(name)]).map(([name, box]) => [
      name,
      box?.scrollTop ?? 0,
      box?.scrollLeft ?? 0,
    ]),
  };
}

function restore(fresh, memory) {
  for (const name of memory.open.filter(Boolean)) {
    const details = fresh.querySelector(`details${name}`);
    if (details) {
      details.open = true;
    }
  }
  for (const [name, top, left] of memory.scrolls) {
    fresh.querySelector(name)?.scrollTo({ top, left, behavior: "instant" });
  }
  const element = memory.focus && fresh.querySelector(memory.focus);
  if (!element) {
    return;
  }
  const details = element.closest("details");
  if (details) {
    details.open = true;
  }
  if (memory.value !== undefined) {
    element.value = memory.value;
  }
  element.focus({ preventScroll: true });
  if (memory.selected) {
    element.setSelectionRange(...memory.selected);
  }
}

/** Put one element in the place of another, keeping what the reader was about. */
export function replace(old, fresh) {
  const memory = remember(old);
  unpack(fresh);
  old.replaceWith(fresh);
  restore(fresh, memory);
}

/** The same text for two servings that differ in nothing but their tokens. */
function plain(region) {
  const copy = region.cloneNode(true);
  copy.querySelectorAll("[name=csrfmiddlewaretoken], [name=submission]").forEach((input) => {
    input.removeAttribute("value");
  });
  return copy.outerHTML;
}

/** Parse HTML that this site has sent. */
export function parse(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

/** Another id for each form that changes a match; also where the page came over plain HTTP. */
function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Parse HTML that was pushed, make links of its marks, and put the token of this page, the version
    and fresh submission ids into its forms.

    `null` where there is none, or no token in this page. */
export function complete({ html, targets = {}, version }, address) {
  const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value;
  const content = parse(html ?? "");
  const forms = content.querySelectorAll("[name=csrfmiddlewaretoken]");
  if (!html || (forms.length && !token)) {
    return null;
  }
  forms.forEach((input) => input.setAttribute("value", token));
  content.querySelectorAll("[name=submission]").forEach((input) => input.setAttribute("value", newId()));
  content.querySelectorAll("[name=version]").forEach((input) => input.setAttribute("value", version));
  link(content, targets, address);
  return content;
}

/** Swap every region of the page of which `content` holds another version.

    Regions for which `isWanted(id)` is false stay. Return the pairs of old and fresh elements. */
export function swap(content, isWanted = () => true) {
  const swapped = [];
  for (const fresh of content.querySelectorAll("[data-region]")) {
    const old = document.getElementById(fresh.id);
    const text = plain(fresh);
    if (old && isWanted(fresh.id) && served.get(fresh.id) !== text) {
      served.set(fresh.id, text);
      replace(old, fresh);
      swapped.push([old, fresh]);
    }
  }
  return swapped;
}
