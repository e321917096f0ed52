/* The page of a match with script: a click on the board or in the list is a step on the same addresses that
   the page links to, asked for over the connection of the page or fetched, and swapped in; a form is sent
   and its answer swapped in; what others do comes in by itself. */

/** @import { Places } from "../net/sending.js" */
/** @import { Update } from "../net/socket.js" */
/** @import { Trigger } from "./progress.js" */

import { carry } from "../board/animation.js";
import * as drag from "../board/drag.js";
import * as drawShapes from "../board/draw-shapes.js";
import * as hover from "../board/hover-preview.js";
import * as magnifier from "../board/magnifier.js";
import * as marks from "../board/marks.js";
import * as zoom from "../board/zoom.js";
import * as drafts from "../net/drafts.js";
import { complete, isOutdated, reload, swap } from "../net/patches.js";
import { ask, enter, insist, play } from "../net/sending.js";
import { setTitle } from "../site/badge.js";
import { offerCopying } from "../site/controls.js";
import { gettext } from "../site/language.js";
import { required } from "../site/required.js";
import * as drawers from "./drawers.js";
import * as keys from "./keys.js";
import { clearFailure, clearSending, linkTo, showFailure, showMessage, showWaiting } from "./messages.js";
import * as presence from "./presence.js";
import { isNewer, Progress } from "./progress.js";
import * as recap from "./recap.js";
import * as signals from "./signals.js";
import { figure, head, headOf, root, version } from "./state.js";
import * as steps from "./steps.js";
import * as typing from "./typing.js";
import * as why from "./why.js";

/* A board to think on changes its address with each move. */
const places = /** @type {Places & DOMStringMap} */ (root.dataset);
/* Milliseconds: how long nothing is said of a move being sent, how soon a page looks again for a plan that goes on,
   and over how long very many pages spread their requests. */
const NOTICEABLE = 600;
const SOON = 2_000;
const SPREAD = 5_000;

const progress = new Progress((isBusy) => (isBusy ? root.setAttribute("aria-busy", "true") : root.removeAttribute("aria-busy")));
/** The newest version that the site has told of, with its page where that was pushed. @type {Update | null} */
let heard = null;
/** When to look for a newer page. */
let timer = 0;
/** Whether the reader's last action was by pointer, not by keyboard. */
let byPointer = false;
/** The address of a step that the site has not answered; empty if it has answered all. */
let unanswered = "";

/** Whether each position has an address of its own, as on a board to think on and in a lesson. */
const hasPositions = "visits" in root.dataset;

const confirmation = () => document.querySelector("form#confirm");
const isTurn = () => document.querySelector("#match-entry.action-turn") !== null;

function ready() {
  presence.ready();
  marks.ready(figure());
  zoom.ready(figure());
  typing.ready();
  signals.ready();
  hover.ready(version());
  why.ready();
  recap.ready();
  drawShapes.ready();
  if (document.querySelector("#match-entry [data-again]")) {
    refreshIn(SOON); // a plan is about to go on: that it stops changes no version
  } else if (!isBehind()) {
    clearTimeout(timer);
  }
}

/** Whether the site has told of a newer version than the page shows. */
const isBehind = () => heard !== null && isNewer(heard, head());

/** Look for a newer page after `wait` milliseconds. */
function refreshIn(wait) {
  clearTimeout(timer);
  timer = setTimeout(refresh, wait);
}

/** Ask for the whole page; a little later if something is being sent. */
function refresh() {
  if (progress.may("ask")) {
    load(hover.partOf(location.href, "live"), { isAsked: false, isStep: location.search !== "" });
  } else {
    refreshIn(SOON);
  }
}

/** @param {string} selector */
const isFocused = (selector) => document.activeElement?.matches(selector) ?? false;

/** Tell screen readers. @param {string} news */
function announce(news) {
  required("#news").textContent = news;
}

