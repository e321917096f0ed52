/* The editor of positions of Precary-Ice: the chosen piece hangs over the tower under the pointer, or above the finger,
   and is dropped there by a click or when the finger is lifted. The numbers of the form follow it. By keyboard they are
   typed, and Enter on a tower drops the piece (js/editor.js). */

import { present, required } from "../js/site/required.js";
import { heightOf, make, piecesOf, put, raise, towerOf } from "./towers.js";

const FAR = 30;
const ABOVE = 6;
const TOWER = '#editor-board a.mark[data-mark^="tower-"]';

const form = /** @type {HTMLFormElement} */ (required("form#editor"));
const [place, tilt] = /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("[name=aim]"));

/** The piece over a tower, in the drawing. @type {SVGUseElement | null} */
let shown = null;
/** The place that was typed before a pointer came. */
let typed = "";
/** Whether a piece was dropped by the pointer, so that the click that follows does nothing. */
let isDropped = false;

/** The mark of the tower under a pointer, or above which it is in the drawing.

    @param {PointerEvent} event
    @returns {Element | undefined} */
function markUnder({ clientX, clientY }) {
  const { top } = required("#editor-board > svg").getBoundingClientRect();
  return [...form.querySelectorAll(TOWER)].find((mark) => {
    const { left, right, bottom } = mark.getBoundingClientRect();
    return clientX >= left && clientX < right && clientY >= top && clientY < bottom;
  });
}

/** The letter of the chosen piece; empty if it takes one away. */
function letter() {
  const chosen = form.querySelector("[name=piece]:checked");
  return chosen instanceof HTMLInputElement && chosen.value !== "-" ? chosen.value : "";
}

/** Show no piece over a tower. */
function leave() {
  if (shown) {
    shown.remove();
    shown = null;
    place.value = typed;
  }
}

/** Show the piece over a tower, where the pointer is.

    @param {Element} mark
    @param {PointerEvent} event */
function aim(mark, { clientX }) {
  const tower = towerOf(required("#editor-board"), present(mark.getAttribute("data-mark"), "name").slice("tower-".length));
  const [first] = piecesOf(tower);
  const { a, e } = present(tower.getScreenCTM(), "place on the screen");
  const before = shown ? typed : place.value;
  shown?.remove();
  typed = before;
  const prefix = first.href.baseVal.replace(/\w\d$/, "");
  shown = make("use", { href: `${prefix}${letter()}0`, class: "editor-held" });
  tower.append(shown);
  const at = Math.min(Math.max((clientX - e) / a, -FAR), FAR);
  const { y } = shown.getBBox();
  put(shown, [at, heightOf(tower) + ABOVE - y, (Number(tilt.value) * Math.PI) / 180]);
  place.value = at.toFixed(1);
}

/** Make room above the towers. Each change replaces the drawing, so this is done again. */
const fresh = () => raise(/** @type {SVGSVGElement} */ (required("#editor-board > svg")));

/** @param {PointerEvent} event */
function follow(event) {
  const mark = event.isPrimary && letter() ? markUnder(event) : null;
  if (mark) {
    aim(mark, event);
  } else {
    leave();
  }
}

form.addEventListener("pointerdown", (event) => {
  isDropped = false;
  if (event.pointerType !== "mouse") {
    follow(event);
  }
});
form.addEventListener("pointermove", follow);
form.addEventListener("pointercancel", leave);
form.addEventListener("pointerleave", leave);
form.addEventListener("pointerup", (event) => {
  const mark = event.isPrimary && !event.button && shown ? markUnder(event) : null;
  if (mark) {
    mark.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    isDropped = true;
  }
  leave();
});
form.addEventListener(
  "click",
  (event) => {
    if (isDropped && event.isTrusted && event.detail > 0) {
      event.preventDefault();
      event.stopPropagation();
    }
  },
  { capture: true },
);
new MutationObserver(fresh).observe(required(".editor-main"), { childList: true });
fresh();
