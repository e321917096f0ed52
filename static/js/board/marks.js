/* The marks of a board: spaces, pieces and cards that can be pointed at.

   Where there are thousands of them they come packed (games/screen/packed_marks.py): a run becomes the
   anchors that it stands for, each a copy of the first, shifted to its place.

   <defs class="marks" data-label="{}, empty" data-link="/matches/42/?word=place+S+&word={}"
     data-places="a1,0,0 b1,24,0"> what the first is drawn as </defs>

   Arrow keys go from mark to mark by where they are drawn. One mark at a time is in the tab order; the
   page remembers which. What a mark shows is written below the board. */

import { present } from "../site/required.js";

/** @import { Targets } from "../net/patches.js" */

const SVG = "http://www.w3.org/2000/svg";
const NAME = "{}";
const DIRECTIONS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const WIDEST = 1.8;
const SLACK = 2;
const BOARDS = ":is(#match-board, #editor-board)";
const SHAPES = "path, rect, circle, ellipse, polygon";

let current = "";
/** Where arrow keys up and down keep to. @type {number | null} */
let column = null;

function markOf(run, place) {
  const [name, x, y] = place.split(",");
  const mark = document.createElementNS(SVG, "a");
  mark.setAttribute("class", "mark");
  mark.dataset.mark = name;
  mark.dataset.hidden = "";
  mark.setAttribute("aria-label", run.dataset.label.replace(NAME, name));
  mark.setAttribute("href", run.dataset.link.replace(NAME, name));
  mark.setAttribute("transform", `translate(${x} ${y})`);
  mark.append(...run.cloneNode(true).children);
  return mark;
}

/** Unpack the marks below an element.

    @param {ParentNode} root */
export function unpack(root) {
  for (const run of root.querySelectorAll("defs.marks")) {
    run.replaceWith(...present(run.dataset.places, "data-places").split(" ").map((place) => markOf(run, place)));
  }
}

/** Make links of the marks that lead somewhere: `targets` has the query of each by its name.

    @param {ParentNode} root
    @param {Targets} targets
    @param {string} address the path of the match */
export function link(root, targets, address) {
  for (const mark of root.querySelectorAll("g.mark")) {
    const query = targets[mark.dataset.mark ?? ""];
    if (query !== undefined) {
      const anchor = document.createElementNS(SVG, "a");
      for (const { name, value } of mark.attributes) {
        anchor.setAttribute(name, value);
      }
      anchor.removeAttribute("role");
      anchor.setAttribute("href", query ? `${address}?${query}` : address);
      anchor.append(...mark.childNodes);
      mark.replaceWith(anchor);
    }
  }
}

// --- Focus ---

/** The middle of a mark as it is seen, in units of the drawing, which may be turned or partly hidden. */
function middle(mark) {
  const box = mark.getBoundingClientRect();
  const { a, d, e, f } = mark.ownerSVGElement.getScreenCTM();
  return [(box.left + box.width / 2 - e) / Math.abs(a), (box.top + box.height / 2 - f) / Math.abs(d)];
}

function marksOf(board) {
  return [...board.querySelectorAll(".mark")];
}

const leadsOn = (mark) => mark.matches("a:not(.mark-aside)");

/** The mark that the tab key comes to: the one that had the focus last, else the first that leads on, else the first
    piece or card. */
function entrance(marks) {
  const known = marks.find((mark) => mark.dataset.mark === current);
  return known ?? marks.find(leadsOn) ?? marks.find((mark) => mark.matches("[data-movable]")) ?? marks[0];
}

/** Write below the board what a mark shows; a preview says there that it is one. */
function describe({ target }) {
  const mark = target.closest?.(".mark");
  const description = mark?.closest(".match-board:not(.match-board-preview)")?.querySelector(".board-told");
  if (description) {
    description.textContent = mark.getAttribute("aria-label");
  }
}

/** A copy of the shape that a mark is made of, or of that in the symbol that it uses, where it stands in a drawing;
    none for a mark without one, or that isn't drawn.

    @param {Element} mark
    @param {SVGSVGElement} drawing
    @returns {SVGGraphicsElement | null} */
