/* A placement, shown as it came about: the drawing before it stays up while its tower moves along the
   trace and the pen writes, then the drawing after it is seen. Readers whom the trace does not reach in time
   see the end at once. */

/** @import { Board } from "./towers.js" */

import { present, required } from "../js/site/required.js";
import { centre, dueOf, make, nextPiece, piecesOf, placeOf, put, towerOf } from "./towers.js";

/** @typedef {object} Trace
    @property {number} fps frames a second, as they were simulated
    @property {number[][][]} frames of each piece x, y and angle */

const LONGEST = 6_000;
const FRAME = 22.25; // milliseconds between two frames, as they were simulated
const LOWERING = 350;
const LOWERED = 14;
const HALF_PIECE = 30; // millimetres from the middle of the largest piece to its farthest end
const REST = 900; // in which what came of it is read
const PATIENCE = 4_000;

/** Milliseconds that writing takes, as the rules have it. */
const TIME = 900;

const REACHED = 0.3;
const CROSSED = 0.5;
const MOVED = 0.65;
const FAR = [34, -16];

/** @type {Film | null} */
let showing = null;

const mix = (one, other, part) => one.map((value, n) => value + (other[n] - value) * part);
const nextFrame = () => new Promise(requestAnimationFrame);
const pause = (time) => new Promise((done) => setTimeout(done, time));

// --- The trace ---

/* How a placement came about, frame by frame (games/kernel/trace.py). */

/** Fetch a trace as `{fps, frames}`, each frame a list of [x, y, angle]; null without one.

    @param {string} address
    @returns {Promise<Trace | null>} */
export async function fetchTrace(address) {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(PATIENCE) });
    return response.ok ? await unpackTrace(await response.json()) : null;
  } catch {
    return null;
  }
}

async function unpackTrace({ fps, bodies, scale, data }) {
  const packed = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const view = new DataView(await new Response(stream).arrayBuffer());
  const number = (n) => view.getInt16(2 * n, true) / scale[n % 3];
  const body = (n) => [number(3 * n), number(3 * n + 1), number(3 * n + 2)];
  const count = view.byteLength / 6 / bodies;
  const frames = Array.from({ length: count }, (_, frame) =>
    Array.from({ length: bodies }, (_, n) => body(frame * bodies + n)),
  );
  return { fps, frames };
}

// --- The pen ---

/* The pen that writes while a piece falls into place: it is picked up as the piece is let go, crosses off
   the old total, writes the new one, and has to be faster than the tower. */

const partOf = (now, from, to) => Math.min(Math.max((now - from) / (to - from), 0), 1);

class Pen {
  /** The pen that writes what is due on a sheet. */
  constructor(due) {
    this.stroke = due.querySelector("path");
    this.total = this.stroke.nextElementSibling;
    this.tip = make("path", { class: "pen", d: "M0 0l2.2-1 9-12.6-2.6-1.9-9 12.6z" });
    due.append(this.tip);
    this.length = this.stroke.getTotalLength();
    const box = this.total.getBBox();
    this.number = [[box.x, box.y + box.height], [box.x + box.width, box.y + box.height / 2]];
    const start = this.stroke.getPointAtLength(0);
    const end = this.stroke.getPointAtLength(this.length);
    this.line = [[start.x, start.y], [end.x, end.y]];
    this.stroke.setAttribute("stroke-dasharray", this.length);
  }

  /** Show how far the pen has come, `time` milliseconds after the piece was let go. */
  show(time) {
    const now = time / TIME;
    const [crossed, written] = [partOf(now, REACHED, CROSSED), partOf(now, MOVED, 1)];
    this.stroke.setAttribute("stroke-dashoffset", this.length * (1 - crossed));
    this.stroke.setAttribute("visibility", crossed > 0 ? "visible" : "hidden");
    this.total.style.clipPath = `inset(0 ${100 * (1 - written)}% 0 0)`;
    this.total.setAttribute("visibility", written > 0 ? "visible" : "hidden");
    this.tip.setAttribute("visibility", now < 1 ? "visible" : "hidden");
    this.tip.setAttribute("transform", `translate(${this.at(now).map((value) => value.toFixed(2)).join(" ")})`);
  }

  /** Where the tip of the pen is. */
  at(now) {
    const [from, to] = this.line;
    if (now < CROSSED) {
      return now < REACHED ? mix(FAR, from, partOf(now, 0, REACHED)) : mix(from, to, partOf(now, REACHED, CROSSED));
    }
    return now < MOVED ? mix(to, this.number[0], partOf(now, CROSSED, MOVED)) : mix(...this.number, partOf(now, MOVED, 1));
  }
}

// --- The film ---

