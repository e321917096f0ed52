/* Marks and arrows on a board to think on. With a mouse: the right button marks a place, dragged it draws an arrow;
   Shift, Alt or both choose another colour. While the tool is on, a finger that is dragged draws an arrow, one place
   chosen twice is marked, and two places are joined by an arrow. The site draws them.

   <form id="shape-form" data-places="c3,120,80 …"> has the fields colour, from and to; without it the
   reader may not draw. */

import { gettext, interpolate } from "../site/language.js";
import { present, required } from "../site/required.js";

const SVG = "http://www.w3.org/2000/svg";
const HINT = gettext("Drag to draw an arrow. Choose a place twice to mark it.");

/** @typedef {{ name: string, x: number, y: number }} Place */

const form = () => document.querySelector("form#shape-form");

/* Until a page begins: all of it. */
let figure = () => document.body;
/** @type {(body: FormData) => Promise<string>} */
let send = async () => "";
/** @type {HTMLElement | null} */
let tool = null;
let first = "";
/** Where an arrow begins. @type {{ place: Place, hue: string, line: Element | null, isRight: boolean } | null} */
let pressed = null;
let isDragged = false;
let colour = "green";

/** The places that the board names.

    @returns {Place[]} */
function placesOf() {
  return (form()?.dataset.places ?? "").split(" ").filter(Boolean).map((text) => {
    const [name, x, y] = text.split(",");
    return { name, x: Number(x), y: Number(y) };
  });
}

const picture = () => required(".board-scroll > svg:not(.board-edge)", figure());

/** A point of the page as one of the drawing. */
function unitsAt({ clientX, clientY }) {
  return new DOMPoint(clientX, clientY).matrixTransform(picture().getScreenCTM()?.inverse());
}

/** The place that is nearest to a point on the board, undefined beside it. */
function placeAt(event) {
  const { x, y } = unitsAt(event);
  const { width, height } = picture().viewBox.baseVal;
  if (x < 0 || y < 0 || x > width || y > height) {
    return undefined;
  }
  const far = (place) => Math.hypot(place.x - x, place.y - y);
  return placesOf().reduce((best, place) => (far(place) < far(best) ? place : best));
}

async function draw(from, to, hue = colour) {
  const body = new FormData(required("form#shape-form"));
  body.set("action", "draw");
  body.set("colour", hue);
  body.set("from", from);
  body.set("to", to);
  const refusal = await send(body);
  if (refusal && tool) {
    say(refusal);
  }
}

/** Show what is begun: the outline of a place, or a line. */
function sketch(tag, attributes, hue) {
  const part = document.createElementNS(SVG, tag);
  part.setAttribute("class", "shape-draft");
  part.style.stroke = `var(--c-${hue})`;
  Object.entries(attributes).forEach(([name, value]) => part.setAttribute(name, value));
  picture().querySelector(".shape-draft")?.remove();
  picture().append(part);
  return part;
}

// --- The right button, and with the tool a finger ---

function hueOf({ shiftKey, altKey }) {
  if (shiftKey && altKey) {
    return "yellow";
  }
  return shiftKey ? "red" : altKey ? "blue" : colour;
}

function lift() {
  pressed?.line?.remove();
  pressed = null;
}

/** Note where an arrow may begin; a second finger ends that. */
function onDown(event) {
  lift();
  isDragged = false;
  const isOnBoard = form() && event.target.closest("#match-board .board-scroll");
  const isRight = event.pointerType === "mouse" && event.button === 2;
  const place = isOnBoard && (isRight || tool) && event.isPrimary && placeAt(event);
  if (place) {
    pressed = { place, hue: hueOf(event), line: null, isRight };
  }
  if (isOnBoard && tool) {
    event.stopPropagation(); // a piece is not dragged
  }
}

/** Show where the arrow would go. */
function onMove(event) {
  const isTap = pressed && !pressed.isRight && !pressed.line && placeAt(event)?.name === pressed.place.name;
  if (!pressed || isTap) {
    return;
  }
  const { x, y } = unitsAt(event);
  const ends = { x1: pressed.place.x, y1: pressed.place.y, x2: x, y2: y };
  pressed.line = sketch("line", ends, pressed.hue);
}

