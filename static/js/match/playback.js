/* Playback: a step after another at a chosen speed, which falling dice, moving parts and what the scripts
   of a game show keep to as well. Those read `data-speed` of the page's #match. */

import { areShown } from "./steps.js";

const PACE = 1_000;
const SPEEDS = { "½×": 0.5, "1×": 1, "2×": 2, "4×": 4 };

const root = document.getElementById("match");

/** How many times as fast as usual all is shown. */
const speed = () => Number(root.dataset.speed ?? 1);

function speedChoice() {
  const label = document.createElement("label");
  const select = document.createElement("select");
  const name = document.createElement("span");
  label.className = "stepper-speed";
  name.className = "visually-hidden";
  name.textContent = "Speed";
  select.append(...Object.entries(SPEEDS).map(([text, value]) => new Option(text, value, value === 1, value === 1)));
  select.addEventListener("change", () => {
    root.dataset.speed = select.value;
  });
  label.append(name, select);
  return label;
}

/** A button that plays, and the choice of the speed. `step` goes a step on and says whether there is one
    after it; `begin` is called before the first. */
export class Playback {
  #timer = 0;

  constructor({ begin, step }) {
    Object.assign(this, { begin, step });
    this.button = Object.assign(document.createElement("button"), { type: "button", className: "btn" });
    this.button.addEventListener("click", () => (this.#timer ? this.stop() : this.play()));
    this.elements = [this.button, speedChoice()];
    this.stop();
  }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.button.textContent = "Play";
  }

  play() {
    this.button.textContent = "Pause";
    this.begun = Promise.resolve(this.begin());
    this.#wait();
  }

  #wait() {
    this.#timer = setTimeout(() => this.#goOn(), PACE / speed());
  }

  /** Go a step on, once what led to this one has been shown. */
  async #goOn() {
    const mine = this.#timer;
    const next = () => this.begun.then(this.step).catch(() => false);
    if (!areShown() && !(await next())) {
      this.stop();
    } else if (mine === this.#timer) {
      this.#wait();
    }
  }
}
