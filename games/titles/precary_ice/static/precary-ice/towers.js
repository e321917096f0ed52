/* The towers of a drawing. Within the group of a tower lengths are millimetres, x from its axis and y
   upwards from the table; `.pieces` has a <use> for each piece, the lowest first. */

import { present, required } from "../js/site/required.js";

/** @typedef {{ drawing: SVGSVGElement, panel: HTMLElement }} Board */

const SVG = "http://www.w3.org/2000/svg";
const KEPT = "precary-ice-view";
const RULER = 15;
const EDGE = 2;
const TABLE = 14;
const HELD = 78;
const STEP = 20;
const ABOVE = 4; // For the upper half of the highest number of the ruler.
const BESIDE = 12; // For a piece that is held as far to the right of the last tower as it goes.

/** The room on either side of the axis of a tower that is shown alone, in millimetres. */
export const HALF = 46;

/** Make an element of a drawing.

    @template {keyof SVGElementTagNameMap} Tag
    @param {Tag} tag
    @param {Object<string, string | number>} [attributes]
    @param {Element[]} children
    @returns {SVGElementTagNameMap[Tag]} */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

/** The drawing of a board.

    @param {Element} figure
    @returns {SVGSVGElement} */
export const drawingOf = (figure) => required(".board-scroll > svg", figure);

/** The tower of a seat.

    @param {Element} drawing
    @param {string | number} seat
    @returns {SVGGElement} */
export const towerOf = (drawing, seat) => required(`g.tower[data-seat="${seat}"]`, drawing);

/** What lies beside the board.

    @param {Element} figure
    @returns {HTMLElement} */
export const panelOf = (figure) => required(".board-panel:not(.stage-panel)", figure);

/** What is to be written on the sheet of a seat.

    @param {Element} panel
    @param {string} seat
    @returns {SVGGElement} */
export const dueOf = (panel, seat) => required(`[data-seat="${seat}"] g.due`, panel);

/** The pieces of a tower, the lowest first.

    @param {Element} tower
    @returns {SVGUseElement[]} */
export const piecesOf = (tower) => [...tower.querySelectorAll(".pieces > use")];

/** The seat that has placed the piece which led to a drawing, undefined otherwise.

    @param {Element} drawing
    @returns {string | undefined} */
export const placedBy = (drawing) => drawing?.querySelector(".tower[data-placed]")?.dataset.seat;

/** The next piece of a tower, to be put anywhere.

    @param {SVGGElement} tower
    @returns {SVGUseElement} */
export function nextPiece(tower) {
  const [first] = piecesOf(tower);
  const prefix = first.href.baseVal.replace(/\w\d$/, "");
  return make("use", { href: `${prefix}${tower.dataset.nextPiece}` });
}

/** Put a part of a tower somewhere: millimetres and radians.

    @param {Element} part
    @param {number[]} place */
export function put(part, [x, y, angle]) {
  const turn = (angle * 180) / Math.PI;
  part.setAttribute("transform", `translate(${x.toFixed(3)} ${y.toFixed(3)}) rotate(${turn.toFixed(3)})`);
}

/** How high a tower reaches, in millimetres.

    @param {Element} tower
    @returns {number} */
export function heightOf(tower) {
  const box = required("g.pieces", tower).getBBox();
  return box.y + box.height;
}

/** Scroll a wide drawing, and never the page, until a tower is in the middle.

    @param {SVGGElement} tower */
export function centre(tower) {
  const box = present(tower.ownerSVGElement?.parentElement, "box around the drawing");
  const [own, seen] = [tower, box].map((part) => part.getBoundingClientRect());
  box.scrollLeft += own.x + own.width / 2 - seen.x - seen.width / 2;
}

// --- What is shown of them ---

/* All towers, or one alone, with what lies beside it. The scale depends on the highest tower, in steps, and
   leaves room for a piece that is held over it: it does not change from the aim to the end of the film. */

/** Whether the reader wants one tower alone; the browser keeps the answer.

    @returns {boolean} */
export const wantsAlone = () => localStorage.getItem(KEPT) !== "all";

/** Show one tower alone from now on, or all.

    @param {boolean} isAlone */
export const chooseAlone = (isAlone) => localStorage.setItem(KEPT, isAlone ? "alone" : "all");

/** Where the axis of a tower and its table are in the drawing.

    @param {Element} tower
    @returns {number[]} */
export function placeOf(tower) {
  const found = /translate\(([\d.]+) ([\d.]+)\)/.exec(tower.getAttribute("transform") ?? "");
  return present(found, "place of a tower").slice(1).map(Number);
}

function move(part, ...by) {
  if (by.length) {
    part.setAttribute("transform", `translate(${by.join(" ")})`);
  } else {
    part.removeAttribute("transform");
  }
}

/** Let one tower alone be seen, with what belongs to it; all of them without a seat. */
function select({ drawing, panel }, seat) {
  panel.classList.toggle("all-towers", seat === undefined);
  const isAside = (other) => seat !== undefined && other !== String(seat);
  for (const part of drawing.querySelectorAll(".tower, .before")) {
    part.classList.toggle("aside", isAside(part.dataset.seat));
  }
  for (const part of panel.querySelectorAll("[data-seat]")) {
    part.ownerSVGElement.classList.toggle("aside", isAside(part.dataset.seat));
  }
  for (const column of drawing.querySelectorAll('[data-mark^="tower-"], [data-at^="tower-"]')) {
    const name = column.dataset.mark ?? column.dataset.at;
    column.classList.toggle("aside", seat !== undefined && name !== `tower-${seat}`);
  }
  drawing.classList.toggle("alone", seat !== undefined);
}

/** Where the top of a drawing is, in its own lengths, with room for a piece that is held over its highest tower. */
function topOf(drawing, table) {
  const { highest } = required(".ruler", drawing).dataset;
  return table - Math.ceil((Number(highest) + HELD) / STEP) * STEP - ABOVE;
}

/** Leave room over the towers of a drawing for a piece that is held.

    @param {SVGSVGElement} drawing */
export function raise(drawing) {
  const { x, y, width, height } = drawing.viewBox.baseVal;
  const top = Math.min(topOf(drawing, placeOf(towerOf(drawing, 0))[1]), y);
  drawing.setAttribute("viewBox", [x, top, width + BESIDE, height + y - top].join(" "));
}

/** Frame a board, its drawing and its panel: the tower of a seat alone, or all of them.

    `isHeld` leaves room for a piece over the towers: as long as any of them grows, so that all keep one scale.

    @param {Board} board
    @param {{ alone?: string, isHeld: boolean }} shown */
export function frame(board, { alone, isHeld }) {
  const { drawing } = board;
  const whole = (drawing.dataset.whole ??= drawing.getAttribute("viewBox") ?? "");
  const [left, , width, height] = whole.split(" ").map(Number);
  const ruler = required(".ruler", drawing);
  const [axis, table] = placeOf(towerOf(drawing, alone ?? 0));
  const top = topOf(drawing, table);
  select(board, alone);
  if (alone === undefined) {
    const above = isHeld ? Math.min(top, 0) : 0;
    move(ruler);
    drawing.setAttribute("viewBox", [left, above, width + (isHeld ? BESIDE : 0), height - above].join(" "));
    return;
  }
  const from = axis - HALF - RULER;
  move(ruler, from, 0);
  const shown = [from, top, RULER + 2 * HALF + EDGE, table + TABLE - top];
  drawing.setAttribute("viewBox", shown.join(" "));
}
