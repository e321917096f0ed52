/* What is shown of a drawing: all towers, or one alone with die, stock and sheet beside it. The scale
   depends on the highest tower, in steps, and leaves room for a piece that is held over it: it does not
   change from the aim to the end of the film. */

import { make } from "./towers.js";

const KEPT = "precary-ice-view";
const HALF = 46;
const RULER = 15;
const CARD = 72;
const EDGE = 2;
const TABLE = 14;
const HELD = 68;
const STEP = 20;
const ABOVE = 4; // For the upper half of the highest number of the ruler.

/** Whether the reader wants one tower alone; the browser keeps the answer. */
export const wantsAlone = () => localStorage.getItem(KEPT) !== "all";

/** Show one tower alone from now on, or all. */
export const choose = (isAlone) => localStorage.setItem(KEPT, isAlone ? "alone" : "all");

/** Where the axis of a tower and its table are in the drawing. */
function placeOf(tower) {
  return /translate\(([\d.]+) ([\d.]+)\)/.exec(tower.getAttribute("transform")).slice(1).map(Number);
}

function move(part, ...by) {
  if (by.length) {
    part.setAttribute("transform", `translate(${by.join(" ")})`);
  } else {
    part.removeAttribute("transform");
  }
}

/** Let one tower alone be seen, with what belongs to it; all of them without a seat. */
function select(drawing, seat) {
  for (const part of drawing.querySelectorAll(".tower, .before")) {
    part.classList.toggle("aside", seat !== undefined && part.dataset.seat !== seat);
  }
  for (const column of drawing.querySelectorAll('[data-mark^="tower-"]')) {
    column.classList.toggle("aside", seat !== undefined && column.dataset.mark !== `tower-${seat}`);
  }
  for (const desk of drawing.querySelectorAll(".desk")) {
    desk.querySelector(".desk-ground")?.remove();
    move(desk);
  }
  drawing.classList.toggle("alone", seat !== undefined);
}

/** Lay die, stock and sheet beside a tower, as a card that the pieces roll under. */
function layBeside(desk, high) {
  move(desk, HALF + CARD / 2, -high);
  desk.prepend(make("rect", { class: "desk-ground", x: -CARD / 2, width: CARD, height: high }));
}

/** Frame a drawing: the tower of a seat alone, or all of them.

    `isHeld` says that a piece is held over a tower, or may be. */
export function frame(drawing, { alone, isHeld }) {
  drawing.dataset.whole ??= drawing.getAttribute("viewBox");
  const [left, , width, height] = drawing.dataset.whole.split(" ").map(Number);
  const ruler = drawing.querySelector(".ruler");
  const [axis, table] = placeOf(drawing.querySelector(`.tower[data-seat="${alone ?? 0}"]`));
  const top = table - Math.ceil((Number(ruler.dataset.highest) + HELD) / STEP) * STEP - ABOVE;
  select(drawing, alone);
  if (alone === undefined) {
    const above = isHeld ? Math.min(top, 0) : 0;
    move(ruler);
    drawing.setAttribute("viewBox", [left, above, width, height - above].join(" "));
    return;
  }
  const from = axis - HALF - RULER;
  move(ruler, from, 0);
  layBeside(drawing.querySelector(`.before[data-seat="${alone}"] .desk`), height - table - TABLE);
  const shown = [from, top, RULER + 2 * HALF + CARD + EDGE, table + TABLE + EDGE - top];
  drawing.setAttribute("viewBox", shown.join(" "));
}
