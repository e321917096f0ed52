/* What the site sends of a page, and how it comes into the page.

   A page of a match is in named parts (games/screen/parts.py). A part is HTML in which slots stand
   for other parts; a patch holds the parts that changed, and `null` for one that is gone.

   A part that can change on the page is a region: it has an id and `data-region`. Scripts compose the
   page from its parts, or fetch it or a part of it (`?part=…`), and put each region that has changed
   in the place of the one with the same id, without disturbing who reads or types in it. */

import { link, unpack } from "../board/marks.js";
import { hex } from "./bytes.js";
import { showIn } from "./times.js";

/** @typedef {Object<string, string>} Parts the HTML of each part, by its name */
/** @typedef {Object<string, string | null>} Patch the parts that changed; `null` for one that is gone */
/** @typedef {Object<string, string>} Targets the query of each mark with a link, by its name */

const SLOT = /<!--part (.*?)-->/g;
const WHOLE = "page";
const SCROLLS = [".log", ".board-scroll"];
const RELOADED = "reloaded-for";

const served = new Map();

// --- Patches ---

/** The parts after a patch.

    @param {Parts} parts
    @param {Patch} patch
    @returns {Parts} */
export function apply(parts, patch) {
  const changed = Object.entries({ ...parts, ...patch });
  return Object.fromEntries(changed.flatMap(([name, text]) => (text === null ? [] : [[name, text]])));
}

/** A part with the parts that its slots stand for, as HTML.

    @param {Parts} parts
    @param {string} [name]
    @returns {string} */
export function compose(parts, name = WHOLE) {
  return parts[name].replace(SLOT, (_, inner) => compose(parts, inner));
}

/** Parse HTML that this site has sent.

    @param {string} html
    @returns {DocumentFragment} */
export function parse(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

/** Another id for each form that changes a match, also where the page came over plain HTTP: a UUID of version 4,
    as version 8 says that a plan made the move. */
function newId() {
  const digits = hex(crypto.getRandomValues(new Uint8Array(16)));
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, "$1-$2-4$3-8$4-");
}

/** Parse HTML that was pushed, make links of its marks, write its times in the zone of this page, and put the token of
    this page, the version and fresh submission ids into its forms.

    `null` where there is none, or no token in this page.

    @param {{ html?: string, targets?: Targets, version: number }} update
    @param {string} address the path of the match
    @returns {DocumentFragment | null} */
export function complete({ html, targets = {}, version }, address) {
  const token = document.querySelector("input[name=csrfmiddlewaretoken]")?.value;
  const content = parse(html ?? "");
  const forms = content.querySelectorAll("[name=csrfmiddlewaretoken]");
  if (!html || (forms.length && !token)) {
    return null;
  }
  forms.forEach((input) => input.setAttribute("value", token ?? ""));
  content.querySelectorAll("[name=submission]").forEach((input) => input.setAttribute("value", newId()));
  content.querySelectorAll("[name=version]").forEach((input) => input.setAttribute("value", String(version)));
  link(content, targets, address);
  const zone = document.getElementById("match")?.dataset.zone;
  if (zone) {
    showIn(content, JSON.parse(zone));
  }
  return content;
}

// --- Regions ---

/** A selector that finds an element again after a swap: by its id, mark, step, entry or address. */
function selectorOf(element) {
  if (element?.id) {
    return `#${CSS.escape(element.id)}`;
  }
  for (const key of ["mark", "step", "n"]) {
    if (element?.dataset?.[key] !== undefined) {
      return `[data-${key}="${CSS.escape(element.dataset[key])}"]`;
    }
  }
  const address = element?.getAttribute("href");
  return address ? `a[href="${CSS.escape(address)}"]` : "";
}

/** A selector of the classes of an element; empty without any. */
const classesOf = (element) => [...element.classList].map((name) => `.${CSS.escape(name)}`).join("");

/** Note focus, what is typed, open details and scrolling inside an element. */
function remember(old) {
  const active = old.contains(document.activeElement) ? document.activeElement : null;
  const isTyping = active?.matches("input:not([type=hidden]), textarea");
  const typing = isTyping ? /** @type {HTMLInputElement | HTMLTextAreaElement} */ (active) : null;
  return {
    focus: selectorOf(active),
    value: typing?.value,
    selected: typing && ["text", "textarea"].includes(typing.type) ? [typing.selectionStart, typing.selectionEnd] : null,
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

/** Put one element in the place of another, keeping what the reader was about.

    @param {Element} old
    @param {Element} fresh */
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

/** Swap every region of the page of which `content` holds another version.

    Regions for which `isWanted(id)` is false stay. Return the pairs of old and fresh elements.

    @param {ParentNode} content
    @param {(id: string) => boolean} [isWanted]
    @returns {[Element, Element][]} */
export function swap(content, isWanted = () => true) {
  /** @type {[Element, Element][]} */
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

// --- Releases ---

/* Whether the site has been updated since this page was loaded. Every page, and every part of one that
   scripts fetch, names the script that it was made for: an address with a hash, so that another
   release has another one. */

/** The address of the script that a page, or a part of one, was made for; `undefined` if none.

    @param {ParentNode} content
    @returns {string | undefined} */
export function scriptOf(content) {
  const script = content.querySelector("script[type=module][src]");
  return script?.getAttribute("src") ?? content.querySelector("[data-script]")?.dataset.script;
}

const ownScript = scriptOf(document);

/** Load the page again, as the site no longer speaks with it; return whether that is done.

    It is done once for each release that the page comes from, and not while its reader is typing.

    @returns {boolean} */
export function reloadOutdated() {
  const key = `outdated-${ownScript}`;
  if (sessionStorage.getItem(key) || document.activeElement?.matches("input, select, textarea")) {
    return false;
  }
  sessionStorage.setItem(key, "reloaded");
  location.reload();
  return true;
}

/** Whether fetched content was made for another script than the one that runs.

    @param {ParentNode} content
    @returns {boolean} */
export function isOutdated(content) {
  const script = scriptOf(content);
  return script !== undefined && ownScript !== undefined && script !== ownScript;
}

/** Load the page of a newer release, at `url`; return whether that is done.

    Done once for each release: while servers of two releases run side by side, the page would
    otherwise reload forever.

    @param {ParentNode} content
    @param {string} [url]
    @returns {boolean} */
export function reload(content, url = location.href) {
  const script = scriptOf(content);
  if (sessionStorage.getItem(RELOADED) === script) {
    return false;
  }
  sessionStorage.setItem(RELOADED, script ?? "");
  location.replace(url);
  return true;
}
