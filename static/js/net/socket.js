/* Messages to an open page over one WebSocket: that something changed, and, where the page asks for
   `parts`, how its match looks then.

   <body data-live="match=42&parts=3"> says what to watch; users who are signed in are told of their
   own matches as well. The page gets events on `document`:

     live:match   {version, epoch, html, targets, boards}
                                           the match is at this version (after a change, and every
                                           20 s); html holds the regions of the page, targets the
                                           query behind each mark and boards, of each entry between,
                                           a function that makes its board, where a patch was sent
     live:me      {waiting, unseen}        something changed for the user: matches that wait, new notifications
     live:lobby                            a challenge changed
     live:event   {version}                the tournament changed, so often by now
     live:chat                             the chat of the match changed
     live:here    {seats}                  these of the other players look at the match now
     live:lost    {message}                the page is not live: the element that says so, to be put
                                           elsewhere

   The page of a match also sends its moves over it (sendMove), and each step in entering one (sendStep).

   A connection that is cut is made again after up to ten seconds, at random, since many may be cut
   at once, then with growing pauses. Where the site no longer knows what the page asks for,
   the page is loaded again, once. While it is missing the page says so and asks by
   HTTP every 20 s. When it is back, on focus, and when the device comes online the page asks for the
   version.

   A page that the browser's Back brings back is as old as when it was left. It catches up at once: the
   events live:me, live:lobby, live:event and live:chat then have the detail {isReturn: true}. */

/** @import { Parts, Targets } from "./patches.js" */

import { gettext } from "../site/language.js";
import { apply, compose, reloadOutdated } from "./patches.js";

/** @typedef {object} Update what the site says about the match
    @property {number} version
    @property {number} [epoch] changes when clocks were shifted
    @property {boolean} [crowd] many pages have to fetch the match now
    @property {string} [html] the page, where a patch was sent
    @property {Targets} [targets]
    @property {(() => string)[]} [boards] of each entry between, a function that makes the HTML of its board
    @property {string} [said] why a mark leads nowhere */

/** @typedef {object} Move
    @property {number} version the version that the move was entered for
    @property {string} submission an id; the same one is never played twice
    @property {string[]} texts */

const SILENCE = 50_000;
const PATIENCE = 4_000;
const POLL = 20_000;
/** A page that has its first connection only after so long may have missed a change. */
const OLD = 3_000;
const RESTART = 1012;
const REFUSED = 4000;
const MALFORMED = 4400;
const OUTDATED = 4426;
const ANSWERED = 5_000;
const LONGEST_MESSAGE = 4_000;
const BURST = 40;
const A_SECOND = 8;
const SPREAD = 10_000;
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

/** Pauses between attempts to connect, in milliseconds. `random()` is from 0 up to 1. */
export class Backoff {
  constructor(random = Math.random) {
    this.random = random;
    this.reset();
  }

  /** Begin with short pauses again. */
  reset() {
    this.pause = FIRST_PAUSE;
  }

  /** The pause after a connection that worked was cut: many pages may have lost theirs at once. */
  afterCut() {
    return this.random() * SPREAD;
  }

  /** The pause after an attempt that failed: longer each time. */
  afterFailure() {
    const wait = this.pause * (0.5 + this.random() / 2);
    this.pause = Math.min(this.pause * 2, LONGEST_PAUSE);
    return wait;
  }
}

const watched = document.body.dataset.live;
const backoff = new Backoff(() => Math.random());

const message = document.createElement("p");
Object.assign(message, { id: "connection-lost", className: "connection-lost", role: "status", hidden: true });

/** @type {WebSocket | null} */
let socket = null;
let retryTimer = 0;
let silenceTimer = 0;
let lostTimer = 0;
let pollTimer = 0;
let isLive = false;
let wasLive = false;
let isRefused = false;
let steps = 0;
/** What the patches of this connection have brought. @type {Parts} */
let parts = {};
let left = BURST;
let since = performance.now();

/** Callbacks for answers, by the submission or the number of the step.

    @type {Map<string | number, (answer: any) => void>} */
const waiting = new Map();

function emit(name, detail) {
  document.dispatchEvent(new CustomEvent(`live:${name}`, { detail }));
}

/** Count a message; return whether it may be sent. The site hangs up on pages that send too many. */
function spend() {
  const now = performance.now();
  left = Math.min(BURST, left + ((now - since) * A_SECOND) / 1_000) - 1;
  since = now;
  return left >= 0;
}

function send(type) {
  if (socket?.readyState === WebSocket.OPEN) {
    spend();
    socket.send(JSON.stringify({ type }));
  }
}

/** @param {string | number} key
    @param {object | null} [answer] */
function settle(key, answer = null) {
  waiting.get(key)?.(answer);
}

function settleAll() {
  [...waiting.keys()].forEach((key) => settle(key));
}

/** Send a message, and resolve with the answer that names `key`; `null` if none comes. */
function exchange(key, what) {
  const text = JSON.stringify(what);
  const isShort = new Blob([text]).size <= LONGEST_MESSAGE;
  if (socket?.readyState !== WebSocket.OPEN || !isLive || !navigator.onLine || !isShort || !spend()) {
    return Promise.resolve(null);
  }
  socket.send(text);
  return new Promise((done) => {
    const timer = setTimeout(() => settle(key), ANSWERED);
    waiting.set(key, (answer) => {
      clearTimeout(timer);
      waiting.delete(key);
      done(answer);
    });
  });
}

/** Send a move over the connection; resolve with the answer: it was played, or refused, with the page that says why.

    `null` where there is no answer, or a refusal without a page: then the move may have been
    played, and is safe to be sent as a form with the same submission id.

    @param {Move} move
    @returns {Promise<Update | null>} */
