/* A match of Precary-Ice with script, on its page and in its record: the hand that holds the next
   piece, and placements shown as they came about, each as a step (js/match/steps.js). */

import * as camera from "./camera.js";
import * as film from "./film.js";
import * as holding from "./holding.js";
import { centre, drawingOf, panelOf, placedBy, towerOf } from "./towers.js";
import * as rounds from "./rounds.js";
import { addTools } from "./tools.js";
import { fetchTrace } from "./trace.js";

const root = document.getElementById("match");
const isRecord = root.dataset.page === "record";

let known = null;

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

/** Whether an entry placed a piece. */
const isPlacement = (n) => root.querySelector(`.log-link[data-n="${n}"]:has(.log-move)`) !== null;

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

/** Let a film begin with a board: without hand, marks and lights. */
function strip({ drawing }) {
  drawing.querySelectorAll(".hand, .held, .lit, .balance").forEach((part) => part.remove());
  drawing.setAttribute("class", "film");
}

/** Show a placement as it came about. */
async function watch({ n, was, now, pace }) {
  const seat = placedBy(now.drawing);
  const trace = fetchTrace(addressOf(`${n}/trace.json`));
  root.classList.add("watching");
  strip(was);
  frame(was, seat);
  await film.play(was, now, { seat, trace, pace });
  root.classList.remove("watching");
}

function onStep({ detail }) {
  frame(detail.now, root.dataset.seat);
  if (isPlacement(detail.n) && placedBy(detail.now.drawing) !== undefined) {
    detail.until(watch(detail));
  }
}

/** Show the last placement once more, after the board before it, as its record shows that. */
async function watchAgain() {
  const n = placement();
  const response = await fetch(addressOf(`${n - 1}/?part=record`));
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const board = document.importNode(page.querySelector("#match-board"), true);
  document.dispatchEvent(new CustomEvent("match:again", { detail: { n, board } }));
}

/** Show my tower alone from now on, or all. */
function zoom(isAlone) {
  camera.choose(isAlone);
  const shown = boardOf(figure());
  frame(shown, root.dataset.seat);
  centre(ownTower(shown.drawing));
}

function freshBoard() {
  const [n, shown] = [numberShown(), boardOf(figure())];
  known = figure();
  frame(shown, root.dataset.seat);
  addTools(figure(), {
    again: placement() === null ? null : watchAgain,
    round: isRecord ? () => rounds.watch(numberShown(), addressOf("export.json")) : null,
    zoom: ownTower(shown.drawing) ? zoom : null,
  });
  rounds.reached(n);
}

function fresh() {
  if (figure() !== known) {
    freshBoard();
  }
  if (!isRecord) {
    holding.begin(figure(), root.dataset.seat);
  }
}

document.addEventListener("match:step", onStep);
document.addEventListener("match:shown", film.stop);
new MutationObserver(fresh).observe(root, { childList: true, subtree: true });
fresh();
