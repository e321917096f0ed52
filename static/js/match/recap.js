/* What happened since the reader's last move: shown in steps when it happens, when the reader comes back
   and on "Replay", and highlighted until the reader moves. */

/** @import { Frame } from "./steps.js" */

import { changed } from "../board/animation.js";
import { parse } from "../net/patches.js";
import { gettext } from "../site/language.js";
import { figure, head, headOf, isPlayer, root, version } from "./state.js";
import * as steps from "./steps.js";

/** @typedef {Frame & { n: number, counts: string[] }} Shown a board with the number of its entry, and what the strips counted */

const MOST = 40;
const NAMES = { normal: gettext("Animation: normal"), fast: gettext("Animation: fast"), off: gettext("Animation: off") };

const kept = new Map();

let base = null;
let fresh = [];
let told = -1;
let settled = null;

const rows = () => [...document.querySelectorAll("#match-log li.log-row")];
const rowOf = (n) => document.querySelector(`#match-log .log-row[value="${n}"]`);

const isOwn = (row) => row.querySelector(`.swatch.seat-${root.dataset.seat}`) !== null;

/** The entry with which the reader moved last; for who has not moved and who watches the earliest to show. */
function lastOwn() {
  const own = isPlayer() ? rows().filter(isOwn).map((row) => row.value) : [version() - 1];
  return Math.max(...own, version() - MOST, 0);
}

const saidOf = (n) => rowOf(n)?.querySelector(".log-told")?.textContent ?? "";

/** A board as the frame after an entry. */
const frame = (board, n) => ({ ...steps.frameOf(board, { told: saidOf(n), dice: steps.rolledBy(n) }), n });

/** The board after an entry, as its record shows it. */
async function fetchFrame(n) {
  if (!kept.has(n)) {
    kept.set(n, fetch(`${root.dataset.address}${n}/?part=record`).then((response) => response.text()));
  }
  return frame(parse(await kept.get(n)).querySelector("#match-board"), n);
}

// --- Highlights ---

function mark() {
  figure().querySelectorAll(".mark").forEach((one) => one.classList.toggle("mark-fresh", fresh.includes(one.dataset.mark)));
}

/** Highlight the marks on which something else lies than after the reader's last move. */
async function highlight(known = []) {
  const [n, own] = [version(), lastOwn()];
  if (isPlayer() && n !== told && !location.search) {
    told = n;
    if (base?.n !== own) {
      base = own === n ? frame(figure(), n) : (known.find((one) => one.n === own) ?? (await fetchFrame(own)));
    }
    fresh = n === version() && !location.search ? changed(base.drawing, steps.frameOf(figure()).drawing) : [];
  }
  mark();
}

// --- Counts ---

// the strips of the newest page, with what they count while the steps that lead there are shown
const counts = new Map();

const tallies = () => [...document.querySelectorAll("#match-players .seat-tallies")];

/** Let the strips count what they counted before; those of the newest page are kept for the end of the steps.

    @param {string[]} former */
function holdCounts(former) {
  for (const [at, strip] of tallies().entries()) {
    if (!counts.has(strip)) {
      counts.set(strip, strip.innerHTML);
    }
    strip.innerHTML = former[at] ?? strip.innerHTML;
  }
}

/** A step begins: what was shown before is now counted, if the page has had its counts. */
function onStep({ detail: { was } }) {
  if (was.counts && counts.size) {
    holdCounts(was.counts);
  }
}

function releaseCounts() {
  for (const [strip, html] of counts) {
    strip.innerHTML = html;
  }
  counts.clear();
}

// --- Showing ---

/** The board without what is being entered, its preview, and the counts of the strips, before a page with another
    version takes its place; else none.

    @param {ParentNode} page
    @returns {Shown | null} */
export function before(page) {
  const next = headOf(page);
  const board = settled?.n === version() ? settled.board : figure();
  const counted = tallies().map((strip) => strip.innerHTML);
  if (!next || next.version === version()) {
    return null;
  }
  const foreseen = board === figure() ? null : steps.frameOf(figure()).drawing;
  return { ...frame(board, version()), foreseen, counts: counted };
}

