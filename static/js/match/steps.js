/* Steps: what happened on a board, entry after entry, shown over the board as it is now. The page below
   is always the newest; a tap or Escape ends the steps, and plays no move. Readers who want no motion,
   and those who switched steps off, see none.

   A title may show a step in a way of its own: it listens for `match:step` on `document` and calls
   `until` of its `detail`. */

/** @import { Die } from "../board/animation.js" */

import { animate, arrive, ROLL, roll, takeApart } from "../board/animation.js";
import { gettext } from "../site/language.js";
import { showMessage } from "./messages.js";
import { figure, root } from "./state.js";

/** @typedef {object} Frame a board after an entry
    @property {SVGSVGElement} drawing
    @property {HTMLElement | null} [panel] what lies beside the board
    @property {number} [n] the number of the entry
    @property {string} [told] the entry in words
    @property {SVGSVGElement | null} [foreseen] the preview of the next entry, which the reader has seen
    @property {Die[]} [dice] what it rolled */

/** @typedef {object} Step the detail of `match:step`
    @property {number} n the number of the entry
    @property {HTMLElement} stage what is laid over the board
    @property {Frame} was the board before, on the page
    @property {Frame} now the board after, on the page
    @property {number} pace how many times as fast as usual it is shown
    @property {Promise<unknown>} moved kept once all parts are where they belong
    @property {(promise: Promise<unknown>) => void} until lets the steps wait for a title */

/* From this number of steps on, each is shown twice as fast. */
const MANY = 6;

/* Milliseconds: all steps together at most, a fight or duel, a caption where nothing else is shown, and pieces that
   came before something else. */
const LONGEST = 20_000;
const SCENE = 1_800;
const READ = 550;
const PASS = 700;
const SPEEDS = { normal: 1, fast: 2, off: 0 };
const KEY = "match-steps";
const SKIPPED = "match-skipped";

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @type {Show | null} */
let showing = null;

/** How steps are shown: "normal", "fast" or "off"; the device keeps it.

    @returns {string} */
export const preference = () => localStorage.getItem(KEY) ?? "normal";
/** Keep how steps are to be shown.

    @param {string} name */
export const prefer = (name) => localStorage.setItem(KEY, name);

/** Whether the reader wants to see steps.

    @returns {boolean} */
export const areWanted = () => !still.matches && SPEEDS[preference()] > 0;

/** Whether steps are being shown.

    @returns {boolean} */
export const areShown = () => showing !== null;

// --- Frames ---

/** A copy in which nothing can be found or chosen; marks keep their names as `data-at`. */
function copyOf(shown) {
  const copy = shown.cloneNode(true);
  copy.querySelectorAll(".board-ghost").forEach((ghost) => ghost.remove());
  for (const mark of copy.querySelectorAll(".mark")) {
    mark.dataset.at = mark.dataset.mark;
    delete mark.dataset.mark;
    mark.classList.remove("mark", "mark-fresh", "mark-near");
    ["href", "role", "tabindex", "aria-label", "aria-current"].forEach((name) => mark.removeAttribute(name));
  }
  copy.querySelectorAll("[data-at] > use").forEach((use) => takeApart(use));
  copy.querySelectorAll("[data-mark], [tabindex]").forEach((part) => {
    delete part.dataset.mark;
    part.removeAttribute("tabindex");
  });
  copy.querySelectorAll("button").forEach((button) => {
    button.tabIndex = -1;
  });
  copy.querySelectorAll("[id]").forEach((part) => document.getElementById(part.id) && part.removeAttribute("id"));
  copy.ariaHidden = "true";
  return copy;
}

/** A frame of a board, on the page or parsed; `more` is what else it has.

    @param {Element} board
    @param {{ n?: number, told?: string, dice?: Die[] }} [more]
    @returns {Frame} */
export function frameOf(board, more = {}) {
  const drawing = copyOf(board.querySelector(".board-scroll > svg"));
  const beside = board.querySelector(":scope > .board-panel");
  const panel = beside && copyOf(beside);
  drawing.removeAttribute("style");
  ["role", "aria-label", "tabindex"].forEach((name) => panel?.removeAttribute(name));
  panel?.classList.add("stage-panel");
  return { drawing, panel, ...more };
}

// The log has dice by entry, `data-dice="4:3 6:5"` (sides and face).
const rowsWithDice = () => [...document.querySelectorAll("#match-log li[data-dice]")];
const diceOf = (row) => row?.dataset.dice.split(" ").map((die) => die.split(":").map(Number)) ?? [];

