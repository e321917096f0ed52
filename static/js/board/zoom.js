/* The view of a board whose marks would be too small to point at if all of it were shown: it pans and
   zooms in its frame, and a small map shows which part of it is seen. A frame scrolls as any box does,
   so that fingers, the focus and the page find what they know; zooming changes how wide the board is.
   Coordinates (a group with data-edge) stay at the edge of the frame. */

import { gettext, pgettext } from "../site/language.js";
import { present, required } from "../site/required.js";

const SMALLEST = 24;
const LARGEST = 72;
const STEP = 1.4;
const MARGIN = 2;
const EDGE = 2;
const BY_WHEEL = 0.0016;
const LEAST_DRAG = 4;
const DRAGGED = "board-dragged";
const HIGHLIGHTED = '[stroke="var(--c-last)"], [fill="var(--c-last)"], [stroke="var(--c-danger)"]';
const KEYS = { "+": STEP, "=": STEP, "-": 1 / STEP, "0": 0 };
const HIDES = "defs, title, [data-hidden], [data-layer]";
const IDENTIFYING = ["id", "class", "role", "tabindex", "href", "data-mark", "data-piece", "data-way", "aria-label"];

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const tools = makeTools();

/** @typedef {object} View
    @property {HTMLElement} frame what scrolls
    @property {SVGSVGElement} picture
    @property {number} width of the picture, in its units
    @property {number} height
    @property {number} apart how far apart marks lie
    @property {number} least pixels a unit at which all of the board is seen
    @property {number} most pixels a unit */

/** What is shown: pixels a unit of the drawing, 0 before anything was, and the point in the middle of the frame. */
let seen = { scale: 0, x: 0, y: 0 };

/** The board that is shown so; none while it needs no view. @type {View | null} */
let opened = null;

const view = () => present(opened, "board that zooms");

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

// --- Measuring ---

/** The least scale, at which all of the board is seen, and the greatest. */
function limitsOf({ frame, width, height, apart }) {
  const least = Math.min(frame.clientWidth / width, frame.clientHeight / height);
  return { least, most: Math.max(LARGEST / apart, least) };
}

/** Measure a board.

    @param {HTMLElement} board
    @returns {View} */
function viewOf(board) {
  const frame = required(".board-scroll", board);
  const picture = required("svg", frame);
  const { width, height } = picture.viewBox.baseVal;
  const apart = Math.sqrt((width * height) / Number(frame.dataset.markCount));
  const found = { frame, picture, width, height, apart };
  return { ...found, ...limitsOf(found) };
}

/** A point of the page as one of the drawing. */
function unitsAt(x, y) {
  const box = view().picture.getBoundingClientRect();
  return [(x - box.left) / seen.scale, (y - box.top) / seen.scale];
}

/** The box around elements of the drawing that are no larger than a quarter of it; `null` without any. */
function around(elements) {
  const whole = view().picture.getBoundingClientRect();
  const scale = whole.width / view().width;
  const boxes = elements
    .map((element) => element.getBoundingClientRect())
    .filter(({ width, height }) => width * height < (whole.width * whole.height) / 4);
  if (!boxes.length) {
    return null;
  }
  const [left, top] = [Math.min(...boxes.map((b) => b.left)), Math.min(...boxes.map((b) => b.top))];
  const [right, bottom] = [Math.max(...boxes.map((b) => b.right)), Math.max(...boxes.map((b) => b.bottom))];
  return {
    x: ((left + right) / 2 - whole.left) / scale,
    y: ((top + bottom) / 2 - whole.top) / scale,
    width: (right - left) / scale,
    height: (bottom - top) / scale,
  };
}

const highlighted = () => around([...view().picture.querySelectorAll(HIGHLIGHTED)]);
const standing = () => around([...view().picture.querySelectorAll(".mark:not([data-hidden])")]);

/** Where to begin: with the whole board. */
function beginning() {
  return { scale: view().least, x: view().width / 2, y: view().height / 2 };
}

// --- Showing ---