/** Show how the page came from a frame: `boards` makes the HTML of the board after each entry between.

    @param {Shown} was
    @param {(() => string)[]} [boards] */
export function goOn(was, boards = []) {
  const between = boards.map((compose, at) => frame(parse(compose()).querySelector("#match-board"), version() - boards.length + at));
  const counted = tallies().map((strip) => counts.get(strip) ?? strip.innerHTML);
  const next = rowOf(was.n + 1);
  const first = { ...was, foreseen: next && isOwn(next) ? was.foreseen : null };
  root.classList.toggle("match-just-ended", isOver());
  const frames = [first, ...between, { ...frame(figure(), version()), counts: counted }];
  if (steps.areWanted() && version() > was.n) {
    holdCounts(was.counts);
    steps.play(frames);
  }
  seen();
  highlight(frames).catch(() => {});
}

/** A board was drawn again, the match being where it was. */
export function ready() {
  if (location.search) {
    steps.stop();
  } else {
    settled = { n: version(), board: figure() };
  }
  steps.settle();
  mark();
  button.hidden = lastOwn() === version();
}

/** What has happened after an entry, in sentences.

    @param {number} n
    @returns {string} */
export function newsSince(n) {
  const earlier = rows().map((row) => row.value).filter((value) => value > n && value < version());
  return [...earlier.toSorted((one, other) => one - other).map(saidOf), head().news].join(" ");
}

/** Show what happened since the reader's last move once more. */
async function replay() {
  const [from, to] = [lastOwn(), version()];
  const numbers = Array.from({ length: to - from }, (_, at) => from + at);
  const frames = await Promise.all(numbers.map(fetchFrame));
  if (to === version()) {
    steps.stop();
    steps.play([...frames, frame(figure(), to)]);
  }
}

const isOver = () => figure().querySelector(".board-result") !== null;

/** Where the last version that the reader has seen is kept: the end of a match is shown once, a running one again
    in each tab. */
const memory = () => (isOver() ? localStorage : sessionStorage);

const seen = () => memory().setItem(root.dataset.address ?? "", String(version()));

/** Show it to players who come back, once. */
function comeBack() {
  const isNew = Number(memory().getItem(root.dataset.address ?? "") ?? -1) < version();
  seen();
  root.classList.toggle("match-just-ended", isPlayer() && isNew && isOver());
  if (isPlayer() && isNew && !location.search && lastOwn() < version()) {
    highlight().catch(() => {});
    return steps.areWanted() ? replay() : null;
  }
  return highlight();
}

// --- Tools ---

const button = Object.assign(document.createElement("button"), { type: "button", className: "btn btn-small" });
button.textContent = gettext("Replay");
button.title = isPlayer() ? gettext("Show what happened since your last move") : gettext("Show the last move again");
button.addEventListener("click", () => replay().catch(() => {}));

function choice() {
  const select = document.createElement("select");
  const chosen = steps.preference();
  select.append(...Object.entries(NAMES).map(([name, text]) => new Option(text, name, name === chosen, name === chosen)));
  select.addEventListener("change", () => steps.prefer(select.value));
  select.ariaLabel = gettext("Animation");
  const line = document.createElement("p");
  line.className = "small";
  line.append(select);
  return line;
}

/** Add the button for replays above the log, and the choice of the speed to the drawer "More"; begin. A page
    without a log, on which moves are planned, has no recap. */
export function begin() {
  const log = document.getElementById("match-log");
  if (!log) {
    return;
  }
  const tools = document.createElement("div");
  tools.className = "log-tools small";
  tools.append(button);
  log.before(tools);
  document.getElementById("notation")?.after(choice());
  document.addEventListener("match:step", onStep);
  document.addEventListener("match:shown", releaseCounts);
  ready();
  comeBack()?.catch(() => {});
}
