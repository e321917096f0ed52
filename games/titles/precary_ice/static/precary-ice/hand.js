/* The hand: the next piece, held over the tower of who is to build. It is moved by mouse, finger, arrow
   keys or buttons, and let go by one button. It snaps to nothing but the steps in which moves are written.

   A finger beside the piece brings it there. One that holds the piece would hide it, so the piece is lifted
   above the finger. */

import { gettext, inDigits, interpolate } from "../js/site/language.js";
import { present, required } from "../js/site/required.js";
import { drawingOf, HALF, heightOf, make, nextPiece, piecesOf, put, towerOf } from "./towers.js";

const FAR = 30;
const STEEP = 20;
const ABOVE = 6;
const ASIDE = 24;
const KNOB = 11;
const PIXELS_A_DEGREE = 5;
const FINGER = 28;
const STILL = 4; // Pixels that a click may move.

const STEPS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

const DELAY = 350;
const INTERVAL = 80;
const LEANING = 18;

/** The rows of buttons; what is done to either side, and was done: to the left, and to the right. */
const ROWS = [
  {
    name: "at",
    label: gettext("Move"),
    step: 0.5,
    unit: gettext("%(number)s mm"),
    toDo: [gettext("Move %(far)s to the left"), gettext("Move %(far)s to the right")],
    // Translators: the piece was moved so far, as in "Moved 3.5 mm to the left."
    done: [gettext("Moved %(far)s to the left."), gettext("Moved %(far)s to the right.")],
  },
  {
    name: "tilt",
    label: gettext("Tilt"),
    step: 1,
    unit: gettext("%(number)s°"),
    toDo: [gettext("Tilt %(far)s to the left"), gettext("Tilt %(far)s to the right")],
    // Translators: the piece was tilted so far, as in "Tilted 3° to the left."
    done: [gettext("Tilted %(far)s to the left."), gettext("Tilted %(far)s to the right.")],
  },
];

const KEYS = gettext(
  "Drag the piece, or use the arrow keys: ← → move it 0.1 mm, ↑ ↓ tilt it 1°, with Shift 1 mm and 5°.",
);
const AIMED = gettext("It lands about here when you release it.");

const BY_TAP = {
  P: gettext("Tap or drag to aim the pawn."),
  D: gettext("Tap or drag to aim the drone."),
  Q: gettext("Tap or drag to aim the queen."),
};
const BY_CLICK = {
  P: gettext("Click or drag to aim the pawn."),
  D: gettext("Click or drag to aim the drone."),
  Q: gettext("Click or drag to aim the queen."),
};
const HOW = matchMedia("(pointer: coarse)").matches ? BY_TAP : BY_CLICK;
const MISSES = {
  P: gettext("The pawn is not over your tower. Release again to drop it there."),
  D: gettext("The drone is not over your tower. Release again to drop it there."),
  Q: gettext("The queen is not over your tower. Release again to drop it there."),
};

const TYPED = /^\s*place\s*([+-]?\d+(?:\.\d)?)(?:\s*([+-]?\d+))?\s*$/i;

let shown = "";
/** @type {Hold | null} */
let held = null;
let released = "";
/** Whether a piece has been let go since the last one was taken up. */
let isNext = false;

const within = (number, most) => Math.min(Math.max(number, -most), most);
const signed = (number, digits) => `${number < 0 ? "-" : "+"}${Math.abs(number).toFixed(digits)}`;

/** The message that says on which side of the axis a piece is held. */
function whereOf(at) {
  if (at === 0) {
    return gettext("over the axis");
  }
  return at < 0 ? gettext("%(far)s mm left of the axis") : gettext("%(far)s mm right of the axis");
}

/** The message that says to which side a piece is tilted. */
function tiltOf(tilt) {
  if (tilt === 0) {
    return gettext("upright");
  }
  return tilt < 0 ? gettext("tilted %(degrees)s° to the right") : gettext("tilted %(degrees)s° to the left");
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
    const far = inDigits(Math.abs(this.at), { minimumFractionDigits: 1 });
    const degrees = Math.abs(this.tilt);
    // Translators: where the piece is held, as in "2.5 mm left of the axis, tilted 3° to the right".
    return interpolate(gettext("%(place)s, %(tilt)s"), {
      place: interpolate(whereOf(this.at), { far }),
      tilt: interpolate(tiltOf(this.tilt), { degrees }),
    });
  }
}