/** How many millimetres the view has to move to the right for all pieces to be seen where they end up;
    without hiding others, and below 0 for the left.

    @param {SVGSVGElement} drawing
    @param {Element} tower
    @param {number[][]} ends of each piece x, y and angle */
function scattered(drawing, tower, ends) {
  const { x, width } = drawing.viewBox.baseVal;
  const seen = drawing.getBoundingClientRect().width / present(drawing.getScreenCTM(), "place on the screen").a / 2;
  const middle = x + width / 2 - placeOf(tower)[0];
  const places = ends.map(([place]) => place);
  const [left, right] = [Math.min(...places) - HALF_PIECE, Math.max(...places) + HALF_PIECE];
  const [spareLeft, spareRight] = [left - middle + seen, middle + seen - right];
  if (spareRight < 0) {
    return Math.max(0, Math.min(-spareRight, spareLeft));
  }
  return spareLeft < 0 ? -Math.max(0, Math.min(-spareLeft, spareRight)) : 0;
}

class Film {
  constructor(before, after, { pace, landed }) {
    this.before = before.drawing;
    this.beside = before.panel;
    this.after = after.drawing;
    this.waiting = [after.drawing, after.panel];
    this.speed = pace;
    this.landed = landed;
    this.isTorn = false;
    this.end = performance.now() + LONGEST / Math.min(this.speed, 1);
  }

  begin() {
    for (const [at, part] of [this.before, this.beside].entries()) {
      this.waiting[at].classList.add("film-waits");
      this.waiting[at].before(part);
    }
  }

  /** Show the end, whether it has come or not. */
  tear() {
    this.isTorn = true;
    this.before.remove();
    this.beside.remove();
    this.waiting.forEach((part) => part.classList.remove("film-waits"));
  }

  /** Call `draw(part)` for `time` milliseconds at the usual speed, part going from 0 to 1. */
  async during(time, draw) {
    const start = performance.now();
    for (let part = 0, now = start; part < 1 && now < this.end && !this.isTorn; ) {
      now = await nextFrame();
      part = Math.min(Math.max(((now - start) * this.speed) / time, 0), 1);
      draw(part);
    }
  }

  /** Lower the new piece from the hand to where it is let go. */
  lower(piece, from, place) {
    return this.during(LOWERING, (part) => put(piece, mix(from, place, part * (2 - part))));
  }

  /** Show a fall or a landing, and the pen, which stops when the tower has fallen. */
  follow(pieces, pen, { fps, frames }, fall) {
    const view = this.before.viewBox.baseVal;
    const { x } = view;
    const aside = fall === Infinity ? 0 : scattered(this.before, pieces[0].closest(".tower"), frames.at(-1));
    const last = frames.length - 1;
    const whole = Math.max(last, fall < TIME ? 0 : TIME / FRAME);
    return this.during((whole / fps) * 1000, (part) => {
      const at = Math.min(part * whole, last);
      const [now, next] = [frames[Math.floor(at)], frames[Math.ceil(at)]];
      pieces.forEach((piece, n) => put(piece, mix(now[n], next[n], at % 1)));
      pen.show(Math.min(part * whole * FRAME, fall));
      view.x = x + aside * partOf(at / last, 0.5, 1);
    });
  }

  async run(seat, trace) {
    const tower = towerOf(this.before, seat);
    const added = nextPiece(tower);
    const pieces = [...piecesOf(tower), added];
    if (pieces.length !== trace.frames[0].length) {
      return;
    }
    const place = trace.frames[0].at(-1);
    const hand = [place[0], place[1] + LOWERED, place[2]];
    const fall = Number(towerOf(this.after, seat).dataset.fall ?? Infinity);
    centre(tower);
    put(added, hand);
    required(".pieces", tower).append(added);
    await this.lower(added, hand, place);
    await this.follow(pieces, new Pen(dueOf(this.beside, seat)), trace, fall);
    this.landed();
    await pause(Math.min(REST / this.speed, this.end - performance.now()));
  }
}

/** End what is being shown, if anything is. */
export function stop() {
  showing?.tear();
  showing = null;
}

/** Show how a board came from what it was `before` to what it is `after`, each a drawing and its panel;
    say when it has ended.

    `trace` is the promise of the trace of the piece that a seat has placed, `pace` how many times as fast as
    usual it is shown; `landed()` is called when the tower has fallen or is still.

    @param {Board} before
    @param {Board} after
    @param {{ seat: string, trace: Promise<Trace | null>, pace: number, landed: () => void }} placement
    @returns {Promise<void>} */
export async function play(before, after, { seat, trace, pace, landed }) {
  stop();
  const film = new Film(before, after, { pace, landed });
  showing = film;
  film.begin();
  const found = await trace;
  if (found && !film.isTorn) {
    await film.run(seat, found);
  }
  if (!film.isTorn) {
    stop();
  }
}
