/* The keys of the page of a match that are no text: they work wherever no field has the focus. Those of one
   letter can be switched off, for who speaks to a computer; the browser keeps that. */

import * as marks from "../board/marks.js";
import * as zoom from "../board/zoom.js";
import { required } from "../site/required.js";
import * as drawers from "./drawers.js";
import { figure, root } from "./state.js";

const OFF = "match-keys-off";
const POSITIONS = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };
const FIELDS = "input:not([type=range], [type=checkbox], [type=radio]), select, textarea";

const list = () => required("details#keys");

/** Go to the field for a typed move, in its drawer. */
function toField() {
  const field = document.getElementById("typed");
  if (field) {
    drawers.open("more", { focus: false });
    field.focus();
  }
}

function toNext() {
  const { next } = root.dataset;
  if (next) {
    location.assign(next);
  }
}

function toKeys() {
  drawers.open("more", { focus: false });
  list().open = !list().open;
  list().scrollIntoView({ block: "nearest" });
  required("summary", list()).focus({ preventScroll: true });
}

/** Go through the line of a board to think on; return whether the key was for that. */
function toPosition(key) {
  const rel = POSITIONS[key];
  const link = rel && document.querySelector(`.study-stepper a[rel="${rel}"]`);
  link?.click();
  return Boolean(link);
}

const LETTERS = { b: () => marks.enter(figure()), m: toField, n: toNext, "?": toKeys };

/** Act on a key; return whether it was for that.

    @param {KeyboardEvent} event
    @returns {boolean} */
export function press({ key, target }) {
  if (target.matches(FIELDS)) {
    return false;
  }
  if (marks.walk(figure(), key)) {
    return true;
  }
  if (!target.matches("input") && toPosition(key)) {
    return true;
  }
  if (target.matches("body, main") && key.startsWith("Arrow")) {
    marks.enter(figure());
    return true;
  }
  if (LETTERS[key] && localStorage.getItem(OFF) === null) {
    LETTERS[key]();
    return true;
  }
  return zoom.press(key);
}

function begin() {
  const box = required("input[type=checkbox]", list());
  list().hidden = false;
  box.checked = localStorage.getItem(OFF) === null;
  box.addEventListener("change", () => {
    if (box.checked) {
      localStorage.removeItem(OFF);
    } else {
      localStorage.setItem(OFF, "");
    }
  });
}

begin();
