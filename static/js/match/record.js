/* The record with script: positions are fetched, swapped in and kept; keys, a slider, playback, and a board that turns. */

import * as marks from "../board/marks.js";
import { carry } from "../board/animation.js";
import * as zoom from "../board/zoom.js";
import { isOutdated, parse, reload, replace } from "../net/patches.js";
import { setTitle } from "../site/badge.js";
import { gettext, pgettext } from "../site/language.js";
import { present, required } from "../site/required.js";
import { figure, root } from "./state.js";
import * as steps from "./steps.js";

const kept = new Map();
const PACE = 1_000;
const SPEEDS = { "½×": 0.5, "1×": 1, "2×": 2, "4×": 4 };
const WAYS = { "board-turned": pgettext("board", "Turn"), "board-mirrored": pgettext("board", "Mirror") };
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };

let turn = 0;

const position = () => required("#position");
const number = () => Number(position().dataset.n);
const last = () => Number(position().dataset.last);

function addressOf(n) {
  return present(position().dataset.address, "data-address").replace(/\d+\/$/, `${n}/`);
}

function fetched(n) {
  if (!kept.has(n)) {
    const asked = fetch(`${addressOf(n)}?part=record`).then((response) => {
      if (!response.ok) {
        throw new Error(String(response.status));
      }
      return response.text();
    });
    asked.catch(() => kept.delete(n));
    kept.set(n, asked);
  }
  return kept.get(n);
}

function markLog(n) {
  for (const link of root.querySelectorAll(".log-link")) {
    if (Number(link.dataset.n) === n) {
      link.setAttribute("aria-current", "step");
      keepInView(link);
    } else {
      link.removeAttribute("aria-current");
    }
  }
}

/** Show the part of the log that holds a position, where the page shows another. */
async function showLogAt(n) {
  if (!root.querySelector(`.log-link[data-n="${n}"]`)) {
    const part = await fetchLog(addressOf(n));
    replace(required("#match-log"), required("#match-log", part));
  }
  watchLog();
  markLog(n);
}

async function fetchLog(address) {
  const response = await fetch(`${address}?part=log`);
  if (!response.ok) {
    throw new Error(String(response.status));
  }
  return parse(await response.text());
}

/** Put the part of the log that a link leads to in the link's place. */
async function extendLog(row) {
  scrolling.unobserve(row);
  const part = await fetchLog(row.querySelector("a").href);
  const rows = [...part.querySelectorAll("#match-log .log > li")];
  const back = rows.at(row.matches(":first-child") ? -1 : 0);
  const added = rows.filter((one) => one !== back || !one.matches(".log-more"));
  const log = row.parentElement;
  const below = log.scrollHeight - log.scrollTop;
  row.replaceWith(...added);
  log.scrollTop = added[0] === log.firstElementChild ? log.scrollHeight - below : log.scrollTop;
  watchLog();
  showLogAt(number());
}

const scrolling = new IntersectionObserver((seen) =>
  seen.filter((one) => one.isIntersecting).forEach((one) => extendLog(one.target).catch(() => {})),
);

/** Take in more of the log as soon as one scrolls to where it ends. */
function watchLog() {
  root.querySelectorAll(".log-more").forEach((row) => scrolling.observe(row));
}

/** Scroll the log alone, never the page. */
function keepInView(link) {
  const log = link.closest(".log");
  const [box, row] = [log.getBoundingClientRect(), link.getBoundingClientRect()];
  if (row.top < box.top || row.bottom > box.bottom) {
    log.scrollTop += row.top - box.top - log.clientHeight / 2;
  }
}

/** Make a fresh board ready for its readers. */
function ready() {
  marks.ready(figure());
  zoom.ready(figure());
}

/** The board before a step forward that is to be shown; else none. */
function frameBefore(n) {
  steps.stop();
  return n === number() + 1 && steps.areWanted() ? steps.frameOf(figure()) : null;
}

async function go(n) {
  const target = Math.min(Math.max(n, 0), last());
  const mine = (turn += 1);
  const html = await fetched(target);
  await showLogAt(target).catch(() => {});
  if (mine !== turn) {
    return;
  }
  const content = parse(html);
  if (isOutdated(content) && reload(content, addressOf(target))) {
    return;
  }
  const [old, fresh] = [position(), required("#position", content)];
  const before = frameBefore(target);
  const focused = /** @type {HTMLElement | SVGElement | null} */ (document.activeElement)?.dataset.step;
  replace(old, fresh);
  required(".stepper-nav", fresh).after(tools);
  slider.max = String(last());
  slider.value = String(target);
  if (focused && !fresh.contains(document.activeElement)) {
    fresh.querySelector(".stepper-nav a")?.focus();
  }
  ready();
  zoom.follow();
  if (before) {
    steps.play([before, steps.frameOf(figure(), { n: target, dice: steps.rolledBy(target) })]);
  } else {
    carry(old, fresh);
  }
  history.replaceState(history.state, "", addressOf(target));
  setTitle(position().dataset.title ?? "");
  [target + 1, target - 1].filter((k) => k >= 0 && k <= last()).forEach((k) => fetched(k));
}