/** The piece in the hand, in the drawing. */
class Hand {
  /** `changed` is called whenever the piece has been moved. */
  constructor(drawing, tower, hold, changed) {
    this.drawing = drawing;
    this.tower = tower;
    this.hold = hold;
    this.changed = changed;
    const piece = nextPiece(this.tower);
    this.knob = make("g", { class: "hand-knob" });
    this.edge = make("path", { class: "hand-edge" });
    this.piece = make("g", { class: "hand-piece" }, this.edge, piece, this.knob);
    this.group = make("g", { class: "hand", tabindex: 0, role: "slider" }, this.piece);
    this.tower.append(this.group);
    this.tower.removeAttribute("pointer-events");
    const box = piece.getBBox();
    const tip = box.y + box.height;
    this.lift = 0;
    this.base = heightOf(this.tower) + ABOVE;
    this.top = this.base + box.height;
    this.height = this.base - box.y;
    this.edge.setAttribute("d", `M${box.x} ${box.y}h${box.width}L0 ${tip}Z`);
    this.knob.append(
      make("path", { d: `M0 ${tip + 1}V${tip + KNOB - 3}` }),
      make("circle", { cy: tip + KNOB, r: 3 }),
      make("circle", { class: "hand-grip", cy: tip + KNOB, r: 9 }),
    );
    this.drawing.classList.add("holding");
    this.listen();
    this.show();
  }