/** Whether the reader has begun something that a reload could lose. */
function isEntering() {
  const fields = [...root.querySelectorAll("input#typed, textarea")];
  return (
    location.search !== "" ||
    (root.contains(document.activeElement) && isFocused("input, select, textarea")) ||
    fields.some((field) => field.value !== field.defaultValue)
  );
}

/** Whether the reader has another seat than when the page was loaded, as after a substitute came. */
function hasOtherSeat(page) {
  const fresh = headOf(page);
  return fresh !== null && fresh.seat !== root.dataset.seat;
}

/** Reload the page after an update of the site, or offer to; return whether nothing else is to do.

    A refusal is shown first: it would be lost. */
function renew(page, isAsked) {
  if (hasOtherSeat(page)) {
    location.replace(places.address);
    return true;
  }
  if (!isOutdated(page) || page.querySelector(".action-error")) {
    return false;
  }
  if (isAsked || !isEntering()) {
    return reload(page);
  }
  showMessage(gettext("The site was updated."), { isError: false, link: linkTo(location.href, gettext("Reload")) });
  return true;
}

/** Show a page that the site has sent; `boards` are those of entries between. */
function show(page, boards) {
  clearFailure();
  const before = recap.before(page);
  const wasTurn = isTurn();
  typing.close();
  const isHeld = !byPointer && root.contains(document.activeElement);
  const swapped = swap(page);
  setTitle(head().title);
  ready();
  if (before) {
    const turnNow = isTurn() && !wasTurn ? ` ${gettext("Your turn.")}` : "";
    announce(recap.newsSince(before.n) + turnNow);
    recap.goOn(before, boards);
  } else {
    swapped.forEach(([old, fresh]) => carry(old, fresh));
  }
  if (isHeld && document.activeElement === document.body) {
    catchFocus();
  }
}

/** Bring the focus, whose element the page has replaced, to the next choice: where it last was on the board, or in
    the action area if only that leads on; to `line`, that of a board, from its tools. After a click it stays off the
    board, where arrow keys would walk.

    @param {HTMLElement | null} [line] */
function catchFocus(line = null) {
  if (byPointer) {
    required("#main").focus({ preventScroll: true });
    return;
  }
  const choice =
    '#match-entry.action-turn :is(.action-answers button, .action-few a, .action-bar button, .action-bar [tabindex="0"]), .lesson-ways .btn-turn';
  const leadsOn = figure().querySelector("a.mark:not(.mark-aside)");
  const next = line ?? (leadsOn ? null : document.querySelector(choice));
  if (next) {
    next.focus({ preventScroll: true });
  } else {
    marks.enter(figure());
  }
}

/** Show an answer; return whether it was the page and has been shown. */
function take(answer, { isAsked = true } = {}) {
  if (answer.page) {
    const isRenewed = renew(answer.page, isAsked);
    if (!isRenewed) {
      show(answer.page, answer.boards);
    }
    return !isRenewed;
  }
  if (answer.elsewhere) {
    location.assign(answer.elsewhere);
  } else if (isAsked) {
    showFailure(answer, unanswered);
  }
  return false;
}

/** The latest version that this page has heard of. */
function latest() {
  return Math.max(heard?.version ?? 0, version());
}

/** Get the answer to a request: the kept one, over the connection if it is a step, or by HTTP. */
async function answerTo(url, isStep, request) {
  const known = (await hover.take(url)) ?? (isStep ? await enter(url, latest(), places) : null);
  return known ?? (progress.isNewest(request) ? ask(url, {}, places) : null);
}

/** Get a part of the page, unless a later request overtakes it; return whether it is shown.

    Where nobody asked for it (`isAsked: false`), a failure is passed over. */
async function load(url, { isAsked = true, isStep = isAsked } = {}) {
  const request = progress.begin("ask");
  const answer = await answerTo(url, isStep, request);
  if (!answer || !progress.end(request)) {
    return false;
  }
  if (isAsked) {
    unanswered = answer.mayHelp ? location.href : "";
  }
  return (isAsked || Boolean(answer.page)) && take(answer, { isAsked });
}

