/* A piece or a card (a mark with data-movable) that is dragged to where it should go: it is chosen as it is taken up,
   so that the board shows where it can go, and what it is dropped on is chosen then. Dropped elsewhere it stays chosen,
   as after a click. A copy of it follows the pointer. */

import { choiceNear } from "./magnifier.js";

const SLACK = 6;

/* Until a page begins: all of it. */
let root = document.body;
/** @typedef {{ mark: SVGGraphicsElement, name: string, from: number[], copy: SVGElement | null }} Held a mark under the pointer; it is dragged once it has a copy */

/** @type {Held | null} */
let held = null;
let swallows = false;

const wait = () => new Promise((done) => requestAnimationFrame(done));
const click = (mark) => mark.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));

/** A picture of a mark as large as it is drawn, which takes no clicks. */
function copyOf(mark) {
  const { x, y, width, height } = mark.getBBox();
  const { width: wide, height: high } = mark.getBoundingClientRect();
  const copy = mark.ownerSVGElement.cloneNode(false);
  copy.removeAttribute("style");
  copy.setAttribute("class", "board-carried");
  copy.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
  copy.ariaHidden = "true";
  copy.append(...mark.cloneNode(true).childNodes);
  const { fill, font, textAnchor } = getComputedStyle(mark.parentNode);
  Object.assign(copy.style, { width: `${wide}px`, height: `${high}px`, fill, font, textAnchor });
  return copy;
}

/** What can be chosen under a point, on the board as it is now. */
function choiceAt(x, y) {
  const marks = document.elementsFromPoint(x, y).map((element) => element.closest("#match-board a.mark:not(.mark-aside)"));
  return marks.find(Boolean);
}

function onDown(event) {
  const mark = event.target.closest("#match-board a.mark[data-movable]");
  const isBusy = root.matches("[aria-busy=true]");
  drop();
  swallows = false;
  if (mark && event.isPrimary && !event.button && !isBusy) {
    held = { mark, name: mark.dataset.mark, from: [event.clientX, event.clientY], copy: null };
    // A fresh board takes this one's place meanwhile: what is touched hears of the finger, and nothing around it.
    event.target.addEventListener("touchmove", stay, { passive: false });
  }
}

/** Let the finger carry, and not scroll. */
function stay(event) {
  if (held) {
    event.preventDefault();
  }
}

/** @param {Held} taken */
function takeUp(taken) {
  const copy = copyOf(taken.mark);
  taken.copy = copy;
  document.body.append(copy);
  swallows = true;
  if (!taken.mark.matches("[aria-current]")) {
    click(taken.mark);
  }
}

function onMove({ clientX, clientY }) {
  if (!held) {
    return;
  }
  const far = Math.hypot(clientX - held.from[0], clientY - held.from[1]);
  if (!held.copy && far > SLACK) {
    takeUp(held);
  }
  if (held.copy) {
    held.copy.style.translate = `calc(${clientX}px - 50%) calc(${clientY}px - 50%)`;
  }
}

async function onUp({ clientX, clientY, pointerType }) {
  const dragged = held?.copy ? held.name : "";
  drop();
  if (!dragged) {
    return;
  }
  // The click that ends a drag is still to come.
  setTimeout(() => {
    swallows = false;
  });
  while (root.matches("[aria-busy=true]")) {
    await wait();
  }
  const goal = pointerType === "mouse" ? choiceAt(clientX, clientY) : choiceNear(clientX, clientY);
  if (goal?.matches("a") && goal.dataset.mark !== dragged) {
    click(goal);
  }
}

function drop() {
  held?.copy?.remove();
  held = null;
}

/** A drag is no click. */
function suppress(event) {
  if (swallows && event.isTrusted) {
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Listen on the page of a match.

    @param {HTMLElement} element */
export function begin(element) {
  root = element;
  root.addEventListener("pointerdown", onDown);
  addEventListener("click", suppress, { capture: true }); // before every listener of the page
  root.addEventListener("dragstart", (event) => event.preventDefault());
  root.addEventListener("touchmove", stay, { passive: false });
  addEventListener("pointermove", onMove);
  addEventListener("pointerup", onUp);
  addEventListener("pointercancel", drop);
}
