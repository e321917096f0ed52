/* The pen that writes while a piece falls into place: it is picked up as the piece is let go, crosses off
   the old total, writes the new one, and has to be faster than the tower. */

import { make } from "./towers.js";

/** Milliseconds that writing takes, as the rules have it. */
export const TIME = 900;

const REACHED = 0.3;
const CROSSED = 0.5;
const MOVED = 0.65;
const FAR = [34, -16];

const partOf = (now, from, to) => Math.min(Math.max((now - from) / (to - from), 0), 1);
const mix = (one, other, part) => one.map((value, n) => value + (other[n] - value) * part);

export class Pen {
  /** The pen that writes what is due on a sheet. */
  constructor(due) {
    [this.stroke, this.total] = due.children;
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

  /** Show how far the pen has come, so many milliseconds after the piece was let go. */
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