/** Ask again for a step that was not answered, as the site can be reached now. */
function goOn() {
  if (unanswered === location.href) {
    step(unanswered);
  }
}

/** Go a step in entering a move; one that overtakes the news fetches them along. */
async function step(url, name = "entry") {
  if (!progress.may("ask")) {
    return;
  }
  steps.stop();
  history.replaceState(history.state, "", url);
  if (!(await load(hover.partOf(url, isBehind() ? "live" : name)))) {
    return;
  }
  drafts.keep(root, version());
  announcePrompt();
  const form = confirmation();
  if (form?.matches("[data-at-once][data-visit]")) {
    form.requestSubmit();
  } else if (form?.matches("[data-at-once]")) {
    await send(form);
  } else if (form) {
    drawers.close();
    focusNext(form.querySelector("[data-confirm]"));
  } else if (!drawers.showQuestion()) {
    focusNext(typing.firstField() ?? chooser(url));
  }
}

/** Announce what is asked next: the focus may stay where it is. A question to confirm names the area it moves to. */
function announcePrompt() {
  const prompt = document.querySelector("#match-entry .action-prompt");
  announce(prompt?.textContent ?? "");
}

/** What to choose from, where a mark stood for several words or none is left to point at. */
function chooser(url) {
  const at = new URL(url, location.href).searchParams.get("at");
  const within = at && figure().querySelector(`a.mark[data-layer="${CSS.escape(at)}"]`);
  const leadsOn = figure().querySelector("a.mark:not(.mark-aside)");
  return within || (at || !leadsOn ? document.querySelector(".action-few a, .action-answers button, #choices") : null);
}

/** Bring the focus to what is asked next, unless the reader walks the list. */
function focusNext(element) {
  if (!isFocused("#choices")) {
    element?.focus({ preventScroll: element.matches("[data-confirm]") });
  }
}

/** Post a form; where it has a submission id, until there is an answer, or for a minute. */
async function post(form) {
  const body = new FormData(form);
  const url = hover.partOf(form.action, "live");
  const options = { method: "POST", body };
  if (!body.has("submission")) {
    return ask(url, options, places);
  }
  const slow = setTimeout(() => showMessage(gettext("Sending …"), { isError: false }), NOTICEABLE);
  const played = url.pathname === `${places.address}moves/` && (await play(body, places));
  const answer =
    played ||
    (await insist(url, options, places, (reason, wait) => {
      clearTimeout(slow);
      showWaiting(reason, wait);
    }));
  clearTimeout(slow);
  return answer;
}

/** Send a form that changes the match. */
async function send(form) {
  if (!progress.may("send")) {
    return;
  }
  const buttons = form.querySelectorAll("button");
  steps.stop();
  buttons.forEach((button) => button.setAttribute("aria-disabled", "true"));
  unanswered = "";
  const request = progress.begin("send");
  const answer = await post(form);
  buttons.forEach((button) => button.removeAttribute("aria-disabled"));
  clearSending();
  if (!progress.end(request)) {
    return;
  }
  if (answer.page) {
    history.replaceState(history.state, "", places.address);
    drawers.close();
    if (!answer.page.querySelector(".action-error")) {
      drafts.forget(root);
    }
  }
  take(answer);
  catchUp();
}

/** Send what was drawn on a board to think on; what was entered of a move stays. Return why it is refused. */
async function draw(body) {
  if (!progress.may("send")) {
    return "";
  }
  const request = progress.begin("send");
  const answer = await ask(stepTo("./"), { method: "POST", body }, places);
  if (!progress.end(request)) {
    return "";
  }
  hover.forget();
  if (answer.url) {
    places.address = new URL(answer.url).pathname;
    history.replaceState(history.state, "", places.address + location.search);
  }
  const refusal = answer.page?.querySelector(".action-error")?.textContent ?? answer.reason ?? "";
  if (take(answer) && location.search && !refusal) {
    await load(hover.partOf(location.href));
  }
  catchUp();
  return refusal;
}

