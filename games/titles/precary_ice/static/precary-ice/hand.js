/* The hand: the next piece, held over the tower of who is to build. It is moved by mouse, finger, arrow
   keys or buttons, and let go by one button. It snaps to nothing but the steps in which moves are written.

   A finger that holds the piece would hide it, so the piece is lifted above the finger. The first
   pixels of a finger's way move it in fine steps. */

import { drawingOf, heightOf, make, nextPiece, piecesOf, put, towerOf } from "./towers.js";

const FAR = 30;
const STEEP = 20;
const ABOVE = 6;
const ASIDE = 24;
const KNOB = 11;
const CALM = 2.5;
const PIXELS_A_DEGREE = 5;
const FINGER = 28;
const FINE = 30;

const STEPS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

const DELAY = 350;
const INTERVAL = 80;
const LEANING = 18;

const ROWS = [
  { name: "at", label: "Move", step: 0.1, ways: ["a little to the left", "a little to the right"] },
  { name: "tilt", label: "Tilt", step: -1, ways: ["a degree to the left", "a degree to the right"] },
];

const HOW =
  "Drag the piece, or walk it with the arrow keys: ← → move it, ↑ ↓ tilt it, Shift takes longer steps.";

const TYPED = /^\s*place\s*([+-]?\d+(?:\.\d)?)(?:\s*([+-]?\d+))?\s*$/i;

let shown = "";
let held = null;
let released = "";

const within = (number, most) => Math.min(Math.max(number, -most), most);
const signed = (number, digits) => `${number < 0 ? "-" : "+"}${Math.abs(number).toFixed(digits)}`;

/** The millimetres for which a finger has moved the piece: the first in `FINE` pixels. */
function finely(far, scale) {
  const near = Math.min(Math.abs(far), FINE);
  return Math.sign(far) * (near / FINE + (Math.abs(far) - near) / scale);
}

/** Where a piece is held: millimetres from the axis and degrees, both in whole steps. */
class Hold {
  /** A piece is brought in from the side: where the axis is, the builder has to see. */
  constructor() {
    this.at = ASIDE;
    this.tilt = 0;
    this.isAimed = false;
  }

  set(at, tilt) {
    this.at = within(Math.round(at * 10) / 10, FAR) || 0;
    this.tilt = within(Math.round(tilt), STEEP) || 0;
    this.isAimed = true;
  }

  /** The move that lets go of the piece. */
  get text() {
    return `place ${signed(this.at, 1)} ${signed(this.tilt, 0)}`;
  }

  get description() {
    const side = (number, left, right) => (number === 0 ? "" : number < 0 ? left : right);
    const place = `${Math.abs(this.at).toFixed(1)} mm ${side(this.at, "left", "right")} of the axis`;
    return `${place}, tilted ${Math.abs(this.tilt)}° ${side(this.tilt, "to the right", "to the left")}`;
  }
}

/** The piece in the hand, in the drawing. */
class Hand {
  /** `changed` is called whenever the piece has been moved. */
  constructor(drawing, tower, hold, changed) {
    Object.assign(this, { drawing, tower, hold, changed });
    this.draw();
    this.listen();
    this.show();
  }

  draw() {
    const piece = nextPiece(this.tower);
    this.knob = make("g", { class: "hand-knob" });
    this.piece = make("g", { class: "hand-piece" }, piece, this.knob);
    this.group = make("g", { class: "hand", tabindex: 0, role: "slider" }, this.piece);
    this.tower.append(this.group);
    this.tower.removeAttribute("pointer-events");
    const box = piece.getBBox();
    const tip = box.y + box.height;
    this.lift = 0;
    this.base = heightOf(this.tower) + ABOVE;
    this.top = this.base + box.height;
    this.height = this.base - box.y;
    this.knob.append(
      make("path", { d: `M0 ${tip + 1}V${tip + KNOB - 3}` }),
      make("circle", { cy: tip + KNOB, r: 3 }),
      make("circle", { class: "hand-grip", cy: tip + KNOB, r: 9 }),
    );
    this.drawing.classList.add("holding");
  }