/** The dice that an entry has rolled.

    @param {number} number
    @returns {Die[]} */
export const rolledBy = (number) => diceOf(rowsWithDice().find((row) => row.value === number));

// --- The stage ---

/** The action area, if there is one. */
const actionArea = () => document.getElementById("match-entry");

/** The action area of who is to move; none on other pages. */
const prompt = () => document.querySelector("#match-entry.action-turn");

/** A prompt for the time of the steps, which takes the place of the question and of its buttons. */
function makeNote() {
  const note = document.createElement("div");
  const head = Object.assign(document.createElement("strong"), { textContent: gettext("Showing what happened") });
  const button = Object.assign(document.createElement("button"), { type: "button", className: "btn", textContent: gettext("Skip") });
  note.className = "steps-note";
  note.append(head, button);
  return note;
}

/** Say to who has tapped on the board for the first time why that has played no move. */
function explainSkipping() {
  if (prompt() && !localStorage.getItem(SKIPPED)) {
    localStorage.setItem(SKIPPED, "1");
    showMessage(gettext("You skipped the animation. Now you can move."), { isError: false });
  }
}

/** Lay an element over another one, both in the same frame. */
function lay(element, over, frame = figure()) {
  const [outer, box] = [frame, over].map((one) => one.getBoundingClientRect());
  const [left, top] = [box.left - outer.left, box.top - outer.top];
  const place = { left: `${left}px`, top: `${top}px`, width: `${box.width}px`, height: `${box.height}px` };
  Object.assign(element.style, place, { gridArea: "auto" });
}

class Show {
  constructor() {
    this.frames = [];
    this.isOver = false;
    this.isTitles = false; // whether a title shows the step in its own way, for longer than others take
    this.stage = document.createElement("div");
    this.caption = document.createElement("p");
    this.stage.className = "board-stage";
    this.caption.className = "board-caption";
    this.note = makeNote();
    this.stage.ariaHidden = "true";
    this.end = performance.now() + LONGEST;
  }

  /** Put the stage, and what is on it, over the board of the page. */
  settle() {
    const board = figure();
    board.classList.add("showing");
    if (this.stage.parentElement !== board) {
      board.append(this.stage);
    }
    lay(this.stage, board.querySelector(".board-scroll"));
    (this.isTitles ? actionArea() : prompt())?.append(this.note);
    this.settleCaption(board);
    [this.was, this.now].filter(Boolean).forEach((frame) => this.put(frame));
  }

  /** Put the caption on the line below the board. A phone has no such line: there it covers the words of the
      action area. Without that area, it lies over the lower edge of the board. A long caption grows upwards. */
  settleCaption(board) {
    const line = board.querySelector(".board-told");
    const area = actionArea();
    const within = line?.getClientRects().length ? line : area;
    this.caption.removeAttribute("style");
    if (!within) {
      this.stage.append(this.caption);
      return;
    }
    const [outer, box] = [board, within].map((one) => one.getBoundingClientRect());
    const buttons = area && within === area && (area.querySelector(".steps-note > .btn") ?? area.querySelector(".action-bar"));
    const bottom = (buttons && buttons.getBoundingClientRect().top) || box.bottom;
    board.append(this.caption);
    Object.assign(this.caption.style, {
      bottom: `${outer.bottom - bottom}px`,
      left: `${box.left - outer.left}px`,
      minHeight: `${bottom - box.top}px`,
      width: `${box.width}px`,
    });
  }

  put({ drawing, panel }) {
    const board = figure();
    lay(drawing, board.querySelector(".board-scroll > svg"), this.stage);
    if (drawing.parentElement !== this.stage) {
      this.stage.append(drawing);
    }
    const beside = board.querySelector(":scope > .board-panel:not(.stage-panel)");
    if (panel && beside) {
      board.append(panel);
      lay(panel, beside);
    }
  }

  /** Wait so long, at the pace of the step, unless a tap ends the wait. The clock is an animation. */
  wait(time, pace) {
    return this.isOver ? Promise.resolve() : this.stage.animate({}, { duration: time / pace, id: "step" }).finished.catch(() => {});
  }

  async run() {
    this.now = this.frames.shift();
    this.settle();
    while (this.frames.length && !this.isOver && performance.now() < this.end) {
      await this.step(this.frames.shift());
    }
    this.tear();
  }

