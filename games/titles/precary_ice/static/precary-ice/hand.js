/* The hand: the next piece, held over the tower of who is to build. It is moved by mouse, finger, arrow
   keys or buttons, and let go by one button. It snaps to nothing but the steps in which moves are written.

   A finger that holds the piece would hide it, so the piece is lifted above the finger. The first
   pixels of a finger's way move it in fine steps. */

import { heightOf, make, nextPiece, put } from "./towers.js";

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

const within = (number, most) => Math.min(Math.max(number, -most), most);
const signed = (number, digits) => `${number < 0 ? "-" : "+"}${Math.abs(number).toFixed(digits)}`;

/** The millimetres for which a finger has moved the piece: the first in `FINE` pixels. */
function finely(far, scale) {
  const near = Math.min(Math.abs(far), FINE);
  return Math.sign(far) * (near / FINE + (Math.abs(far) - near) / scale);
}

/** Where a piece is held: millimetres from the axis and degrees, both in whole steps. */
export class Hold {
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
export class Hand {
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