  listen() {
    this.group.ariaLabel = "The next piece, held over your tower";
    this.group.ariaValueMin = String(-FAR);
    this.group.ariaValueMax = String(FAR);
    this.drawing.addEventListener("pointerdown", (event) => this.grab(event));
    this.group.addEventListener("keydown", (event) => this.press(event));
  }

  show() {
    const { at, tilt } = this.hold;
    put(this.piece, [at, this.height + this.lift, (tilt * Math.PI) / 180]);
    this.group.ariaValueNow = String(at);
    this.group.ariaValueText = this.hold.description;
  }

  move(at, tilt) {
    this.hold.set(at, tilt);
    this.show();
    this.changed();
  }

  focus() {
    this.group.focus({ preventScroll: true });
  }

  /** How far to lift the piece, so that all of it is seen above a finger. */
  liftFor({ clientY }) {
    const { d, f } = this.tower.getScreenCTM();
    const scale = Math.abs(d);
    const [base, top] = [this.base, this.top].map((height) => f - scale * height);
    const room = top - this.drawing.getBoundingClientRect().top;
    return Math.max(Math.min(base - clientY + FINGER, room), 0) / scale;
  }

  /** Take hold of the piece, or of its knob, and move it until the pointer lets go. */
  grab(event) {
    if (event.button || !event.isPrimary) {
      return;
    }
    event.preventDefault();
    const { at, tilt } = this.hold;
    const scale = this.tower.getScreenCTM().a;
    const isTurning = this.knob.contains(event.target);
    const isFinger = event.pointerType === "touch";
    const along = (far) => (isFinger ? finely(far, Math.max(scale, CALM)) : far / scale);
    this.lift = isFinger && this.piece.contains(event.target) && !isTurning ? this.liftFor(event) : 0;
    this.show();
    const follow = (now) => {
      const far = now.clientX - event.clientX;
      if (isTurning) {
        this.move(at, tilt - far / PIXELS_A_DEGREE);
      } else {
        this.move(at + along(far), tilt);
      }
    };
    const drop = () => {
      this.drawing.classList.remove("held-fast");
      this.lift = 0;
      this.show();
      this.drawing.removeEventListener("pointermove", follow);
    };
    this.drawing.setPointerCapture(event.pointerId);
    this.drawing.classList.add("held-fast");
    this.drawing.addEventListener("pointermove", follow);
    for (const end of ["pointerup", "pointercancel"]) {
      this.drawing.addEventListener(end, drop, { once: true });
    }
    this.focus();
  }

  press(event) {
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    const [along, turn] = event.shiftKey ? [1, 5] : [0.1, 1];
    this.move(this.hold.at + step[0] * along, this.hold.tilt + step[1] * turn);
  }
}

// --- The panel ---

/* The controls of the hand, in the action area: small steps either way, and the button that lets go. Numbers
   are for typed moves. */

function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** A picture on a button: an arrow, or a piece that leans. */
function sign(name, way) {
  const drawn =
    name === "at"
      ? `<path d="M-7 0H7M2 -5L7 0L2 5" transform="scale(${way} 1)" fill="none" stroke-width="2"/>`
      : `<path d="M-6 8H6L0 -9Z" transform="rotate(${way * LEANING})"/>`;
  return `<svg viewBox="-11 -11 22 22" aria-hidden="true">${drawn}</svg>`;
}

/** Call `act` when a button is pressed, and again and again while it is held. */
function whileHeld(button, act) {
  let timer;
  const stop = () => clearTimeout(timer);
  const repeat = () => {
    if (button.isConnected) {
      act();
      timer = setTimeout(repeat, INTERVAL);
    }
  };
  button.addEventListener("pointerdown", (event) => {
    if (!event.button) {
      stop();
      act();
      timer = setTimeout(repeat, DELAY);
    }
  });
  for (const end of ["pointerup", "pointerleave", "pointercancel"]) {
    button.addEventListener(end, stop);
  }
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  button.addEventListener("click", (event) => event.detail || act());
}

