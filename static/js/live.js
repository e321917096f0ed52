/* What a page hears while it is open, over one WebSocket: that something changed, never what.

   <body data-live="match=42"> says what to listen to; who is signed in hears of their own matches
   as well. The page gets events on `document`:

     live:match   {version, epoch}   the match is at this version (after a change, and every 20 s)
     live:me                         something changed for the reader
     live:lobby                      a challenge changed

   A connection that is cut is made again after up to ten seconds, at random, since many may be cut at
   once, then with growing pauses. As long as it is missing the page says so and asks by HTTP every
   20 s. When it is back, on focus, and when the device comes online the page asks what the version
   is. */

const SPREAD = 10_000;
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;
const SILENCE = 50_000;
const PATIENCE = 4_000;
const POLL = 20_000;
const RESTART = 1012;
const REFUSED = 4000;

const query = document.body.dataset.live;

let socket = null;
let pause = FIRST_PAUSE;
let retry = 0;
let silence = 0;
let sign = 0;
let poll = 0;
let isLive = false;
let wasLive = false;
let isRefused = false;

function tell(name, detail) {
  document.dispatchEvent(new CustomEvent(`live:${name}`, { detail }));
}

function say(word) {
  if (socket?.readyState === WebSocket.OPEN) {
    socket.send(JSON.stringify({ type: word }));
  }
}

/** Ask by HTTP for what the connection would have told. */
async function pollChanges() {
  if (document.visibilityState !== "visible" || !navigator.onLine) {
    return;
  }
  tell("me");
  tell("lobby");
  const match = new URLSearchParams(query).get("match");
  const response = match && (await fetch(`/api/v1/matches/${match}/`));
  if (response?.ok) {
    const { version } = await response.json();
    tell("match", { version });
  }
}

function sayLost() {
  let words = document.getElementById("line-lost");
  if (!words) {
    words = document.createElement("p");
    words.id = "line-lost";
    words.className = "line-lost";
    words.role = "status";
    document.body.append(words);
  }
  const notLive = "This page is not live: it checks for changes every 20 seconds.";
  words.textContent = navigator.onLine ? `${isRefused ? "" : "Reconnecting … "}${notLive}` : "You are offline.";
}

/** Say after a while that the page is not live, and ask by HTTP until it is. */
function lose() {
  isLive = false;
  if (document.getElementById("line-lost")) {
    sayLost();
  }
  sign ||= setTimeout(sayLost, PATIENCE);
  poll ||= setInterval(() => pollChanges().catch(() => {}), POLL);
}

/** Note that the connection works; return whether it did not before. */
function regain() {
  const wasLost = Boolean(sign);
  clearTimeout(sign);
  clearInterval(poll);
  sign = poll = 0;
  document.getElementById("line-lost")?.remove();
  pause = FIRST_PAUSE;
  isLive = true;
  return wasLost;
}

function listenOn() {
  clearTimeout(silence);
  silence = setTimeout(() => socket?.close(), SILENCE);
}

function hear(message) {
  listenOn();
  if (regain() && wasLive) {
    tell("me");
    tell("lobby");
  }
  wasLive = true;
  const { type, ...detail } = JSON.parse(message.data);
  if (type === "beat" && document.visibilityState === "visible") {
    say("here");
  }
  if (detail.version !== undefined) {
    tell("match", detail);
  } else if (type !== "beat") {
    tell(type);
  }
}

/** How long to wait before the next attempt: at random after a cut, longer each time after that. */
function nextPause(code) {
  if (isLive || code === RESTART) {
    return Math.random() * SPREAD;
  }
  const wait = pause * (0.5 + Math.random() / 2);
  pause = Math.min(pause * 2, LONGEST_PAUSE);
  return wait;
}

function connect() {
  clearTimeout(retry);
  isRefused = false;
  lose();
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const line = new WebSocket(`${scheme}://${location.host}/ws/?${query}`);
  socket = line;
  listenOn();
  line.addEventListener("open", () => line !== socket && line.close());
  line.addEventListener("message", (message) => line === socket && hear(message));
  line.addEventListener("close", ({ code }) => {
    if (line !== socket) {
      return;
    }
    clearTimeout(silence);
    isRefused = code >= REFUSED;
    if (!isRefused) {
      retry = setTimeout(connect, nextPause(code));
    }
    lose();
  });
}

/** Ask for the version if the line stands, else mend it now. */
function look() {
  if (document.visibilityState !== "visible") {
    return;
  }
  if (socket?.readyState === WebSocket.OPEN) {
    say("ask");
  } else if (socket?.readyState !== WebSocket.CONNECTING) {
    pause = FIRST_PAUSE;
    connect();
  }
}

if (query !== undefined) {
  connect();
  document.addEventListener("visibilitychange", look);
  addEventListener("focus", look);
  addEventListener("online", look);
  addEventListener("offline", lose);
  addEventListener("pageshow", (event) => event.persisted && look());
  addEventListener("pagehide", () => {
    const line = socket;
    socket = null;
    if (line?.readyState === WebSocket.OPEN) {
      line.close();
    }
  });
}