function stepOf(form) {
  return `${places.address}?${new URLSearchParams(/** @type {any} */ (new FormData(form)))}`;
}

function undo() {
  const link = root.querySelector("a[data-undo]");
  if (link) {
    step(link.href).then(backToBoard);
  }
  return Boolean(link);
}

/** Bring the focus to the board, unless the reader has gone on to type. */
function backToBoard() {
  if (!isFocused("input, select")) {
    marks.enter(figure());
  }
}

/** Note what the site tells of a newer version. */
function hear(news) {
  if (isNewer(news, head())) {
    heard = news;
    catchUp();
  }
}

/** Show a newer version, if there is one: as it was pushed, or with the move that is being entered. While something
    is being sent, it waits. */
function catchUp() {
  if (!heard || !isBehind() || !progress.may("push")) {
    return;
  }
  const page = location.search ? null : complete(heard, places.address);
  clearTimeout(timer);
  if (page) {
    progress.begin("push");
    take({ page, boards: heard.boards }, { isAsked: false });
  } else if (heard.crowd) {
    refreshIn(Math.random() * SPREAD);
  } else {
    refresh();
  }
}

// --- Positions of a board ---

/* On a board to think on and in a lesson each position has an address. Links and forms that lead to another one
   are marked: its page is fetched and swapped in, and the browser's Back leads to the position before. */

/** Show the page of another position; a move is shown as a step. */
function showPosition(page) {
  const was = version();
  const frame = steps.areWanted() ? steps.frameOf(figure()) : null;
  typing.close();
  steps.stop();
  const swapped = swap(page);
  const { title, news } = head();
  setTitle(title);
  announce(news);
  markLine();
  ready();
  offerCopying();
  if (frame && version() === was + 1) {
    steps.play([frame, steps.frameOf(figure(), { n: version() })]);
  } else {
    swapped.forEach(([old, fresh]) => carry(old, fresh));
  }
}

/** The address of a step; the answer leaves the list of lines out if this page has the same. */
function stepTo(url) {
  const wanted = hover.partOf(url, "step");
  const list = document.getElementById("study-list");
  if (list) {
    wanted.searchParams.set("lines", list.dataset.list ?? "");
  }
  return wanted;
}

/** The address of the page that a step leads to. */
function pageOf(url) {
  const plain = new URL(url);
  plain.searchParams.delete("part");
  plain.searchParams.delete("lines");
  return plain.href;
}

/** Mark the position that is shown in the list of lines. */
function markLine() {
  document.querySelector("#study-list [aria-current]")?.removeAttribute("aria-current");
  document.querySelector(`#study-list #node-${head().number}`)?.setAttribute("aria-current", "step");
}

/** Take over what the page of another position says of itself.

    @param {DOMStringMap} said
    @param {string} url */
function arrive({ address = "", seat }, url) {
  if (url !== location.href) {
    history.pushState(null, "", url);
  }
  places.address = address;
  if (seat === undefined) {
    delete places.seat;
  } else {
    places.seat = seat;
  }
}

/** Go to another position, or send a form that leads to one. A page of another kind is loaded.

    @param {Trigger} event */
async function visit(event, url, options = {}) {
  if (!progress.may(event)) {
    return;
  }
  const request = progress.begin(event);
  const answer = await ask(stepTo(url), options, places);
  if (!progress.end(request)) {
    return;
  }
  const { page, url: reached = url } = answer;
  const fresh = page?.querySelector("#match[data-visits]");
  if (page && fresh && !isOutdated(page)) {
    const isHeld = root.contains(document.activeElement);
    const isInLines = !byPointer && isFocused("#study-lines *");
    arrive(fresh.dataset, pageOf(reached));
    showPosition(page);
    if (isHeld && document.activeElement === document.body) {
      catchFocus(isInLines ? document.querySelector("#study-lines [aria-current]") : null);
    }
  } else if (page) {
    location.assign(pageOf(reached));
  } else {
    take(answer);
  }
}