class Panel {
  /** `release()` lets the piece go; it has to be aimed first. */
  constructor(hold, hand, release) {
    Object.assign(this, { hold, hand });
    this.button = element("button", { type: "button", className: "btn btn-turn" }, "Release");
    this.hint = element("p", { className: "hand-hint", role: "status" });
    this.button.addEventListener("click", () => (hold.isAimed ? release() : this.askToAim()));
    this.element = element(
      "div",
      { className: "hand-panel" },
      ...ROWS.map((row) => this.row(row)),
      this.button,
      this.hint,
      element("p", { className: "small soft" }, HOW),
    );
    this.show();
  }

  askToAim() {
    this.hint.textContent = "Aim first: move the piece over your tower.";
    this.hand.focus();
  }

  row({ name, label, step, ways }) {
    const buttons = ways.map((told, at) => {
      const way = at ? 1 : -1;
      const button = element("button", { type: "button", className: "btn", ariaLabel: `${label} ${told}` });
      button.dataset.nudge = `${name}${way}`;
      button.innerHTML = sign(name, way);
      whileHeld(button, () => this.nudge(name, way * step));
      return button;
    });
    return element("div", { className: "hand-row" }, element("span", { ariaHidden: "true" }, label), ...buttons);
  }

  nudge(name, by) {
    const { at, tilt } = this.hold;
    this.hand.move(...(name === "at" ? [at + by, tilt] : [at, tilt + by]));
  }

  /** Show that the piece has been aimed. */
  show() {
    this.button.ariaDisabled = String(!this.hold.isAimed);
    this.hint.textContent = "";
  }
}

// --- On the page ---

/* The hand and the field for a typed move say the same. Letting go sends what the field says, as any typed
   move is sent, and needs no confirmation. */

const field = () => document.getElementById("typed");

/** What tells one piece to be placed from another: the tower as it stands, and the piece. */
function pieceOf(group) {
  return piecesOf(group).map((piece) => piece.outerHTML).join("") + group.dataset.next;
}

/** Let the reader hold the next piece of a seat, where it is the seat's to place.

    @param {HTMLElement} figure
    @param {string} [seat] */
export function begin(figure, seat) {
  const drawing = drawingOf(figure);
  const group = seat === undefined ? null : towerOf(drawing, seat);
  const confirmation = document.getElementById("confirm");
  const isAsked = field() && !confirmation;
  playAtOnce(confirmation);
  if (!isAsked || !group?.dataset.next || drawing.querySelector(".hand")) {
    return;
  }
  group.querySelector(".held")?.remove();
  if (shown !== pieceOf(group)) {
    [shown, held] = [pieceOf(group), new Hold()];
  }
  take(drawing, group);
}

function take(drawing, group) {
  const hand = new Hand(drawing, group, held, () => {
    panel.show();
    field().value = held.text;
  });
  const panel = new Panel(held, hand, letGo);
  document.querySelector(".hand-panel")?.remove();
  document.querySelector("#match-entry .ask-ways").prepend(panel.element);
  field().addEventListener("input", () => read(hand));
}

function letGo() {
  released = held.text;
  field().value = released;
  field().form.requestSubmit();
}

/** Let the page play what was released without asking once more (js/match/page.js). */
function playAtOnce(confirmation) {
  if (confirmation && released && new FormData(confirmation).getAll("word").join("") === released) {
    confirmation.dataset.atOnce = "";
    released = "";
  }
}

/** Hold the piece where the typed move says, as far as it is one. */
function read(hand) {
  const text = field().value;
  const found = TYPED.exec(text);
  if (found) {
    hand.move(Number(found[1]), Number(found[2] ?? 0));
    field().value = text;
  }
}

/* A click on the tower asks for the piece to be placed: it is in the hand already. */
document.addEventListener(
  "click",
  (event) => {
    const hand = event.target.closest?.("svg.holding")?.querySelector(".hand");
    if (hand) {
      event.preventDefault();
      event.stopPropagation();
      hand.focus({ preventScroll: true });
    }
  },
  { capture: true },
);