export async function sendMove(move) {
  const answer = await exchange(move.submission, { type: "play", ...move });
  return answer?.type === "played" || answer?.html ? answer : null;
}

/** Send a step in entering a move, or a question about a mark; resolve with the answer.

    `null` if none comes, or a later step has replaced this one.

    @param {number} version the version that the page has heard of
    @param {string} query the words so far, as the query of the page's address
    @param {string} [mark] the name of the mark that is asked about
    @returns {Promise<Update | null>} */
export function sendStep(version, query, mark) {
  settle(steps);
  steps += 1;
  return exchange(steps, { type: "enter", step: steps, version, query, ...(mark && { mark }) });
}

/** Tell the page that anything but its match may have changed. */
function catchUp(detail) {
  ["me", "lobby", "event", "chat"].forEach((name) => emit(name, detail));
}

/** Ask by HTTP for what the connection would have sent. */
async function pollChanges() {
  if (document.visibilityState !== "visible" || !navigator.onLine) {
    return;
  }
  catchUp();
  const match = new URLSearchParams(watched).get("match");
  const response = match ? await fetch(`/api/v1/matches/${match}/`, { cache: "no-cache" }) : null;
  if (response?.ok) {
    const { version } = await response.json();
    emit("match", { version });
  }
}

function showLost() {
  const notLive = gettext("This page is not live: it checks for changes every 20 seconds.");
  const isLost = isRefused ? notLive : `${gettext("Reconnecting …")} ${notLive}`;
  message.textContent = navigator.onLine ? isLost : gettext("You are offline.");
  message.hidden = false;
  if (!message.isConnected) {
    document.body.append(message);
  }
  emit("lost", { message });
}

/** Say after a while that the page is not live, and ask by HTTP until it is. */
function onLost() {
  isLive = false;
  if (!message.hidden || !navigator.onLine) {
    showLost();
  }
  lostTimer ||= setTimeout(showLost, PATIENCE);
  pollTimer ||= setInterval(() => pollChanges().catch(() => {}), POLL);
}

/** Note that the connection works; return whether it did not before. */
function onWorking() {
  const wasLost = Boolean(lostTimer);
  clearTimeout(lostTimer);
  clearInterval(pollTimer);
  lostTimer = pollTimer = 0;
  message.hidden = true;
  backoff.reset();
  isLive = true;
  return wasLost;
}

function restartSilenceTimer() {
  clearTimeout(silenceTimer);
  silenceTimer = setTimeout(() => socket?.close(), SILENCE);
}

/** Apply a patch to the parts that this connection has brought, and add the page that they make, and
    functions that make the boards on the way there. */
function patched({ patch, steps: earlier = [], ...detail }) {
  if (patch) {
    detail.boards = earlier.map((changes) => {
      const then = apply(parts, changes);
      parts = then;
      return () => compose(then, "board");
    });
    parts = apply(parts, patch);
    detail.html = compose(parts);
  }
  return detail;
}

function onMessage({ data }) {
  restartSilenceTimer();
  if (onWorking() && (wasLive || performance.now() > OLD)) {
    catchUp();
  }
  wasLive = true;
  const { type, ...detail } = patched(JSON.parse(data));
  if (type === "beat" && document.visibilityState === "visible") {
    send("here");
  }
  if (detail.submission !== undefined || type === "entered") {
    settle(detail.submission ?? detail.step, { type, ...detail });
  } else if (detail.version !== undefined) {
    emit("match", detail);
  } else if (type === "beat" && detail.changes !== undefined) {
    emit("event", { version: detail.changes });
  } else if (type !== "beat") {
    emit(type, detail);
  }
}

function onClose(code) {
  clearTimeout(silenceTimer);
  // A process of an older release does not know all messages.
  const isUnknown = code === MALFORMED && waiting.size > 0;
  settleAll();
  if (code === OUTDATED && reloadOutdated()) {
    return;
  }
  isRefused = code >= REFUSED && code !== OUTDATED && !isUnknown;
  if (!isRefused) {
    const isCut = isLive || code === RESTART;
    retryTimer = setTimeout(connect, isCut ? backoff.afterCut() : backoff.afterFailure());
  }
  onLost();
}

function connect() {
  clearTimeout(retryTimer);
  isRefused = false;
  onLost();
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const opened = new WebSocket(`${scheme}://${location.host}/ws/?${watched}`);
  socket = opened;
  parts = {};
  restartSilenceTimer();
  opened.addEventListener("open", () => opened !== socket && opened.close());
  opened.addEventListener("message", (event) => opened === socket && onMessage(event));
  opened.addEventListener("close", ({ code }) => opened === socket && onClose(code));
}

/** Ask for the version if connected, otherwise reconnect at once. */
function check() {
  if (document.visibilityState !== "visible") {
    return;
  }
  if (socket?.readyState === WebSocket.OPEN) {
    send("ask");
  } else if (socket?.readyState !== WebSocket.CONNECTING) {
    backoff.reset();
    connect();
  }
}

/** Catch up where Back has brought the page from memory, or loaded it from the browser's cache. */
function onShown({ persisted }) {
  const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  if (persisted) {
    check();
  }
  if (persisted || navigation?.type === "back_forward") {
    catchUp({ isReturn: true });
  }
}

function disconnect() {
  const closed = socket;
  socket = null;
  if (closed?.readyState === WebSocket.OPEN) {
    closed.close();
  }
}

if (watched !== undefined) {
  connect();
  document.addEventListener("visibilitychange", check);
  addEventListener("focus", check);
  addEventListener("online", check);
  addEventListener("offline", onLost);
  addEventListener("pageshow", onShown);
  addEventListener("pagehide", disconnect);
}
