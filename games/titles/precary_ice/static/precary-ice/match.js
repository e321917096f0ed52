/* A match of Precary-Ice with script, on its page and in its record: the hand that holds the next
   piece, and placements shown as they came about, each as a step (js/match/steps.js). */

import { gettext } from "../js/site/language.js";
import { present, required } from "../js/site/required.js";
import * as film from "./film.js";
import * as hand from "./hand.js";
import * as towers from "./towers.js";

const root = required("#match");
const isRecord = root.dataset.page === "record";

const SHOWN = "precary-ice-balance";

const phone = matchMedia("(width < 62.5rem)");

let known = null;
let roundBegin = null;
let roundEnd = null;

const figure = () => required("#match-board");
const position = () => required("#position");

/** The number of the entry after which the match is shown. */
function numberShown() {
  return Number(isRecord ? position().dataset.n : required("#match-head").dataset.version);
}

/** The address of the match, and of what belongs to it. */
function addressOf(name) {
  const base = isRecord ? present(position().dataset.address, "data-address").replace(/\d+\/$/, "") : root.dataset.address;
  return `${base}${name}`;
}

/** The number of the placement that led to what is shown. */
function placement() {
  const links = [...root.querySelectorAll(".log-link:has(.log-move)")];
  const numbers = links.map((link) => Number(link.dataset.n)).filter((n) => n <= numberShown());
  return Math.max(...numbers);
}

/** Whether an entry placed a piece. */
const isPlacement = (n) => root.querySelector(`.log-link[data-n="${n}"]:has(.log-move)`) !== null;

/** The reader's own tower in a drawing while it can grow. */
function ownTower(drawing) {
  const { seat } = root.dataset;
  return seat === undefined ? null : drawing.querySelector(`g.tower[data-building][data-seat="${seat}"]`);
}

/** What a board shows: its drawing, and what lies beside it. */
const boardOf = (board) => ({ drawing: towers.drawingOf(board), panel: towers.panelOf(board) });

/** Frame a board as the reader wants it: with the tower of `seat` alone, or with all. */
function frame(board, seat) {
  const { drawing } = board;
  const alone = ownTower(drawing) && towers.wantsAlone() ? seat : undefined;
  const isHeld = root.dataset.seat !== undefined && drawing.querySelector(".tower[data-building]") !== null;
  towers.frame(board, { alone, isHeld });
}

/** Let a film begin with a board: without hand, marks and lights. */
function strip({ drawing }) {
  drawing.querySelectorAll(".hand, .held, .lit, .balance").forEach((part) => part.remove());
  drawing.setAttribute("class", "film");
}

/** Show a placement of a seat as it came about. */
async function watch(seat, { n, was, now, pace }) {
  const trace = film.fetchTrace(addressOf(`${n}/trace.json`));
  root.classList.add("watching");
  strip(was);
  frame(was, seat);
  const landed = () => root.classList.add("landed");
  await film.play(was, now, { seat, trace, pace, landed });
  root.classList.remove("watching", "landed");
}

function onStep({ detail }) {
  frame(detail.now, root.dataset.seat);
  const seat = towers.placedBy(detail.now.drawing);
  if (isPlacement(detail.n) && seat !== undefined) {
    detail.until(watch(seat, detail));
  }
}

/** Show the last placement once more, after the board before it, as its record shows that. */
async function watchAgain() {
  const n = placement();
  const response = await fetch(addressOf(`${n - 1}/?part=record`));
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const board = document.importNode(required("#match-board", page), true);
  document.dispatchEvent(new CustomEvent("match:again", { detail: { n, board } }));
}

// --- Rounds ---

/* A whole round, watched in the record: its own playback is begun where the round begins, and ended where
   it does. */

/** Let the playback of the record begin or end (js/match/record.js). */
function letPlay(isWanted) {
  const player = required(".stepper-tools .btn");
  if (isWanted !== (player.dataset.playing !== undefined)) {
    player.click();
  }
}

/** The entries that begin and end the round to which an entry belongs. */
async function boundsOf(n, address) {
  const { log } = await (await fetch(address)).json();
  const over = log.filter(({ events }) => events.some(({ type }) => type === "round"));
  const ends = over.map(({ number }) => number);
  return [Math.max(0, ...ends.filter((last) => last < n)), ends.find((last) => last >= n) ?? log.length];
}

