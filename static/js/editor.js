/* The script of the editor of positions. At collectstatic it becomes one file (config/bundles.py).

   Without it the pieces are typed, a line for each space. With it a piece of the tray goes to the spaces that are
   clicked, tapped, or reached by keyboard, and the site draws the board after each change. */

import "./site.js";
import { parse, swap } from "./net/patches.js";
import { required } from "./site/required.js";

const PAUSE = 300;

const form = /** @type {HTMLFormElement} */ (required("form#editor"));
/** A line for each space; a game without pieces has none. @type {HTMLTextAreaElement | null} */
const spaces = document.querySelector("textarea#spaces");

let turn = 0;
let timer = 0;

/** The piece of the tray that is chosen, with its number; empty to clear a space. */
function chosen() {
  const piece = form.querySelector("[name=piece]:checked");
  const number = form.querySelector("#piece-number");
  const isNumbered = piece instanceof HTMLInputElement && piece.dataset.numbered !== undefined;
  const digits = isNumbered && number instanceof HTMLInputElement ? number.value : "";
  return (piece instanceof HTMLInputElement ? piece.value : "") + digits;
}

/** Put the chosen piece on a space.

    @param {HTMLTextAreaElement} field
    @param {string} name */
function put(field, name) {
  const lines = field.value.split("\n").filter((line) => line.trim());
  const known = new Map(lines.map((line) => [line.trim().split(/\s+/)[0], line.trim()]));
  const piece = chosen();
  const isStack = form.dataset.stacks !== undefined && piece;
  const before = isStack ? (known.get(name) ?? "").split(/\s+/).slice(1) : [];
  const after = before.includes(piece) ? before.filter((one) => one !== piece) : [...before, piece].filter(Boolean);
  known.delete(name);
  if (after.length > 0) {
    known.set(name, [name, ...after].join(" "));
  }
  field.value = [...known.values()].join("\n");
}

/** Have the site draw the position, unless it has changed again meanwhile. */
async function show() {
  const mine = (turn += 1);
  const response = await fetch(`${location.pathname}?part=editor`, { method: "POST", body: new FormData(form) });
  if (response.ok && mine === turn) {
    swap(parse(await response.text()));
  }
}

function later() {
  clearTimeout(timer);
  timer = setTimeout(() => show().catch(() => {}), PAUSE);
}

form.addEventListener("click", (event) => {
  const mark = event.target instanceof Element ? event.target.closest("#editor-board a.mark") : null;
  const name = mark?.getAttribute("data-mark");
  if (spaces && name) {
    event.preventDefault();
    put(spaces, name);
    show().catch(() => {});
  }
});

form.addEventListener("input", (event) => {
  if (event.target instanceof Element && !event.target.matches("[name=piece], [name=number]")) {
    later();
  }
});