function stepTo(where) {
  playback.stop();
  return go({ first: 0, back: number() - 1, forward: number() + 1, last: last() }[where]);
}

// --- Playback ---

/* A step after another at a chosen speed, which falling dice, moving parts and what the scripts of a game
   show keep to as well. Those read `data-speed` of the page's #match. */

/** How many times as fast as usual all is shown. */
const speed = () => Number(root.dataset.speed ?? 1);

function speedChoice() {
  const label = document.createElement("label");
  const select = document.createElement("select");
  const name = document.createElement("span");
  label.className = "stepper-speed";
  name.className = "visually-hidden";
  name.textContent = gettext("Speed");
  select.append(...Object.entries(SPEEDS).map(([text, value]) => new Option(text, String(value), value === 1, value === 1)));
  select.addEventListener("change", () => {
    root.dataset.speed = select.value;
  });
  label.append(name, select);
  return label;
}

/** A button that plays, and the choice of the speed. `step` goes a step on and says whether there is one
    after it; `begin` is called before the first. */
class Playback {
  #timer = 0;
  /** Kept once the first step may follow. @type {Promise<unknown>} */
  begun = Promise.resolve();

  constructor({ begin, step }) {
    this.begin = begin;
    this.step = step;
    this.button = Object.assign(document.createElement("button"), { type: "button", className: "btn" });
    this.button.addEventListener("click", () => (this.#timer ? this.stop() : this.play()));
    this.elements = [this.button, speedChoice()];
    this.stop();
  }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.button.textContent = pgettext("record", "Play");
    delete this.button.dataset.playing;
  }

  play() {
    this.button.textContent = pgettext("record", "Pause");
    this.button.dataset.playing = "";
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
    if (!steps.areShown() && !(await next())) {
      this.stop();
    } else if (mine === this.#timer) {
      this.#wait();
    }
  }
}

// --- Turning ---

/* The style sheet turns the picture, and what is written on it stays upright. */

/** A row of buttons; `onChange` is called once the board is seen otherwise. */
function turningButtons(onChange) {
  const row = Object.assign(document.createElement("div"), { className: "stepper-turns" });
  for (const [name, label] of Object.entries(WAYS)) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "btn btn-small" });
    Object.assign(button, { textContent: label, ariaPressed: "false" });
    button.addEventListener("click", () => {
      button.ariaPressed = String(root.classList.toggle(name));
      onChange();
    });
    row.append(button);
  }
  return row;
}

// --- The page ---

const playback = new Playback({
  begin: () => (number() === last() ? go(0) : null),
  step: async () => {
    await go(number() + 1);
    return number() < last();
  },
});
const tools = document.createElement("div");
const slider = document.createElement("input");
tools.className = "stepper-tools";
slider.type = "range";
slider.className = "stepper-slide";
slider.ariaLabel = gettext("Position");
slider.min = "0";
tools.append(...playback.elements, slider, turningButtons(zoom.follow));
slider.addEventListener("input", () => {
  playback.stop();
  go(Number(slider.value));
});

root.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-step], a[data-n]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) {
    return;
  }
  event.preventDefault();
  playback.stop();
  if (link.dataset.step) {
    stepTo(link.dataset.step);
  } else {
    go(Number(link.dataset.n));
  }
});

marks.begin(root, figure);

document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("input, select, textarea");
  if (typing || event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  if (marks.walk(figure(), event.key) || zoom.press(event.key)) {
    event.preventDefault();
  } else if (KEYS[event.key]) {
    event.preventDefault();
    stepTo(KEYS[event.key]);
  }
});

/* The match goes on while its record is read: take the new log, stay where the reader is. */
document.addEventListener("live:match", async ({ detail }) => {
  if (detail.version <= last()) {
    return;
  }
  const response = await fetch(location.pathname);
  if (!response.ok) {
    return;
  }
  const page = parse(await response.text());
  if (isOutdated(page) && reload(page)) {
    return;
  }
  for (const id of ["match-players", "match-log", "position"]) {
    replace(required(`#${id}`), required(`#${id}`, page));
  }
  kept.clear();
  go(number());
});

required(".stepper-nav", position()).after(tools);
slider.max = String(last());
slider.value = String(number());
ready();
markLog(number());
