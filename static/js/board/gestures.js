/* Gestures on a board.

   On a frame that scrolls what it holds, the wheel and two fingers zoom and a mouse drags; one finger
   scrolls the frame, and then the page, by itself. A finger that rests, where one is wider than a cell,
   lists all that lies under it beside it (the fan), and what can be chosen there is a button. */

const BY_WHEEL = 0.0016;
const LEAST_DRAG = 4;
const DRAGGED = "board-dragged";
const REST = 450;
const SLACK = 10;
const REACH = 22;
const POINTS = 8;
const EDGE = 8;

// --- Zooming and dragging ---

/** Where nothing is left to zoom, and for what goes sideways, the wheel does what it does elsewhere. */
function onWheel(event, { zoom, canZoom }) {
  const factor = Math.exp(-event.deltaY * BY_WHEEL);
  if (!canZoom(factor) || event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
    return;
  }
  event.preventDefault();
  zoom(factor, event.clientX, event.clientY);
}

function onDown({ target, pointerType, button, clientX, clientY }, frame) {
  if (pointerType !== "mouse" || button || target.closest("a[data-movable]")) {
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
function pinching(frame, zoom) {
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

/** Listen to what is done with a frame: `zoom` zooms about a point of the page, and `canZoom` says whether
    that would change anything.

    @param {HTMLElement} frame
    @param {{ zoom: (factor: number, x: number, y: number) => void, canZoom: (factor: number) => boolean }} view */
export function gestures(frame, { zoom, canZoom }) {
  frame.addEventListener("wheel", (event) => onWheel(event, { zoom, canZoom }), { passive: false });
  frame.addEventListener("pointerdown", (event) => onDown(event, frame));
  frame.addEventListener("click", (event) => onClick(event, frame), { capture: true });
  frame.addEventListener("dragstart", (event) => event.preventDefault());
  const pinch = pinching(frame, zoom);
  for (const kind of ["touchstart", "touchmove", "touchend", "touchcancel"]) {
    frame.addEventListener(kind, pinch, { passive: false });
  }
}

// --- The fan ---

const fan = makeFan();

let board = () => null;
let timer = 0;
let from = null;
let isOpen = false;
let swallows = false;

function makeFan() {
  const box = document.createElement("ul");
  box.className = "board-fan";
  box.popover = "manual";
  box.ariaLabel = "Under your finger";
  return box;
}

/** The marks under a point and around it, the nearest first. */
function marksAround([x, y]) {
  const found = new Set();
  for (const reach of [0, REACH / 2, REACH]) {
    for (let point = 0; point < (reach ? POINTS : 1); point += 1) {
      const angle = (2 * Math.PI * point) / POINTS;
      const there = document.elementsFromPoint(x + reach * Math.cos(angle), y + reach * Math.sin(angle));
      there.map((element) => element.closest("#match-board .mark")).forEach((mark) => mark && found.add(mark));
    }
  }
  return [...found];
}

function choose(mark) {
  close();
  mark.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
}

function itemOf(mark) {
  const item = document.createElement("li");
  const label = mark.getAttribute("aria-label");
  if (mark.matches("a")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "btn";
    button.textContent = label;
    button.addEventListener("click", () => choose(mark));
    item.append(button);
  } else {
    item.textContent = label;
  }
  return item;
}

/** Show the list above a point, or below it where there is no room. */
function show([x, y], marks) {
  fan.replaceChildren(...marks.map(itemOf));
  board().append(fan);
  fan.showPopover();
  const { width, height } = fan.getBoundingClientRect();
  const above = y - REACH - height;
  const left = Math.min(Math.max(x - width / 2, EDGE), innerWidth - width - EDGE);
  fan.style.left = `${left}px`;
  fan.style.top = `${above < EDGE ? Math.min(y + REACH, innerHeight - height - EDGE) : above}px`;
  isOpen = swallows = true;
}

function close() {
  isOpen = false;
  fan.remove();
}

function onRest() {
  const marks = marksAround(from);
  timer = 0;
  if (marks.length) {
    show(from, marks);
  }
}

function onFanDown(event) {
  cancelRest();
  swallows = isOpen && !fan.contains(event.target);
  if (swallows) {
    close();
  }
  const isMine = event.pointerType !== "mouse" && event.isPrimary && event.target.closest("#match-board .board-scroll");
  if (isMine && !event.defaultPrevented) {
    from = [event.clientX, event.clientY];
    timer = setTimeout(onRest, REST);
  }
}

function onFanMove({ clientX, clientY }) {
  if (timer && Math.hypot(clientX - from[0], clientY - from[1]) > SLACK) {
    cancelRest();
  }
}

function cancelRest() {
  clearTimeout(timer);
  timer = 0;
}

/** Neither the click that ends the rest, nor the menu that the browser has for it, nor a tap elsewhere chooses. */
function suppress(event) {
  if (swallows && event.isTrusted && !fan.contains(event.target)) {
    event.preventDefault();
    event.stopPropagation();
  }
}

function onFanKey(event) {
  swallows = false;
  if (isOpen && event.key === "Escape") {
    event.stopPropagation();
    close();
  }
}

/** Listen on the page of a match; `figure()` is its board.

    @param {HTMLElement} root
    @param {() => HTMLElement} figure */
export function beginFan(root, figure) {
  board = figure;
  root.addEventListener("pointerdown", onFanDown);
  root.addEventListener("pointermove", onFanMove, { passive: true });
  root.addEventListener("pointerup", cancelRest);
  root.addEventListener("pointercancel", cancelRest);
  root.addEventListener("click", suppress, { capture: true });
  root.addEventListener("contextmenu", suppress, { capture: true });
  document.addEventListener("keydown", onFanKey, { capture: true });
}
