/* A finger that rests on the board, where one is wider than a cell: all that lies under it is listed beside it, and
   what can be chosen there is a button. */

const REST = 450;
const SLACK = 10;
const REACH = 22;
const POINTS = 8;
const EDGE = 8;

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

function rest() {
  const marks = marksAround(from);
  timer = 0;
  if (marks.length) {
    show(from, marks);
  }
}

function onDown(event) {
  cancel();
  swallows = isOpen && !fan.contains(event.target);
  if (swallows) {
    close();
  }
  const isMine = event.pointerType !== "mouse" && event.isPrimary && event.target.closest("#match-board .board-scroll");
  if (isMine && !event.defaultPrevented) {
    from = [event.clientX, event.clientY];
    timer = setTimeout(rest, REST);
  }
}

function onMove({ clientX, clientY }) {
  if (timer && Math.hypot(clientX - from[0], clientY - from[1]) > SLACK) {
    cancel();
  }
}

function cancel() {
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

function onKey(event) {
  swallows = false;
  if (isOpen && event.key === "Escape") {
    event.stopPropagation();
    close();
  }
}

/** Listen on the page of a match; `figure()` is its board. */
export function begin(root, figure) {
  board = figure;
  root.addEventListener("pointerdown", onDown);
  root.addEventListener("pointermove", onMove, { passive: true });
  root.addEventListener("pointerup", cancel);
  root.addEventListener("pointercancel", cancel);
  root.addEventListener("click", suppress, { capture: true });
  root.addEventListener("contextmenu", suppress, { capture: true });
  document.addEventListener("keydown", onKey, { capture: true });
}
