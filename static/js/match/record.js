/* The record with script: positions are fetched, swapped in and kept; keys, a slider and playback. */

import { setTitle } from "../badge.js";
import { parse, replace } from "../regions.js";
import { isOutdated, reload } from "../release.js";
import * as board from "./board.js";
import { carry } from "./motion.js";
import { Playback } from "./playback.js";
import { rolledBy } from "./rolls.js";
import * as steps from "./steps.js";
import { turningButtons } from "./turning.js";
import * as view from "./view.js";

const root = document.getElementById("match");
const kept = new Map();
const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };

let turn = 0;

const position = () => document.getElementById("position");
const number = () => Number(position().dataset.n);
const last = () => Number(position().dataset.last);
const figure = () => document.getElementById("match-board");

function addressOf(n) {
  return position().dataset.address.replace(/\d+\/$/, `${n}/`);
}

function fetched(n) {
  if (!kept.has(n)) {
    const asked = fetch(`${addressOf(n)}?part=record`).then((response) => {
      if (!response.ok) {
        throw new Error(response.status);
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
    replace(document.getElementById("match-log"), part.querySelector("#match-log"));
  }
  watchLog();
  markLog(n);
}

async function fetchLog(address) {
  const response = await fetch(`${address}?part=log`);
  if (!response.ok) {
    throw new Error(response.status);
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
  board.ready(figure());
  view.ready(figure());
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
  const [old, fresh] = [position(), content.querySelector("#position")];
  const before = frameBefore(target);
  const focused = document.activeElement?.dataset?.step;
  replace(old, fresh);
  fresh.querySelector(".stepper-nav").after(tools);
  slider.max = String(last());
  slider.value = String(target);
  if (focused && !fresh.contains(document.activeElement)) {
    fresh.querySelector(".stepper-nav a")?.focus();
  }
  ready();
  view.follow();
  if (before) {
    steps.play([before, steps.frameOf(figure(), { n: target, dice: rolledBy(target) })]);
  } else {
    carry(old, fresh);
  }
  history.replaceState(null, "", addressOf(target));
  setTitle(position().dataset.title);
  [target + 1, target - 1].filter((k) => k >= 0 && k <= last()).forEach((k) => fetched(k));
}

function step(where) {
  playback.stop();
  return go({ first: 0, back: number() - 1, forward: number() + 1, last: last() }[where]);
}

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
slider.ariaLabel = "Position";
slider.min = "0";
tools.append(...playback.elements, slider, turningButtons(view.follow));
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
    step(link.dataset.step);
  } else {
    go(Number(link.dataset.n));
  }
});

root.addEventListener("focusin", () => board.note(figure()));

document.addEventListener("keydown", (event) => {
  const typing = event.target.matches("input, select, textarea");
  if (typing || event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  if (board.walk(figure(), event.key) || view.press(event.key)) {
    event.preventDefault();
  } else if (KEYS[event.key]) {
    event.preventDefault();
    step(KEYS[event.key]);
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
    replace(document.getElementById(id), page.querySelector(`#${id}`));
  }
  kept.clear();
  go(number());
});

position().querySelector(".stepper-nav").after(tools);
slider.max = String(last());
slider.value = String(number());
ready();
markLog(number());