/** Watch the round to which entry `n` belongs; `address` is that of the match as JSON. */
async function watchRound(n, address) {
  [roundBegin, roundEnd] = await boundsOf(n, address);
  if (n === roundBegin) {
    reached(n);
  } else {
    required(`.log-link[data-n="${roundBegin}"]`).click();
  }
}

/** Note that the record shows entry `n`. */
function reached(n) {
  if (n === roundBegin) {
    roundBegin = null;
    letPlay(true);
  } else if (n === roundEnd) {
    roundEnd = null;
    letPlay(false);
  }
}

// --- Tools ---

function rowOf(board) {
  const panel = towers.panelOf(board);
  let row = panel.querySelector(".tower-tools");
  if (!row) {
    row = document.createElement("div");
    row.className = "tower-tools";
    panel.append(row);
    placeBalance(row);
  }
  return row;
}

/** Put the box for centres of mass into the row; on a phone, where that is full, into the drawer or below the record. */
function placeBalance(row) {
  const line = phone.matches ? document.querySelector("#notation, .stepper-files") : null;
  if (!line) {
    row.append(balance());
  } else if (!document.getElementById("balance")) {
    const own = Object.assign(document.createElement("p"), { id: "balance", className: "small" });
    own.append(balance());
    line.after(own);
  }
}

function button(name, label, act) {
  const made = document.createElement("button");
  Object.assign(made, { type: "button", className: "btn btn-small", textContent: label });
  made.dataset.tool = name;
  made.addEventListener("click", act);
  return made;
}

/** A box to tick: whether centres of mass are marked. The browser keeps the answer. */
function balance() {
  const box = Object.assign(document.createElement("input"), { type: "checkbox" });
  const label = document.createElement("label");
  box.checked = localStorage.getItem(SHOWN) !== "no";
  const show = () => root.classList.toggle("without-balance", !box.checked);
  box.addEventListener("change", () => {
    localStorage.setItem(SHOWN, box.checked ? "yes" : "no");
    show();
  });
  show();
  label.append(box, " ", gettext("Centre of mass"));
  return label;
}

/** A button that shows one's own tower alone, or all of them; `zoom(isAlone)` does it. */
function viewButton(zoom) {
  const label = () => (towers.wantsAlone() ? gettext("All towers") : gettext("My tower"));
  const made = button("zoom", label(), () => {
    zoom(!towers.wantsAlone());
    made.textContent = label();
  });
  return made;
}

/** Offer more beside a board: to watch the last placement again, to see one's tower alone. */
function addTools(board, { again, zoom, round }) {
  const row = rowOf(board);
  if (again) {
    row.prepend(button("again", gettext("Watch again"), again));
  }
  if (round) {
    row.prepend(button("round", gettext("Watch this round"), round));
  }
  if (zoom) {
    row.prepend(viewButton(zoom));
  }
}

// --- The page ---

/** Show my tower alone from now on, or all. */
function showAlone(isAlone) {
  towers.chooseAlone(isAlone);
  const shown = boardOf(figure());
  frame(shown, root.dataset.seat);
  const tower = ownTower(shown.drawing);
  if (tower) {
    towers.centre(tower);
  }
}

/** Whether the board shows a placement; a lesson has no record of it. */
function canWatchAgain() {
  return root.dataset.lesson === undefined && towers.placedBy(towers.drawingOf(figure())) !== undefined;
}

function freshBoard() {
  const [n, shown] = [numberShown(), boardOf(figure())];
  known = figure();
  frame(shown, root.dataset.seat);
  addTools(figure(), {
    again: canWatchAgain() ? watchAgain : null,
    round: isRecord ? () => watchRound(numberShown(), addressOf("export.json")) : null,
    zoom: ownTower(shown.drawing) ? showAlone : null,
  });
  reached(n);
}

function fresh() {
  if (figure() !== known) {
    freshBoard();
  }
  if (!isRecord) {
    hand.begin(figure(), root.dataset.seat);
  }
}

document.addEventListener("match:shown", () => root.classList.remove("watching", "landed"));
document.addEventListener("match:step", onStep);
document.addEventListener("match:shown", film.stop);
new MutationObserver(fresh).observe(root, { childList: true, subtree: true });
fresh();
