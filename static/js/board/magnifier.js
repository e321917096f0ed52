/* The magnifier: where what can be chosen is smaller than a finger, it shows what lies under the finger, enlarged above
   it, with the name of what lifting the finger chooses. Sliding adjusts the choice; off the board nothing is chosen.

   It opens once the finger rests or slides. On a board or a page that scrolls, sliding scrolls, so there it opens
   only for a finger that rests. A tap opens none. Where moves are confirmed, a finger that just misses a mark that leads
   on chooses it; where moves are played at once, it chooses only what it hits. */

import { gettext } from "../site/language.js";
import { present } from "../site/required.js";
import { outlineOf } from "./marks.js";

const FINGER = 40;
const REST = 180;
const SLACK = 10;
const REACH = 22;
const SLIP = 9;
const POINTS = 8;
const EDGE = 8;
const GAP = 36;
const SIZE = 144;
const CELL = 56;
const MOST = 4;
const AFTER = 400;

const box = document.createElement("div");
const caption = document.createElement("p");
Object.assign(box, { className: "board-magnifier", ariaHidden: "true", inert: true });

/* Until a page begins: all of it. */
let root = document.body;
let figure = () => root;
/** Where the finger came down, and whether it may still scroll. @type {{ x: number, y: number, isKept: boolean } | null} */
let from = null;
let timer = 0;
/** The drawing under the finger, and its copy in the magnifier. @type {{ svg: SVGSVGElement, copy: SVGSVGElement } | null} */
let drawn = null;
let swallows = false;

const changes = new MutationObserver(() => {
  drawn = null;
});

const isOpen = () => box.isConnected;
const isChoice = (mark) => mark.matches("a:not(.mark-aside)");

const sizeOf = (mark) => {
  const { width, height } = mark.getBoundingClientRect();
  return Math.min(width, height);
};

/** The marks at a point, the uppermost first. */
const marksAt = (x, y) =>
  document
    .elementsFromPoint(x, y)
    .map((element) => element.closest("#match-board .mark"))
    .filter((mark) => mark !== null);

/** The marks within `reach` pixels of a point, the nearest first. */
function marksAround(x, y, reach) {
  const found = marksAt(x, y);
  for (const far of [reach / 2, reach]) {
    for (let point = 0; point < POINTS; point += 1) {
      const angle = (2 * Math.PI * point) / POINTS;
      found.push(...marksAt(x + far * Math.cos(angle), y + far * Math.sin(angle)));
    }
  }
  return found;
}

/** What a finger at a point chooses, else what it points at.

    @param {number} x
    @param {number} y
    @returns {Element | undefined} */
export function choiceNear(x, y) {
  const [hit] = marksAt(x, y);
  const slip = hit ? SLIP : REACH;
  const isExact = root.dataset.confirms === undefined || (hit && sizeOf(hit) >= FINGER);
  return marksAround(x, y, isExact ? 0 : slip).find(isChoice) ?? hit;
}

/** Whether a finger at a point is too wide for what can be chosen there. */
const isFine = (x, y) => marksAround(x, y, REACH).some((mark) => isChoice(mark) && sizeOf(mark) < FINGER);

/** Whether a finger that slides scrolls something. */
function scrolls(target) {
  const frame = target.closest(".board-scroll, .board-panel");
  const { scrollHeight } = present(document.scrollingElement, "scrolling element");
  return (
    scrollHeight > innerHeight + 1 ||
    frame.scrollWidth > frame.clientWidth + 1 ||
    frame.scrollHeight > frame.clientHeight + 1
  );
}

// --- What it shows ---

/** The outermost drawing at a point: the board, or one beside it. */
function drawingAt(x, y) {
  const element = document.elementsFromPoint(x, y).find((one) => one.closest("#match-board svg"));
  let svg = element?.closest("svg");
  while (svg?.ownerSVGElement) {
    svg = svg.ownerSVGElement;
  }
  return svg;
}

function copyOf(svg) {
  const copy = svg.cloneNode(true);
  copy.querySelectorAll("[id]").forEach((part) => part.removeAttribute("id"));
  copy.querySelectorAll("[data-mark]").forEach((part) => delete part.dataset.mark);
  copy.querySelectorAll(".focus-ring").forEach((ring) => ring.remove());
  ["id", "style"].forEach((name) => copy.removeAttribute(name));
  return copy;
}

/** Outline a mark of the drawing in its copy. */
function outline(mark, { svg, copy }) {
  copy.querySelector(".magnifier-aim")?.remove();
  const shape = mark && svg.contains(mark) ? outlineOf(mark, svg) : null;
  if (shape) {
    shape.setAttribute("class", "magnifier-aim");
    copy.append(shape);
  }
}

