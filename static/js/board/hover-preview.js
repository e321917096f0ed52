/* With a mouse: where the pointer rests on a choice, the board that would follow stands over this one as a ghost. It
   is fetched once and kept while the match is at the same version, so that the click needs no request. */

/** @import { Answer, Places } from "../net/sending.js" */

import { ask } from "../net/sending.js";
import { gettext, interpolate } from "../site/language.js";
import { required } from "../site/required.js";

const REST = 150;
const MOST = 40;

const mouse = matchMedia("(hover: hover) and (pointer: fine)");

/** Promises of answers, by address. @type {Map<string, Promise<Answer>>} */
const kept = new Map();

/** @type {Places} */
let places = { address: "", signIn: "" };
let version = 0;
let timer = 0;
/** The mark that the pointer rests on. @type {Element | null} */
let pointed = null;
/** The press of a button before. @type {Partial<PointerEvent>} */
let pressed = {};
/** @type {SVGSVGElement | null} */
let ghost = null;

const board = () => required("#match-board");
const pictureOf = (root) => root.querySelector(".board-scroll > svg");

/** The address that a choice is fetched from.

    @param {string} url
    @param {string} [name] the part that is asked for
    @returns {URL} */
export function partOf(url, name = "entry") {
  const asked = new URL(url, location.href);
  asked.searchParams.set("part", name);
  return asked;
}

function fetchOnce(url) {
  const key = url.href;
  const known = kept.get(key);
  if (known) {
    return known;
  }
  if (kept.size >= MOST) {
    kept.clear();
  }
  const answer = ask(url, {}, places);
  kept.set(key, answer);
  return answer;
}

/** The answer that is kept of an address, once; `undefined` if there is none.

    @param {URL} url
    @returns {Promise<Answer | undefined>} */
export async function take(url) {
  const answer = await kept.get(url.href);
  kept.delete(url.href);
  return answer?.page ? answer : undefined;
}

/** Forget all kept answers: the board shows something else. */
export function forget() {
  kept.clear();
}

/** A copy of a drawing in which nothing can be found or chosen. */
function copyOf(drawing) {
  const copy = drawing.cloneNode(true);
  for (const element of [copy, ...copy.querySelectorAll("*")]) {
    Object.keys(element.dataset).forEach((key) => delete element.dataset[key]);
    element.removeAttribute("tabindex");
    if (element.matches("a")) {
      element.removeAttribute("href");
    }
    if (document.getElementById(element.id)) {
      element.removeAttribute("id");
    }
  }
  copy.setAttribute("class", "board-ghost");
  copy.ariaHidden = "true";
  return copy;
}

/** Lay a drawing over the board, where the same part of it stands; it takes no clicks. */
function show(drawing) {
  const picture = pictureOf(board());
  if (drawing.viewBox.baseVal.width !== picture.viewBox.baseVal.width) {
    return;
  }
  hide();
  const copy = copyOf(drawing);
  copy.setAttribute("viewBox", picture.getAttribute("viewBox"));
  const [frame, box] = [picture.parentNode, picture.getBoundingClientRect()];
  const { left, top } = frame.getBoundingClientRect();
  Object.assign(copy.style, {
    left: `${box.left - left - frame.clientLeft + frame.scrollLeft}px`,
    top: `${box.top - top - frame.clientTop + frame.scrollTop}px`,
    width: `${box.width}px`,
    height: `${box.height}px`,
  });
  picture.after(copy);
  ghost = copy;
}

function hide() {
  ghost?.remove();
  ghost = null;
}

/** Show what would follow a choice, and tell it below the board. */
async function look(mark) {
  const { page } = await fetchOnce(partOf(mark.getAttribute("href")));
  if (page && mark === pointed && mark.isConnected) {
    show(pictureOf(page));
    const told = page.querySelector("#confirm") && page.querySelector(".action-said .action-prompt");
    if (told && !board().matches(".match-board-preview")) {
      // Translators: a place or piece on the board, and what choosing it would do.
      const message = gettext("%(mark)s: %(told)s");
      const values = { mark: mark.getAttribute("aria-label"), told: told.textContent };
      required(".board-told", board()).textContent = interpolate(message, values);
    }
  }
}

/** Whether a mouse that drags nothing has come to where it is; a fresh board may have come under one that rests. */
function hasMoved({ pointerType, buttons, clientX, clientY }) {
  const isFree = pointerType === "mouse" && mouse.matches && !buttons;
  return isFree && (clientX !== pressed.clientX || clientY !== pressed.clientY);
}

/** A title that shows by itself what would follow prevents this. */
function onOver(event) {
  const isMine = hasMoved(event) && !event.defaultPrevented;
  const mark = isMine ? event.target.closest("#match-board a.mark:not(.mark-aside)") : null;
  if (mark === pointed) {
    return;
  }
  leave();
  pointed = mark;
  if (mark) {
    timer = setTimeout(() => look(mark), REST);
  }
}

function onDown(event) {
  pressed = event;
  leave();
}

function leave() {
  clearTimeout(timer);
  pointed = null;
  hide();
}

/** Start with a new board, and drop the cache of another version.

    @param {number} shown the version of the board */
export function ready(shown) {
  leave();
  if (shown !== version) {
    version = shown;
    kept.clear();
  }
}

/** Listen on the page of a match; `asked` is passed to `ask` (net/sending.js).

    @param {HTMLElement} root
    @param {Places} asked */
export function begin(root, asked) {
  places = asked;
  root.addEventListener("pointerover", onOver);
  root.addEventListener("pointerdown", onDown);
  root.addEventListener("pointerleave", leave);
  root.addEventListener("wheel", leave, { passive: true });
}
