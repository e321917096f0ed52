/* Holding the next piece, on the page of a match: the hand and the field for a typed move say the same.
   Letting go sends what the field says, as any typed move is sent, and needs no confirmation. */

import { Hand, Hold } from "./hand.js";
import { Panel } from "./panel.js";
import { drawingOf, piecesOf, towerOf } from "./towers.js";

const TYPED = /^\s*place\s*([+-]?\d+(?:\.\d)?)(?:\s*([+-]?\d+))?\s*$/i;

let tower = "";
let hold = null;
let released = "";

const field = () => document.getElementById("typed");

/** What tells one piece to be placed from another: the tower as it stands, and the piece. */
function nameOf(group) {
  return piecesOf(group).map((piece) => piece.outerHTML).join("") + group.dataset.next;
}

/** Let the reader hold the next piece of a seat, where it is the seat's to place. */
export function begin(figure, seat) {
  const drawing = drawingOf(figure);
  const group = seat === undefined ? null : towerOf(drawing, seat);
  const confirmation = document.getElementById("confirm");
  const isAsked = field() && !confirmation;
  playAtOnce(confirmation);
  if (!isAsked || !group?.dataset.next || drawing.querySelector(".hand")) {
    return;
  }
  group.querySelector(".held")?.remove();
  if (tower !== nameOf(group)) {
    [tower, hold] = [nameOf(group), new Hold()];
  }
  take(drawing, group);
}

function take(drawing, group) {
  const hand = new Hand(drawing, group, hold, () => {
    panel.show();
    field().value = hold.text;
  });
  const panel = new Panel(hold, hand, release);
  document.querySelector(".hand-panel")?.remove();
  document.querySelector("#match-entry .ask-ways").prepend(panel.element);
  field().addEventListener("input", () => read(hand));
}

function release() {
  released = hold.text;
  field().value = released;
  field().form.requestSubmit();
}

/** Let the page play what was released without asking once more (js/match/page.js). */
function playAtOnce(confirmation) {
  if (confirmation && released && new FormData(confirmation).getAll("word").join("") === released) {
    confirmation.dataset.atOnce = "";
    released = "";
  }
}

/** Hold the piece where the typed move says, as far as it is one. */
function read(hand) {
  const text = field().value;
  const found = TYPED.exec(text);
  if (found) {
    hand.move(Number(found[1]), Number(found[2] ?? 0));
    field().value = text;
  }
}

/* A click on the tower asks for the piece to be placed: it is in the hand already. */
document.addEventListener(
  "click",
  (event) => {
    const hand = event.target.closest?.("svg.holding")?.querySelector(".hand");
    if (hand) {
      event.preventDefault();
      event.stopPropagation();
      hand.focus({ preventScroll: true });
    }
  },
  { capture: true },
);