addEventListener("popstate", () => hasPositions && visit("leave", location.href));

/** On the reader's turn, show why a mark, or a place of the board without one, leads nowhere; return whether that
    was asked. */
function explain(place) {
  const isAsked = isTurn() && progress.state === "idle" && place?.matches("#match-board :is(.mark:not(a), svg)");
  if (isAsked) {
    why.ask(place, latest());
  }
  return Boolean(isAsked);
}

root.addEventListener("click", (event) => {
  const link = event.target.closest("a.mark, a[data-ask], a[data-undo], a[data-undo-all], a[data-onward], a[data-listing], a[data-visit]");
  const plain = !(event.ctrlKey || event.metaKey || event.shiftKey || event.button);
  if (!link || !plain) {
    explain(plain ? event.target.closest("button, .mark, #match-board svg") : null);
    return;
  }
  event.preventDefault();
  if (event.detail > 1 && link.matches(".mark-aside")) {
    return; // the second click of two on one mark would take back what the first one chose
  }
  const url = link.getAttribute("href");
  if (link.matches("[data-visit]")) {
    drawers.close();
    visit("ask", url);
    return;
  }
  step(url, link.matches("[data-ask]") ? "live" : "entry");
});

root.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.matches("[data-entry]") && form.method === "get") {
    event.preventDefault();
    step(stepOf(form));
  } else if (form.matches("[data-visit]") && hasPositions) {
    event.preventDefault();
    visit("send", form.getAttribute("action"), { method: "POST", body: new FormData(form, event.submitter) });
  } else if (form.matches("[data-entry], [data-change], #confirm:not([data-visit])")) {
    event.preventDefault();
    send(form);
  }
});

const isTyped = (target) => target.id === "typed";
root.addEventListener("input", ({ target }) => isTyped(target) && typing.offer());
root.addEventListener("focusout", ({ target }) => isTyped(target) && typing.close());

/* A choice made in the list by pointer is looked at; by keyboard one walks the list first. */
root.addEventListener("pointerdown", () => {
  byPointer = true;
});
root.addEventListener("change", ({ target }) => {
  const { form, value } = /** @type {HTMLInputElement | HTMLSelectElement} */ (target);
  const isChosen = form?.matches("[data-entry=list]") ? value : form?.matches("[data-entry=row]") && typing.isChosen(form);
  if (form && isChosen && form.method === "get" && byPointer) {
    step(stepOf(form));
  }
});

function press(event) {
  const target = event.target;
  if (isTyped(target) && typing.press(event.key)) {
    return true;
  }
  if (event.key === "Escape" && (target.matches("body, main") || root.contains(target))) {
    return escape();
  }
  return (event.key === "Enter" && explain(target)) || keys.press(event);
}

/** Close the drawer of a phone if it is open, otherwise undo the last step. */
function escape() {
  if (!drawers.isOpen()) {
    return undo();
  }
  drawers.close();
  return true;
}

document.addEventListener("keydown", (event) => {
  byPointer = false;
  why.clear(); // before the key asks why, or the answer would be dropped
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) {
    return;
  }
  if (press(event)) {
    event.preventDefault();
  }
});

/* A rematch that is asked for or begins changes no version, and neither do ratings. */
document.addEventListener("live:me", () => {
  if (document.querySelector("#match-entry [data-rematch]")) {
    refresh();
  }
});
document.addEventListener("pointerdown", why.clear);
document.addEventListener("match:met", () => catchFocus());
document.addEventListener("live:match", (event) => {
  hear(event.detail);
  goOn();
});
addEventListener("online", goOn);
marks.begin(root, figure);
magnifier.begin(root, figure);
drag.begin(root);
hover.begin(root, places);
drawShapes.begin(root, figure, draw, drawers.close);

ready();
recap.begin();
drafts.restore(root, version(), {
  show: (url) => load(hover.partOf(url, "entry")),
  say: (sentence) => showMessage(sentence, { isError: false }),
});
drawers.welcome(steps.areWanted());
