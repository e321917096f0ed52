/* The script of the editor of positions. At collectstatic it becomes one file (config/bundles.py).

   Without it a space is chosen from a list, or the pieces are typed, a line for each space. With it a piece of the tray
   goes to the spaces that are clicked, tapped, or reached by keyboard. The site puts it there and draws the board. */

import "./site.js";
import * as marks from "./board/marks.js";
import { parse, swap } from "./net/patches.js";
import { required } from "./site/required.js";

const PAUSE = 300;

const form = /** @type {HTMLFormElement} */ (required("form#editor"));
/** A line for each space; a game without pieces has none. @type {HTMLTextAreaElement | null} */
const spaces = document.querySelector("textarea#spaces");
const undo = /** @type {HTMLButtonElement} */ (required("#editor-undo"));
const board = () => /** @type {HTMLElement} */ (required("#editor-board"));

/** What stood on the spaces before each piece was put. @type {string[]} */
const earlier = [];

let timer = 0;
let latest = Promise.resolve();

/** Do something once the site has answered all that was asked before.

    @param {() => Promise<void>} work */
function next(work) {
  latest = latest.then(work).catch(() => {});
}

/** Have the site draw the position.

    @param {FormData} data */
async function show(data = new FormData(form)) {
  const response = await fetch(`${location.pathname}?part=editor`, { method: "POST", body: data });
  if (response.ok) {
    swap(parse(await response.text()));
    marks.ready(board());
  }
  return response.ok;
}

/** Put the chosen piece on a space.

    @param {HTMLTextAreaElement} field
    @param {string} name
    @param {FormData} data what is sent besides the text of the field */
async function put(field, name, data) {
  const before = field.value;
  data.set("spaces", before);
  const after = (await show(data)) ? required("#editor-board").dataset.spaces : before;
  if (after !== undefined && after !== before && field.value === before) {
    field.value = after;
    earlier.push(before);
    undo.hidden = false;
    required("#news").textContent = document.querySelector(`#editor-board [data-mark="${name}"]`)?.ariaLabel ?? "";
  }
}

function later() {
  clearTimeout(timer);
  timer = setTimeout(() => next(async () => void (await show())), PAUSE);
}

form.addEventListener("click", (event) => {
  const mark = event.target instanceof Element ? event.target.closest("#editor-board a.mark") : null;
  const name = mark?.getAttribute("data-mark");
  if (spaces && name) {
    event.preventDefault();
    const data = new FormData(form);
    data.set("action", "put");
    data.set("space", name);
    next(() => put(spaces, name, data));
  }
});

form.addEventListener("keydown", (event) => {
  if (!event.altKey && !event.ctrlKey && !event.metaKey && marks.walk(board(), event.key)) {
    event.preventDefault();
  }
});

undo.addEventListener("click", () => {
  const before = earlier.pop();
  if (spaces && before !== undefined) {
    spaces.value = before;
    undo.hidden = earlier.length === 0;
    next(async () => void (await show()));
  }
});

form.addEventListener("input", (event) => {
  if (event.target instanceof Element && !event.target.matches("[name=piece], [name=number], [name=aim], [name=space]")) {
    later();
  }
});

marks.begin(form, board);
marks.ready(board());
