/* The towers of a drawing. Within the group of a tower lengths are millimetres, x from its axis and y
   upwards from the table; `.pieces` has a <use> for each piece, the lowest first. */

const SVG = "http://www.w3.org/2000/svg";

/** Make an element of a drawing. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/** The drawing of a board. */
export const drawingOf = (figure) => figure.querySelector(".board-scroll > svg");

/** The tower of a seat. */
export const towerOf = (drawing, seat) => drawing.querySelector(`.tower[data-seat="${seat}"]`);

/** What lies beside the board. */
export const panelOf = (figure) => figure.querySelector(".board-panel:not(.stage-panel)");

/** What is to be written on the sheet of a seat. */
export const dueOf = (panel, seat) => panel.querySelector(`[data-seat="${seat}"] .due`);

/** The pieces of a tower, the lowest first. */
export const piecesOf = (tower) => [...tower.querySelectorAll(".pieces > use")];

/** The seat that has placed the piece which led to a drawing; none if something else did. */
export const placedBy = (drawing) => drawing?.querySelector(".tower[data-placed]")?.dataset.seat;

/** The next piece of a tower, to be put anywhere. */
export function nextPiece(tower) {
  const [first] = piecesOf(tower);
  const prefix = first.getAttribute("href").replace(/\w\d$/, "");
  return make("use", { href: `${prefix}${tower.dataset.next}` });
}

/** Put a part of a tower somewhere: millimetres and radians. */
export function put(part, [x, y, angle]) {
  const turn = (angle * 180) / Math.PI;
  part.setAttribute("transform", `translate(${x.toFixed(3)} ${y.toFixed(3)}) rotate(${turn.toFixed(3)})`);
}

/** How high a tower reaches, in millimetres. */
export function heightOf(tower) {
  const box = tower.querySelector(".pieces").getBBox();
  return box.y + box.height;
}

/** Scroll a wide drawing, and never the page, until a tower is in the middle. */
export function centre(tower) {
  const frame = tower.ownerSVGElement.parentElement;
  const [own, seen] = [tower, frame].map((part) => part.getBoundingClientRect());
  frame.scrollLeft += own.x + own.width / 2 - seen.x - seen.width / 2;
}
