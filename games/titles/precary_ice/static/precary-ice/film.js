/* A placement, shown as it came about: the drawing before it stays up while its tower moves along the
   trace and the pen writes, then the drawing after it is seen. Readers whom the trace does not reach in time
   see the end at once. */

import { Pen, TIME } from "./pen.js";
import { centre, dueOf, nextPiece, piecesOf, put, towerOf } from "./towers.js";

const LONGEST = 6_000;
const FRAME = 22.25; // milliseconds between two frames, as they were simulated
const LOWERING = 350;
const LOWERED = 14;
const AFTER_A_FALL = 900;
const STILL = 400;

let showing = null;

const mix = (one, other, part) => one.map((value, n) => value + (other[n] - value) * part);
const nextFrame = () => new Promise(requestAnimationFrame);
const pause = (time) => new Promise((done) => setTimeout(done, time));

class Film {
  constructor(before, after, speed) {
    const [shown, waiting] = [before, after].map(({ drawing, panel }) => [drawing, panel]);
    [this.before, this.beside] = shown;
    this.waiting = waiting;
    this.after = after.drawing;
    Object.assign(this, { speed, isTorn: false });
  }

  begin() {
    this.end = performance.now() + LONGEST / Math.min(this.speed, 1);
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

  /** Call `draw(part)` for so many milliseconds at the usual speed, part going from 0 to 1. */
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
    const last = frames.length - 1;
    const whole = Math.max(last, fall < TIME ? 0 : TIME / FRAME);
    return this.during((whole / fps) * 1000, (part) => {
      const at = Math.min(part * whole, last);
      const [now, next] = [frames[Math.floor(at)], frames[Math.ceil(at)]];
      pieces.forEach((piece, n) => put(piece, mix(now[n], next[n], at % 1)));
      pen.show(Math.min(part * whole * FRAME, fall));
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
    tower.querySelector(".pieces").append(added);
    await this.lower(added, hand, place);
    await this.follow(pieces, new Pen(dueOf(this.beside, seat)), trace, fall);
    const rest = (fall < Infinity ? AFTER_A_FALL : STILL) / this.speed;
    await pause(Math.min(rest, this.end - performance.now()));
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
    usual it is shown. */
export async function play(before, after, { seat, trace, pace }) {
  stop();
  const film = new Film(before, after, pace);
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
