/* A match of Precary-Ice with script, on its page and in its record: the hand that holds the next
   piece, and placements shown as they came about. */

import * as camera from "./camera.js";
import * as film from "./film.js";
import * as holding from "./holding.js";
import { centre, drawingOf, panelOf, placedBy, towerOf } from "./towers.js";
import * as rounds from "./rounds.js";
import { addTools } from "./tools.js";
import { fetchTrace } from "./trace.js";

const root = document.getElementById("match");
const isRecord = root.dataset.page === "record";

let known = {};

const figure = () => document.getElementById("match-board");
const position = () => document.getElementById("position");

/** The number of the entry after which the match is shown. */
function numberShown() {
  return Number(isRecord ? position().dataset.n : document.getElementById("match-head").dataset.version);
}

/** The address of the match, and of what belongs to it. */
function addressOf(name) {
  const base = isRecord ? position().dataset.address.replace(/\d+\/$/, "") : root.dataset.address;
  return `${base}${name}`;
}

/** The number of the placement that led to what is shown; none if something else did. */
function placement() {
  if (placedBy(drawingOf(figure())) === undefined) {
    return null;
  }
  const links = [...root.querySelectorAll(".log-link:has(.log-move)")];
  const numbers = links.map((link) => Number(link.dataset.n)).filter((n) => n <= numberShown());
  return Math.max(...numbers);
}

/** The reader's own tower in a drawing while it can grow. */
function ownTower(drawing) {
  const { seat } = root.dataset;
  const tower = seat === undefined ? null : towerOf(drawing, seat);
  return tower?.matches("[data-building]") ? tower : null;
}

/** What a board shows: its drawing, and what lies beside it. */
const boardOf = (board) => ({ drawing: drawingOf(board), panel: panelOf(board) });

/** Frame a board as the reader wants it: with the tower of `seat` alone, or with all. */
function frame(board, seat) {
  const own = ownTower(board.drawing);
  const alone = own && camera.wantsAlone() ? seat : undefined;
  camera.frame(board, { alone, isHeld: own !== null });
}

/** A board as a film begins with it: without hand, marks and lights. */
function bare({ drawing, panel }) {
  const copy = drawing.cloneNode(true);
  copy.querySelectorAll(".hand, .held, .lit, .balance").forEach((part) => part.remove());
  copy.setAttribute("class", "film");
  return { drawing: copy, panel: panel.cloneNode(true) };
}

/** The board after an entry, as its record shows it. */
async function fetchBoard(n) {
  const response = await fetch(addressOf(`${n}/?part=record`));
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  return bare(boardOf(document.importNode(page.querySelector("#match-board"), true)));
}

/** Show a placement on the board as it came about; `before` is the board before it. */
async function watch(n, before) {
  const after = boardOf(figure());
  const seat = placedBy(after.drawing);
  const trace = fetchTrace(addressOf(`${n}/trace.json`));
  root.classList.add("watching");
  frame(before, seat);
  await film.play(figure(), before, after, { seat, trace });
  if (!film.isShowing()) {
    root.classList.remove("watching");
  }
}

async function watchAgain() {
  const n = placement();
  await watch(n, await fetchBoard(n - 1));
}

/** Whether the reader should see how what is fresh came about: not who is about to place a piece. */
function isToBeWatched(before, n) {
  const isNext = before.n !== undefined && n === before.n + 1 && placement() === n;
  return isNext && film.isWanted() && !holding.isBusy(figure(), root.dataset.seat);
}

/** Show my tower alone from now on, or all. */
function zoom(isAlone) {
  camera.choose(isAlone);
  const shown = boardOf(figure());
  frame(shown, root.dataset.seat);
  centre(ownTower(shown.drawing));
}

function freshBoard() {
  film.stop();
  const [before, n, shown] = [known, numberShown(), boardOf(figure())];
  known = { n, board: figure(), ...shown };
  frame(shown, root.dataset.seat);
  addTools(figure(), {
    again: placement() === null ? null : watchAgain,
    round: isRecord ? () => rounds.watch(numberShown(), addressOf("export.json")) : null,
    zoom: ownTower(shown.drawing) ? zoom : null,
  });
  rounds.reached(n);
  if (isToBeWatched(before, n)) {
    watch(n, bare(before));
  }
}

function fresh() {
  if (figure() !== known.board) {
    freshBoard();
  }
  if (!isRecord && !figure().ariaBusy) {
    holding.begin(figure(), root.dataset.seat);
  }
}

new MutationObserver(fresh).observe(root, { childList: true, subtree: true });
fresh();