function resize(scale) {
  seen.scale = clamp(scale, view().least, view().most);
  for (const part of view().frame.querySelectorAll(":scope > svg")) {
    const { x, y, width, height } = part.viewBox.baseVal;
    part.style.width = `${seen.scale * width}px`;
    part.style.height = `${seen.scale * height}px`;
    part.style.marginLeft = `${seen.scale * x}px`;
    part.style.marginBottom = `${seen.scale * (view().height - y - height)}px`;
  }
  tools.zoomIn.disabled = !canZoom(STEP);
  tools.zoomOut.disabled = tools.whole.disabled = !canZoom(1 / STEP);
  tools.box.classList.toggle("board-zoomed", !tools.whole.disabled);
}

/** Bring a point of the drawing to the middle of the frame.

    @param {{ x: number, y: number }} point
    @param {ScrollBehavior} [behavior] */
function centre({ x, y }, behavior = "instant") {
  const { frame } = view();
  const box = frame.getBoundingClientRect();
  const [left, top] = unitsAt(box.left + frame.clientWidth / 2, box.top + frame.clientHeight / 2);
  frame.scrollBy({ left: (x - left) * seen.scale, top: (y - top) * seen.scale, behavior });
}

/** Note which part of the board is seen, and frame it on the map. */
function note() {
  const { frame, width, height } = view();
  const box = frame.getBoundingClientRect();
  const [left, top] = unitsAt(box.left, box.top);
  const [wide, high] = [frame.clientWidth / seen.scale, frame.clientHeight / seen.scale];
  [seen.x, seen.y] = [left + wide / 2, top + high / 2];
  tools.map.frame(left / width, top / height, wide / width, high / height);
}

/** Zoom, a point of the page staying where it is. */
function zoom(factor, x, y) {
  const [right, down] = unitsAt(x, y);
  resize(seen.scale * factor);
  const box = view().picture.getBoundingClientRect();
  view().frame.scrollLeft += box.left + right * seen.scale - x;
  view().frame.scrollTop += box.top + down * seen.scale - y;
  note();
}

/** Zoom about the middle of what is seen; 0 shows the whole board. */
function zoomBy(factor) {
  const box = view().frame.getBoundingClientRect();
  const scale = factor || view().least / seen.scale;
  zoom(scale, box.left + box.width / 2, box.top + box.height / 2);
}

/** Whether a factor would change anything. */
function canZoom(factor) {
  return factor > 1 ? seen.scale < view().most : seen.scale > view().least;
}

function toLast() {
  centre(highlighted() ?? standing() ?? { x: view().width / 2, y: view().height / 2 }, calm.matches ? "instant" : "smooth");
}

// --- Gestures ---

/* The wheel and two fingers zoom, and a mouse drags. One finger scrolls the frame, and then the page, by itself. */

/** Where nothing is left to zoom, and for what goes sideways, the wheel does what it does elsewhere. */
function onWheel(event) {
  const factor = Math.exp(-event.deltaY * BY_WHEEL);
  if (!canZoom(factor) || event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
    return;
  }
  event.preventDefault();
  zoom(factor, event.clientX, event.clientY);
}

function onDown({ target, pointerType, button: pressed, clientX, clientY }, frame) {
  if (pointerType !== "mouse" || pressed || target.closest("a[data-movable]")) {
    return;
  }
  const from = [clientX + frame.scrollLeft, clientY + frame.scrollTop];
  const listening = new AbortController();
  const { signal } = listening;
  const move = (event) => {
    const [left, top] = [from[0] - event.clientX, from[1] - event.clientY];
    const far = Math.hypot(left - frame.scrollLeft, top - frame.scrollTop) > LEAST_DRAG;
    if (far || frame.classList.contains(DRAGGED)) {
      frame.classList.add(DRAGGED);
      frame.scrollTo({ left, top, behavior: "instant" });
    }
  };
  const end = () => {
    listening.abort();
    // The click that ends a drag is still to come.
    setTimeout(() => frame.classList.remove(DRAGGED));
  };
  addEventListener("pointermove", move, { signal });
  addEventListener("pointerup", end, { signal });
  addEventListener("pointercancel", end, { signal });
}

