/* A match of Dice Is Health with script: a movement is entered on the board, and the page is asked only
   for the whole of it; the fights of a move that has just been made are staged. */

import { areWanted, play } from "./fights.js";
import { movementOn } from "./movement.js";

const root = document.getElementById("match");
const figure = () => document.getElementById("match-board");

const isRecord = root.dataset.page === "record";

let board = null;
let movement = null;
let known = Infinity;

/** The number of the entry after which the match is shown. */
function numberShown() {
  return Number(isRecord ? document.getElementById("position").dataset.n : document.getElementById("match-head").dataset.version);
}

/** Begin anew on a fresh board: with what the address says of the movement, or with fights. */
function begin() {
  if (figure() === board) {
    return;
  }
  const isNew = numberShown() > known;
  root.classList.remove("watching");
  board = figure();
  known = numberShown();
  movement = isRecord ? null : movementOn(board, root);
  if (isNew && areWanted(board)) {
    watch();
  }
}

/** Show the fights; what the page says of their outcome waits. */
async function watch() {
  const shown = board;
  root.classList.add("watching");
  await play(shown);
  if (shown === board) {
    root.classList.remove("watching");
  }
}

/** What the movement understands goes no further. */
function take(event, isTaken) {
  if (isTaken) {
    event.preventDefault();
    event.stopPropagation();
  }
}

/** While fights are shown, a tap on the board only goes on with them. */
function onClick(event) {
  const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.button);
  const isTap = root.classList.contains("watching") && board.contains(event.target);
  take(event, isPlain && (isTap || (movement?.isOpen && movement.click(event.target))));
}

function onKey(event) {
  const isEntered = event.key === "Enter" && event.target.matches("#match-board .mark");
  const isUndone = event.key === "Escape" && event.target.matches("body, .mark");
  take(event, movement?.isOpen && ((isEntered && movement.click(event.target)) || (isUndone && movement.undo())));
}

/** What a click would do is shown on the board, not fetched by the page. */
function onOver(event) {
  if (movement?.isOpen) {
    event.preventDefault();
    movement.foreshow(event.pointerType === "mouse" ? event.target.closest("[data-mark]")?.dataset.mark : undefined);
  }
}

root.addEventListener("click", onClick, { capture: true });
root.addEventListener("pointerover", onOver, { capture: true });
document.addEventListener("keydown", onKey, { capture: true });
new MutationObserver(begin).observe(root, { childList: true, subtree: true });
begin();