export function outlineOf(mark, drawing) {
  /** @type {SVGGraphicsElement | null} */
  let shape = mark.querySelector(`use, ${SHAPES}`);
  let place = shape?.getScreenCTM();
  if (shape instanceof SVGUseElement) {
    place = place?.translate(shape.x.baseVal.value, shape.y.baseVal.value);
    const used = shape.ownerSVGElement?.getElementById(shape.href.baseVal.slice(1));
    shape = /** @type {SVGGraphicsElement | null} */ (used?.matches(SHAPES) ? used : (used?.querySelector(SHAPES) ?? null));
  }
  const whole = drawing.getScreenCTM();
  if (!shape || !place || !whole) {
    return null;
  }
  const copy = shape.cloneNode(false);
  const { a, b, c, d, e, f } = whole.inverse().multiply(place);
  copy.removeAttribute("id");
  copy.setAttribute("transform", `matrix(${[a, b, c, d, e, f]})`);
  return copy;
}

/** Draw the outline of the mark that has the focus above everything: what lies beside it would cover it. */
function ring() {
  document.querySelectorAll(`${BOARDS} .focus-ring`).forEach((old) => old.remove());
  const mark = document.querySelector(`${BOARDS} .mark:focus-visible`);
  const drawing = mark?.closest("svg");
  const outline = mark && drawing && outlineOf(mark, drawing);
  if (outline) {
    outline.setAttribute("class", "focus-ring");
    drawing.append(outline);
  }
}

/** Unpack all marks, and let the tab key stop at one only.

    @param {HTMLElement} board */
export function ready(board) {
  unpack(board);
  const marks = marksOf(board);
  const chosen = entrance(marks);
  for (const mark of marks) {
    mark.setAttribute("tabindex", mark === chosen ? "0" : "-1");
  }
  ring();
  writeList();
}

/** Write the list of the board, if it is open: what its marks are called. */
function writeList() {
  const list = document.querySelector("#match-text .board-list[open] ul");
  if (!list) {
    return;
  }
  const items = [...document.querySelectorAll("#match-board .mark:not([data-hidden])")].map((mark) => {
    const item = document.createElement("li");
    item.textContent = mark.getAttribute("aria-label");
    return item;
  });
  list.replaceChildren(...items);
}

/** Bring the focus to the board: to a mark that leads on, if there is any.

    @param {HTMLElement} board */
export function enter(board) {
  const marks = marksOf(board);
  const chosen = entrance(marks);
  const next = chosen?.matches("a") ? chosen : marks.find(leadsOn);
  (next ?? chosen)?.focus();
}

/** How far off a mark is from where a step should lead; `Infinity` if it lies in another direction. */
function cost(from, to, [dx, dy], goal) {
  const [x, y] = [to[0] - from[0], to[1] - from[1]];
  const along = x * dx + y * dy;
  const across = Math.abs(x * dy) + Math.abs(y * dx);
  if (along <= SLACK || across > along * WIDEST) {
    return Infinity;
  }
  const aside = dy ? Math.abs(to[0] - goal) : across;
  return Math.hypot(x, y) + aside / 2;
}

function neighbour(board, mark, direction) {
  const from = middle(mark);
  const goal = column ?? from[0];
  /** @type {HTMLElement | null} */
  let best = null;
  let least = Infinity;
  for (const other of marksOf(board)) {
    const far = cost(from, middle(other), direction, goal);
    if (far < least) {
      [best, least] = [other, far];
    }
  }
  column = direction[1] ? goal : null;
  return best;
}

/** Go a step over the board; return whether the key was for that.

    @param {HTMLElement} board
    @param {string} key
    @returns {boolean} */
export function walk(board, key) {
  const mark = board.querySelector(".mark:focus");
  if (!DIRECTIONS[key] || !mark) {
    return false;
  }
  neighbour(board, mark, DIRECTIONS[key])?.focus();
  return true;
}

/** Remember the mark that has the focus, and make it the one that the tab key comes to. */
function note(board) {
  const mark = board.querySelector(".mark:focus");
  if (mark) {
    current = mark.dataset.mark ?? "";
    ready(board);
  }
}

function onToggle({ target }) {
  if (target.matches("#match-text .board-list")) {
    writeList();
  }
}

/** Listen on the page of a match, or of its record; `figure()` is its board.

    @param {HTMLElement} root
    @param {() => HTMLElement} figure */
export function begin(root, figure) {
  root.addEventListener("focusin", () => note(figure()));
  document.addEventListener("pointerover", describe);
  document.addEventListener("focusin", describe);
  document.addEventListener("focusin", ring);
  document.addEventListener("focusout", ring);
  document.addEventListener("toggle", onToggle, true);
}