  /** Show how a frame came from the one before. */
  async step(frame) {
    const pace = SPEEDS[preference()] * (this.frames.length >= MANY ? 2 : 1) * Number(root.dataset.speed ?? 1) || 1;
    this.caption.textContent = frame.told ?? "";
    this.stage.dataset.n = frame.n;
    await this.foreshow(frame, pace);
    if (this.isOver) {
      return;
    }
    [this.was, this.now] = [this.now, frame];
    this.settle();
    const running = animate(this.was.drawing, frame.drawing, this.was.foreseen);
    running.forEach((animation) => animation.updatePlaybackRate(pace));
    const moved = Promise.all(running.map(({ finished }) => finished.catch(() => {})));
    const others = this.offer(frame, moved, pace);
    this.isTitles = others.length > 0;
    if (this.isTitles) {
      this.settle();
    } else {
      this.removeFormer();
    }
    await Promise.all([moved, ...others]);
    this.removeFormer();
    await (others.length ? null : this.wait(READ, pace));
  }

  /** Show dice that fall, then a fight or duel in the middle of the board, or pieces that came before
      something else happened by the same move: what follows from them comes afterwards. */
  async foreshow({ dice, drawing }, pace) {
    if (roll(dice ?? [], this.stage, pace)) {
      await this.wait(ROLL, pace);
    }
    const scene = drawing.querySelector(".scene")?.cloneNode(true);
    if (scene && !this.isOver) {
      scene.removeAttribute("display");
      this.now.drawing.append(scene);
      await this.wait(SCENE, pace);
      scene.remove();
    }
    const passing = [...drawing.querySelectorAll("[data-passing]")];
    if (passing.length && !this.isOver) {
      const falling = passing.flatMap((piece) => arrive(piece, this.now.drawing));
      if (this.now.foreseen) {
        falling.forEach((animation) => animation.finish());
        return;
      }
      falling.forEach((animation) => animation.updatePlaybackRate(pace));
      await this.wait(PASS, pace);
    }
  }

  /** Let a title show a step in its own way; return what it then waits for. */
  offer(frame, moved, pace) {
    const others = [];
    const until = (promise) => others.push(promise);
    const detail = { n: frame.n, stage: this.stage, was: this.was, now: frame, pace, moved, until };
    document.dispatchEvent(new CustomEvent("match:step", { detail }));
    return others;
  }

  removeFormer() {
    this.was?.drawing.remove();
    this.was?.panel?.remove();
    this.was = null;
  }

  tear() {
    this.isOver = true;
    this.stage.getAnimations({ subtree: true }).forEach((animation) => animation.cancel());
    this.stage.remove();
    this.caption.remove();
    this.note.remove();
    this.removeFormer();
    this.now?.panel?.remove();
    figure().classList.remove("showing");
    if (showing === this) {
      showing = null;
      document.dispatchEvent(new CustomEvent("match:shown"));
    }
  }
}

/** Show frames one after the other, the first as it is; those that come while others are shown follow them.

    @param {Frame[]} frames */
export function play(frames) {
  if (showing) {
    showing.frames.push(...frames.slice(1));
    return;
  }
  showing = new Show();
  showing.frames = frames;
  showing.run();
}

/** Show the page as it is. */
export function stop() {
  showing?.tear();
}

/** Go on over a fresh board. */
export function settle() {
  showing?.settle();
}

/** A tap only ends the steps, whatever lies below. */
function onTap(event) {
  if (showing && event.target.closest?.(".board-stage, .stage-panel, .board-caption, .steps-note")) {
    event.preventDefault();
    event.stopPropagation();
    stop();
    if (!event.target.closest(".steps-note")) {
      explainSkipping();
    }
  }
}

function onKey(event) {
  const isTyping = event.target.matches?.("input, select, textarea");
  if (showing && event.key === "Escape" && !isTyping) {
    event.preventDefault();
    event.stopPropagation();
    stop();
  }
}

/** Show once more how the board came from another, as a title asks for. */
function onAgain({ detail: { n, board } }) {
  stop();
  play([frameOf(board), frameOf(figure(), { n })]);
}

document.addEventListener("match:again", onAgain);
document.addEventListener("click", onTap, { capture: true });
document.addEventListener("keydown", onKey, { capture: true });
addEventListener("resize", settle);