/** A drag is no click. */
function onClick(event, frame) {
  if (frame.classList.contains(DRAGGED)) {
    event.preventDefault();
    event.stopPropagation();
  }
}

/** How far apart two fingers are, and the point between them.

    @param {Iterable<{ clientX: number, clientY: number }>} fingers
    @returns {[number, number, number]} */
export function span([one, other]) {
  const [x, y] = [one.clientX - other.clientX, one.clientY - other.clientY];
  return [Math.hypot(x, y), (one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2];
}

/** Return what follows two fingers: the board goes where they go. */
function pinching(frame) {
  let before = null;
  return (event) => {
    const fingers = event.touches.length === 2 ? span(event.touches) : null;
    if (fingers) {
      event.preventDefault();
    }
    if (fingers && before) {
      frame.scrollLeft += before[1] - fingers[1];
      frame.scrollTop += before[2] - fingers[2];
      zoom(fingers[0] / before[0], fingers[1], fingers[2]);
    }
    before = fingers;
  };
}

function listen(frame) {
  frame.addEventListener("wheel", onWheel, { passive: false });
  frame.addEventListener("pointerdown", (event) => onDown(event, frame));
  frame.addEventListener("click", (event) => onClick(event, frame), { capture: true });
  frame.addEventListener("dragstart", (event) => event.preventDefault());
  const pinch = pinching(frame);
  for (const kind of ["touchstart", "touchmove", "touchend", "touchcancel"]) {
    frame.addEventListener(kind, pinch, { passive: false });
  }
}

// --- The map ---

/* The small map: all of the board, and a frame around the part that is seen. Pointing at it goes there; the
   keyboard has other ways. */

/** A copy of a drawing that is nothing but a picture. */
function copyOf(picture) {
  const copy = picture.cloneNode(true);
  copy.querySelectorAll(HIDES).forEach((part) => part.remove());
  for (const part of [copy, ...copy.querySelectorAll("*")]) {
    const own = part.localName === "use" ? IDENTIFYING.filter((name) => name !== "href") : IDENTIFYING;
    own.forEach((name) => part.removeAttribute(name));
  }
  copy.removeAttribute("style");
  return copy;
}

/** Make a map; `goTo(x, y)` is called with the point of the board, in parts of its size, that was
    pointed at. */
function mapOf(goTo) {
  const element = document.createElement("div");
  const part = document.createElement("div");
  element.className = "board-map";
  element.ariaHidden = "true";
  part.className = "board-map-seen";
  const point = (event) => {
    if (event.buttons & 1) {
      const box = element.getBoundingClientRect();
      goTo((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
    }
  };
  element.addEventListener("pointerdown", point);
  element.addEventListener("pointermove", point);
  return {
    element,
    draw: (picture) => element.replaceChildren(copyOf(picture), part),
    frame: (left, top, width, height) => {
      const [right, bottom] = [Math.min(left + width, 1), Math.min(top + height, 1)];
      part.style.left = `${100 * Math.max(left, 0)}%`;
      part.style.top = `${100 * Math.max(top, 0)}%`;
      part.style.right = `${100 * (1 - right)}%`;
      part.style.bottom = `${100 * (1 - bottom)}%`;
    },
  };
}

// --- Tools ---

function button(label, sign, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "btn btn-small";
  made.textContent = sign;
  made.ariaLabel = label;
  made.title = label;
  made.addEventListener("click", act);
  return made;
}

function makeTools() {
  const box = document.createElement("div");
  const map = mapOf((x, y) => centre({ x: x * view().width, y: y * view().height }));
  const zoomIn = button(gettext("Zoom in"), "+", () => zoomBy(STEP));
  const zoomOut = button(gettext("Zoom out"), "−", () => zoomBy(1 / STEP));
  const whole = button(gettext("Whole board"), pgettext("board", "Whole"), () => zoomBy(0));
  box.className = "board-tools";
  zoomIn.classList.add("board-zoom-in");
  const last = button(gettext("To the last move"), pgettext("board", "Last"), toLast);
  box.append(map.element, zoomIn, zoomOut, whole, last);
  return { box, map, zoomIn, zoomOut, whole };
}

// --- The board of the page ---

/** Keep the mark that the keyboard has come to in sight, with a little of what lies around it.

    One that is pressed stays where it is, or the press would end elsewhere. */
function onFocus({ target }) {
  const [mark, box] = [target.getBoundingClientRect(), view().frame.getBoundingClientRect()];
  const edge = MARGIN * Math.min(mark.width, mark.height);
  const beyond = (low, high, from, to) => Math.min(low - edge - from, 0) || Math.max(high + edge - to, 0);
  const isSmall = mark.width < box.width / 2 && mark.height < box.height / 2;
  if (isSmall && target.matches(".mark:focus-visible")) {
    const left = beyond(mark.left, mark.right, box.left, box.right);
    view().frame.scrollBy({ left, top: beyond(mark.top, mark.bottom, box.top, box.bottom), behavior: "instant" });
  }
}

/** Give coordinates pictures of their own, which scroll with the board along their edge only. */
function pin({ frame, picture, width, height }) {
  for (const part of picture.querySelectorAll("[data-edge]")) {
    const { x, y, width: wide } = part.getBBox();
    const isColumn = part.dataset.edge === "left";
    const box = isColumn ? [x - EDGE, 0, wide + 2 * EDGE, height] : [0, y, width, height - y];
    const pinned = picture.cloneNode(false);
    pinned.setAttribute("class", "board-edge");
    pinned.dataset.edge = part.dataset.edge;
    pinned.setAttribute("viewBox", box.join(" "));
    pinned.ariaHidden = "true";
    pinned.append(part);
    frame.append(pinned);
  }
}

/** Show a part of the board, as near as the room allows. */
function show({ scale, x, y }) {
  resize(scale);
  centre({ x, y });
  note();
}

function open() {
  const { frame, picture } = view();
  pin(view());
  frame.classList.add("board-view");
  // The mark that the tab key comes to may lie below the board: the frame has to be reached by itself.
  Object.assign(frame, { tabIndex: 0, role: "region", ariaLabel: gettext("Board") });
  const board = present(frame.parentElement, "board around its frame");
  (board.querySelector(".board-panel") ?? board).append(tools.box);
  tools.map.draw(picture);
  Object.assign(view(), limitsOf(view()));
  const before = seen.scale ? { ...seen } : null;
  seen = beginning();
  resize(view().least);
  show(before ?? beginning());
  if (!picture.querySelector('[tabindex="0"]')) {
    // No mark in it takes the focus, so it is scrolled by the keyboard itself.
    frame.tabIndex = 0;
  }
  listen(frame);
  frame.addEventListener("focusin", onFocus);
  frame.addEventListener("scroll", note, { passive: true });
}

/** Let a fresh board pan and zoom, if it must; one that takes another's place is seen as that was.

    @param {HTMLElement} board */
export function ready(board) {
  const found = viewOf(board);
  if (found.frame.classList.contains("board-view")) {
    return;
  }
  opened = found.least * found.apart < SMALLEST ? found : null;
  if (opened) {
    open();
  } else {
    found.frame.scrollLeft = (found.frame.scrollWidth - found.frame.clientWidth) / 2;
  }
}

/** Act on a key; return whether it was for that.

    @param {string} key
    @returns {boolean} */
export function press(key) {
  if (!opened || !(key in KEYS)) {
    return false;
  }
  zoomBy(KEYS[key]);
  return true;
}

/** Bring the last move into sight, unless it is. */
export function follow() {
  const last = opened && highlighted();
  if (!last) {
    return;
  }
  const [wide, high] = [view().frame.clientWidth / seen.scale, view().frame.clientHeight / seen.scale];
  if (Math.abs(last.x - seen.x) > wide / 2 || Math.abs(last.y - seen.y) > high / 2) {
    toLast();
  }
}

addEventListener("resize", () => {
  if (opened) {
    const wasWhole = !canZoom(1 / STEP);
    Object.assign(view(), limitsOf(view()));
    show(wasWhole ? beginning() : { ...seen });
  }
});
