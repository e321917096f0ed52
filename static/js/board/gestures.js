/* Gestures on a board.

   On a frame that scrolls what it holds, the wheel and two fingers zoom and a mouse drags; one finger
   scrolls the frame, and then the page, by itself. */

const BY_WHEEL = 0.0016;
const LEAST_DRAG = 4;
const DRAGGED = "board-dragged";

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