/** Show the drawing around a point so large that a finger would fit on what it chooses. */
function enlarge(x, y, mark) {
  const svg = drawingAt(x, y) ?? drawn?.svg;
  if (!svg) {
    return;
  }
  if (drawn?.svg !== svg) {
    drawn = { svg, copy: copyOf(svg) };
    box.replaceChildren(drawn.copy, caption);
  }
  const { left, top, width, height } = svg.getBoundingClientRect();
  const scale = Math.min(MOST, Math.max(2, CELL / (mark ? sizeOf(mark) : CELL)));
  Object.assign(drawn.copy.style, {
    height: `${height * scale}px`,
    left: `${SIZE / 2 - (x - left) * scale}px`,
    top: `${SIZE / 2 - (y - top) * scale}px`,
    width: `${width * scale}px`,
  });
  outline(mark, drawn);
}

/** Lay it above the finger, or beside it where there is no room. */
function settle(x, y) {
  const above = y - GAP - SIZE;
  const isAbove = above >= EDGE;
  const aside = x < innerWidth / 2 ? x + GAP : x - GAP - SIZE;
  const left = Math.min(Math.max(isAbove ? x - SIZE / 2 : aside, EDGE), innerWidth - SIZE - EDGE);
  box.style.translate = `${left}px ${Math.max(above, EDGE)}px`;
}

const isOnBoard = (x, y) => {
  const { left, right, top, bottom } = figure().getBoundingClientRect();
  return x >= left && x <= right && y >= top && y <= bottom;
};

function show(x, y) {
  const mark = isOnBoard(x, y) ? choiceNear(x, y) : undefined;
  if (!isOpen()) {
    figure().append(box);
    changes.observe(root, { childList: true, subtree: true });
    changes.takeRecords();
  }
  enlarge(x, y, mark);
  caption.textContent = mark?.getAttribute("aria-label") ?? gettext("Lift to cancel");
  box.classList.toggle("magnifier-off", !mark);
  settle(x, y);
  changes.takeRecords();
}

function close() {
  clearTimeout(timer);
  changes.disconnect();
  box.remove();
  from = drawn = null;
}

// --- The finger ---

function onDown({ target, pointerType, isPrimary, defaultPrevented, clientX, clientY }) {
  close();
  swallows = false;
  const isFinger = pointerType !== "mouse" && isPrimary && !defaultPrevented;
  const isBoard = target.closest("#match-board :is(.board-scroll, .board-panel)") && !target.closest("button, .board-map");
  if (!isFinger || !isBoard || root.matches("[aria-busy=true]") || !isFine(clientX, clientY)) {
    return;
  }
  from = { x: clientX, y: clientY, isKept: scrolls(target) };
  timer = setTimeout(() => show(clientX, clientY), REST);
  // A fresh board takes this one's place meanwhile: what is touched hears of the finger, and nothing around it.
  target.addEventListener("touchmove", stay, { passive: false });
}

/** Let the finger choose, and not scroll. */
function stay(event) {
  if (from && (isOpen() || !from.isKept) && event.touches.length === 1) {
    event.preventDefault();
  }
}

function onMove({ isPrimary, clientX, clientY }) {
  const isFar = from && isPrimary && Math.hypot(clientX - from.x, clientY - from.y) > SLACK;
  if (isFar && !isOpen() && from?.isKept) {
    close();
  } else if (from && isPrimary && (isOpen() || isFar)) {
    clearTimeout(timer);
    show(clientX, clientY);
  }
}

function onUp({ isPrimary, clientX, clientY }) {
  if (!from || !isPrimary) {
    return;
  }
  const isCarrying = document.querySelector(".board-carried") !== null;
  const mark = isOnBoard(clientX, clientY) && !isCarrying ? choiceNear(clientX, clientY) : null;
  close();
  swallows = true;
  setTimeout(() => {
    swallows = false;
  }, AFTER);
  mark?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
}

/** Neither the click that follows a choice nor the menu that the browser has for a finger that rests chooses again. */
function suppress(event) {
  if ((swallows || isOpen()) && event.isTrusted && event.target.closest("#match-board")) {
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Listen on the page of a match, before what drags pieces; `board()` is its board.

    @param {HTMLElement} element
    @param {() => HTMLElement} board */
export function begin(element, board) {
  root = element;
  figure = board;
  root.addEventListener("pointerdown", onDown);
  // On the window, so that no listener of the page hears of it: not even one that captures clicks.
  addEventListener("click", suppress, { capture: true });
  addEventListener("contextmenu", suppress, { capture: true });
  addEventListener("pointermove", onMove);
  addEventListener("pointerup", onUp);
  addEventListener("pointercancel", close);
  addEventListener("touchstart", (event) => event.touches.length > 1 && close(), { passive: true });
}
