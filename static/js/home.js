/* The front page plays the last moves of a match on the board beside the headline: once, and again on a
   button. Readers who want no motion keep the still picture, and so do those without scripts.

   <figure data-steps="/games/<slug>/steps/"><a><svg>…</svg></a><figcaption>… <span class="welcome-told"> */

import { animate, takeApart } from "./board/animation.js";
import { gettext, pgettext } from "./site/language.js";
import { present, required } from "./site/required.js";

const PAUSE = 2_000;
const STOP = gettext("Stop");
const AGAIN = pgettext("animation", "Play again");
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @typedef {{ drawing: SVGElement, told: string }} Step */

/** A drawing whose pieces can be told apart. */
function prepared(drawing) {
  for (const mark of drawing.querySelectorAll("[data-mark]")) {
    mark.dataset.at = mark.dataset.mark;
    mark.classList.remove("mark");
    ["data-mark", "aria-label", "role"].forEach((name) => mark.removeAttribute(name));
  }
  drawing.querySelectorAll("[data-at] > use").forEach((use) => takeApart(use, drawing));
  drawing.setAttribute("role", "img");
  return drawing;
}

/** @param {HTMLElement} figure
    @returns {Promise<Step[]>} */
async function fetchSteps(figure) {
  const response = await fetch(present(figure.dataset.steps, "data-steps"));
  return (await response.json()).map(({ board, told }) => {
    const page = new DOMParser().parseFromString(board, "text/html");
    return { drawing: prepared(required("svg", page)), told };
  });
}

function show(figure, { drawing, told }) {
  required("a", figure).replaceChildren(drawing);
  required(".welcome-told", figure).textContent = told;
}

const wait = (time) => new Promise((done) => setTimeout(done, time));

/** Wait until the tab is looked at.

    @returns {Promise<void>} */
const seen = () =>
  new Promise((done) => {
    const look = () => {
      if (!document.hidden) {
        document.removeEventListener("visibilitychange", look);
        done();
      }
    };
    document.addEventListener("visibilitychange", look);
    look();
  });

async function play(figure, steps, isStopped) {
  show(figure, steps[0]);
  for (const step of steps.slice(1)) {
    await wait(PAUSE);
    await seen();
    if (isStopped()) {
      return;
    }
    const was = required("svg", figure);
    was.after(step.drawing);
    required(".welcome-told", figure).textContent = step.told;
    const running = animate(was, step.drawing);
    was.remove();
    await Promise.all(running.map(({ finished }) => finished.catch(() => {})));
  }
}

/** A button that stops the steps, and plays them again. */
async function begin(figure) {
  const steps = await fetchSteps(figure);
  const button = Object.assign(document.createElement("button"), { type: "button", className: "btn btn-small" });
  let turn = 0;
  async function start() {
    turn += 1;
    const mine = turn;
    button.textContent = STOP;
    await play(figure, steps, () => mine !== turn);
    if (mine === turn) {
      turn += 1;
      button.textContent = AGAIN;
    }
  }
  button.addEventListener("click", () => {
    if (button.textContent === STOP) {
      turn += 1;
      button.textContent = AGAIN;
    } else {
      start();
    }
  });
  required(".welcome-told", figure).before(button);
  await start();
}

const figure = document.querySelector("figure[data-steps]");
if (figure && !still.matches) {
  begin(figure).catch(() => {});
}
