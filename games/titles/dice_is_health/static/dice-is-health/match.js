/* A match of Dice Is Health with script: a movement is entered on the board, and the page is asked only
   for the whole of it; the fights of a move that has just been made are staged. */

import { play } from "./fights.js";
import { movementOn } from "./movement.js";

const root = document.getElementById("match");
const figure = () => document.getElementById("match-board");

const isRecord = root.dataset.page === "record";

let board = null;
let movement = null;

/** Start on a new board, with the movement that the address holds. */
function begin() {
  if (figure() !== board) {
    board = figure();
    movement = isRecord ? null : movementOn(board, root);
  }
}

/** Show the fights of a step once all have moved; what the page says of their outcome waits. */
async function watch({ stage, now, pace, moved }) {
  root.classList.add("watching");
  await moved;
  await play(stage, now.drawing, pace);
  root.classList.remove("watching");
}

function onStep({ detail }) {
  if (detail.now.drawing.querySelector(".throw")) {
    detail.until(watch(detail));
  }
}

/** What the movement understands goes no further. */
function take(event, isTaken) {
  if (isTaken) {
    event.preventDefault();
    event.stopPropagation();
  }
}

function onClick(event) {
  const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.button);
  take(event, isPlain && movement?.isOpen && movement.click(event.target));
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
document.addEventListener("match:step", onStep);
new MutationObserver(begin).observe(root, { childList: true, subtree: true });
begin();