function onUp(event) {
  const { place, hue, line, isRight } = pressed ?? {};
  lift();
  const end = place && form() && placeAt(event);
  isDragged = Boolean(line) && !isRight;
  if (isDragged && tool) {
    first = "";
    say(HINT);
  }
  if (end && (isRight || (isDragged && end.name !== place.name))) {
    draw(place.name, end.name, hue);
  }
}

function onMenu(event) {
  if (form() && event.target.closest("#match-board .board-scroll")) {
    event.preventDefault();
  }
}

// --- The tool ---

/** Note a place; the second one is the end. */
function choose(name) {
  if (first) {
    draw(first, name);
  } else {
    const { x, y } = present(placesOf().find((place) => place.name === name), name);
    sketch("circle", { cx: x, cy: y, r: picture().viewBox.baseVal.width / 30 }, colour);
  }
  first = first ? "" : name;
  const more = gettext("From %(place)s: choose it again, or where the arrow ends.");
  say(first ? interpolate(more, { place: first }) : HINT);
}

function say(sentence) {
  required(".shape-tool [role=status]").textContent = sentence;
}

/** While the tool is on, a click or a tap on the board draws and plays nothing. */
function onClick(event) {
  if (!tool || !event.target.closest("#match-board .board-scroll")) {
    return;
  }
  event.preventDefault();
  event.stopPropagation();
  if (isDragged) {
    isDragged = false; // the click that ends a drag
    return;
  }
  const name = event.target.closest(".mark")?.dataset.mark;
  // Enter and the list under a finger click without a point.
  const isPlace = !event.detail && placesOf().some((place) => place.name === name);
  const place = isPlace ? name : event.detail && placeAt(event)?.name;
  if (place) {
    choose(place);
  }
}

function onKey(event) {
  if (!tool) {
    return;
  }
  if (event.key === "Escape") {
    event.stopPropagation();
    stop();
  } else if (event.key === "Enter" && event.target.matches("#match-board g.mark")) {
    event.stopPropagation();
    event.target.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  }
}

function makeTool() {
  const box = document.createElement("div");
  const hint = document.createElement("p");
  const done = document.createElement("button");
  const colours = required("#shape-form .shape-colours").cloneNode(true);
  colours.querySelectorAll("input").forEach((input) => Object.assign(input, { id: "", name: "tool-colour" }));
  box.className = "shape-tool";
  hint.setAttribute("role", "status");
  Object.assign(done, { type: "button", className: "btn btn-small btn-main", textContent: gettext("Done") });
  done.addEventListener("click", stop);
  box.append(hint, colours, done);
  return box;
}

function start() {
  first = "";
  tool = makeTool();
  required("#match").append(tool);
  say(HINT);
  takeColour();
}

function stop() {
  tool?.remove();
  tool = null;
  picture().querySelector(".shape-draft")?.remove();
  document.querySelector("[data-draw]")?.focus();
}

/** Show the colour that was chosen last. */
function takeColour() {
  for (const input of document.querySelectorAll(".shape-colours input")) {
    input.checked = input.value === colour;
  }
}

/** Show the button of the tool on a fresh page. */
export function ready() {
  const button = document.querySelector("[data-draw]");
  if (button) {
    button.hidden = false;
    required(".shape-mouse").hidden = false;
    takeColour();
  }
}

/** Listen on the page of a board; `board()` is its board, and `sendForm(body)` sends what was drawn.

    @param {HTMLElement} root
    @param {() => HTMLElement} board
    @param {(body: FormData) => Promise<string>} sendForm resolves to the reason of a refusal
    @param {() => void} showBoard brings the board into sight */
export function begin(root, board, sendForm, showBoard) {
  figure = board;
  send = sendForm;
  root.addEventListener("pointerdown", onDown, { capture: true });
  addEventListener("pointermove", onMove);
  addEventListener("pointerup", onUp);
  addEventListener("pointercancel", lift);
  root.addEventListener("contextmenu", onMenu);
  root.addEventListener("click", onClick, { capture: true });
  document.addEventListener("keydown", onKey, { capture: true });
  root.addEventListener("click", (event) => {
    if (event.target.closest("[data-draw]") && !tool) {
      showBoard();
      start();
    }
  });
  root.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement && target.matches(".shape-colours input")) {
      colour = target.value;
      takeColour();
    }
  });
  root.addEventListener("submit", (event) => {
    if (event.target.matches("[data-shapes]")) {
      event.preventDefault();
      send(new FormData(event.target, event.submitter));
    }
  });
}