  listen() {
    this.group.ariaLabel = gettext("The next piece, held over your tower");
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

  /** How far a pointer is from the axis, in millimetres. */
  placeOf({ clientX }) {
    const { a, e } = this.tower.getScreenCTM();
    return (clientX - e) / a;
  }

  /** Whether a pointer is on the piece or what tilts it. */
  isOn(event) {
    return this.piece.contains(event.target);
  }

  /** Whether a pointer is beside the piece, where the own tower is: the piece may be brought there. */
  isBeside(event) {
    const isOwn = this.drawing.matches(".alone") || Math.abs(this.placeOf(event)) <= HALF;
    const mark = event.target.closest("[data-mark]")?.dataset.mark;
    return isOwn && !this.isOn(event) && (!mark || mark === `tower-${this.tower.dataset.seat}`);
  }

  /** Whether the piece is not over the middle of the highest one. */
  get misses() {
    const parts = [required("use", this.piece), piecesOf(this.tower).at(-1)];
    const [own, top] = parts.map((part) => present(part, "piece").getBoundingClientRect());
    const middle = top.left + top.width / 2;
    return middle < own.left || middle > own.right;
  }

  grab(event) {
    if (event.button || !event.isPrimary) {
      return;
    }
    event.preventDefault();
    const grip = new Grip(this, event);
    const listening = new AbortController();
    const { signal } = listening;
    const end = ({ type }) => {
      listening.abort();
      this.drawing.classList.remove("held-fast");
      grip.end(type === "pointercancel");
    };
    this.drawing.setPointerCapture(event.pointerId);
    this.drawing.classList.add("held-fast");
    this.drawing.addEventListener("pointermove", (now) => grip.follow(now), { signal });
    this.drawing.addEventListener("pointerup", end, { signal });
    this.drawing.addEventListener("pointercancel", end, { signal });
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

/** A pointer that has hold of the piece, or of its knob, until it lets go. */
class Grip {
  /** A finger beside the piece brings it there at once; a mouse does so by a click. */
  constructor(hand, event) {
    const { at, tilt, isAimed } = hand.hold;
    this.hand = hand;
    this.start = event;
    this.before = { at, tilt, isAimed };
    this.isFinger = event.pointerType === "touch";
    this.isBeside = hand.isBeside(event);
    this.isStill = true;
    this.isTurning = hand.knob.contains(event.target);
    this.aside = this.isFinger && this.isBeside ? 0 : at - hand.placeOf(event);
    this.lift(event);
    if (this.isFinger && this.isBeside) {
      this.follow(event);
    }
  }

  lift(now) {
    this.hand.lift = this.isFinger && !this.isTurning ? this.hand.liftFor(now) : 0;
    this.hand.show();
  }

  follow(now) {
    const { hand, start, before } = this;
    const far = now.clientX - start.clientX;
    this.isStill &&= Math.hypot(far, now.clientY - start.clientY) < STILL;
    this.lift(now);
    if (this.isTurning) {
      hand.move(before.at, before.tilt - far / PIXELS_A_DEGREE);
    } else {
      hand.move(hand.placeOf(now) + this.aside, before.tilt);
    }
  }

  /** Whether the piece is to be brought to where it was pressed: on the piece itself by its first press alone,
      so that a later one moves no piece that was aimed to the tenth of a millimetre. */
  get isBrought() {
    return this.isStill && (this.isBeside || (this.hand.isOn(this.start) && !this.before.isAimed));
  }

  /** Let go; a gesture that the browser takes over, to scroll the page, moves nothing. */
  end(isCancelled) {
    const { hand, start, before } = this;
    hand.lift = 0;
    if (isCancelled) {
      Object.assign(hand.hold, before);
      hand.changed();
    } else if (this.isBrought) {
      hand.move(hand.placeOf(start), before.tilt);
    }
    hand.show();
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
  /** `release()` lets the piece go; it has to be aimed first, and a miss has to be meant. */
  constructor(hold, hand, release) {
    this.hold = hold;
    this.hand = hand;
    this.release = release;
    this.nudged = null;
    this.isMeant = false;
    this.piece = hand.tower.dataset.nextPiece[0];
    this.how = HOW[this.piece];
    this.button = element("button", { type: "button", className: "btn btn-turn" }, gettext("Release"));
    this.hint = element("p", { className: "hand-hint", role: "status" });
    this.button.addEventListener("click", () => this.press());
    this.element = element(
      "div",
      { className: "hand-panel" },
      ...ROWS.map((row) => this.row(row)),
      this.button,
      element("p", { className: "small soft" }, KEYS),
    );
    this.show();
  }

  press() {
    if (!this.hold.isAimed) {
      this.say(`${gettext("Aim first.")} ${this.how}`, { isWarning: true });
      this.hand.focus();
    } else if (this.hand.misses && !this.isMeant) {
      this.say(MISSES[this.piece], { isWarning: true });
      this.isMeant = true;
    } else {
      this.release();
    }
  }

  row({ name, label, toDo, done, step, unit }) {
    const buttons = [-1, 1].map((way, at) => {
      const far = interpolate(unit, { number: inDigits(step) });
      const ariaLabel = interpolate(toDo[at], { far });
      const button = element("button", { type: "button", className: "btn", ariaLabel });
      button.dataset.nudge = `${name}${way}`;
      button.innerHTML = sign(name, way);
      button.append(element("span", { ariaHidden: "true" }, far));
      whileHeld(button, () => this.nudge({ name, done: done[at], step, unit, way }));
      return button;
    });
    return element("div", { className: "hand-row" }, element("span", { ariaHidden: "true" }, label), ...buttons);
  }

  /** Move or tilt the piece by a step, and say how far it has gone since it went another way. */
  nudge({ name, done, step, unit, way }) {
    const from = this.nudged?.key === name + way ? this.nudged.from : this.hold[name];
    const { at, tilt } = this.hold;
    this.hand.move(...(name === "at" ? [at + way * step, tilt] : [at, tilt - way * step]));
    this.nudged = { key: name + way, from };
    const number = inDigits(Math.abs(this.hold[name] - from), { maximumFractionDigits: 1 });
    this.say(interpolate(done, { far: interpolate(unit, { number }) }));
  }

  /** Say something in place of the prompt. */
  say(sentence, { isWarning = false } = {}) {
    this.hint.classList.toggle("hand-warning", isWarning);
    if (this.hint.textContent !== sentence) {
      this.hint.textContent = sentence;
    }
  }

  /** Show whether the piece has been aimed, and what to do next. */
  show() {
    const { isAimed } = this.hold;
    [this.nudged, this.isMeant] = [null, false];
    this.button.ariaDisabled = String(!isAimed);
    this.say(isAimed ? AIMED : this.how);
  }
}

// --- On the page ---

/* The hand and the field for a typed move say the same. Letting go sends what the field says, as any typed
   move is sent, and needs no confirmation. */

const findField = () => document.querySelector("input#typed");
const field = () => required("input#typed");

/** What tells one piece to be placed from another: the tower as it stands, and the piece. */
function pieceOf(group) {
  return piecesOf(group).map((piece) => piece.outerHTML).join("") + group.dataset.nextPiece;
}

/** Let the reader hold the next piece of a seat, where it is the seat's to place.

    @param {HTMLElement} figure
    @param {string} [seat] */
export function begin(figure, seat) {
  const drawing = drawingOf(figure);
  const group = seat === undefined ? null : towerOf(drawing, seat);
  const confirmation = document.getElementById("confirm");
  const isAsked = findField() && !confirmation;
  playAtOnce(confirmation);
  if (!isAsked || !group?.dataset.nextPiece || drawing.querySelector(".hand")) {
    return;
  }
  group.querySelector(".held")?.remove();
  if (shown !== pieceOf(group)) {
    [shown, held] = [pieceOf(group), new Hold()];
  }
  take(drawing, group, (held ??= new Hold()));
}

function take(drawing, group, hold) {
  const hand = new Hand(drawing, group, hold, () => {
    panel.show();
    field().value = hold.text;
  });
  const panel = new Panel(hold, hand, () => letGo(hold));
  document.querySelectorAll(".hand-panel, .hand-hint").forEach((old) => old.remove());
  required("#match-entry .action-ways").prepend(panel.element);
  required("#match-entry .action-said").append(panel.hint);
  field().addEventListener("input", () => read(hand));
  // After a turn by keys the page has brought the focus to the board.
  if (isNext && drawing.contains(document.activeElement)) {
    hand.focus();
  }
  isNext = false;
}

function letGo(hold) {
  released = hold.text;
  isNext = true;
  field().value = released;
  field().form?.requestSubmit();
}

/** Let the page play what was released without asking once more (js/match/page.js). */
function playAtOnce(confirmation) {
  if (confirmation && released && new FormData(confirmation).getAll("word").join("") === released) {
    confirmation.dataset.atOnce = "";
    [released, shown] = ["", ""]; // the next piece is held aside, even over a tower like this one
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
