/* What a page hears while it is open, over one WebSocket: that something changed, never what.

   <body data-live="match=42"> says what to listen to; who is signed in hears of their own matches
   as well. The page gets events on `document`:

     live:match   {version, epoch}   the match is at this version (after a change, and every 20 s)
     live:me                         something changed for the reader
     live:lobby                      a challenge changed

   A line that breaks is mended with growing pauses; when it is back, on focus, and when the device
   comes online the page asks what the version is. */

const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;
const SILENCE = 50_000;
const PATIENCE = 4_000;
const REFUSED = 4000;

let socket = null;
let pause = FIRST_PAUSE;
let retry = 0;
let silence = 0;
let sign = 0;
let lost = false;

function tell(name, detail) {
  document.dispatchEvent(new CustomEvent(`live:${name}`, { detail }));
}

function say(word) {
  if (socket?.readyState === WebSocket.OPEN) {
    socket.send(JSON.stringify({ type: word }));
  }
}

/** Show or hide the sign that the page is on its own. */
function showLost(isLost) {
  clearTimeout(sign);
  const shown = document.getElementById("line-lost");
  if (!isLost) {
    shown?.remove();
  } else if (!shown) {
    sign = setTimeout(() => {
      const words = document.createElement("p");
      words.id = "line-lost";
      words.className = "line-lost";
      words.role = "status";
      words.textContent = navigator.onLine ? "Reconnecting …" : "You are offline.";
      document.body.append(words);
    }, PATIENCE);
  }
}

function listenOn() {
  clearTimeout(silence);
  silence = setTimeout(() => socket?.close(), SILENCE);
}

function hear(message) {
  listenOn();
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

function connect(query) {
  clearTimeout(retry);
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const line = new WebSocket(`${scheme}://${location.host}/ws/?${query}`);
  socket = line;
  line.addEventListener("open", () => {
    if (line !== socket) {
      line.close();
      return;
    }
    pause = FIRST_PAUSE;
    showLost(false);
    listenOn();
    if (lost) {
      lost = false;
      tell("me");
      tell("lobby");
    }
  });
  line.addEventListener("message", hear);
  line.addEventListener("close", (event) => {
    if (line !== socket) {
      return;
    }
    clearTimeout(silence);
    if (event.code >= REFUSED) {
      return;
    }
    lost = true;
    showLost(true);
    retry = setTimeout(() => connect(query), pause * (0.5 + Math.random() / 2));
    pause = Math.min(pause * 2, LONGEST_PAUSE);
  });
}

/** Ask for the version if the line stands, else mend it now. */
function look(query) {
  if (document.visibilityState !== "visible") {
    return;
  }
  if (socket?.readyState === WebSocket.OPEN) {
    say("ask");
  } else if (socket?.readyState !== WebSocket.CONNECTING) {
    pause = FIRST_PAUSE;
    connect(query);
  }
}

const query = document.body.dataset.live;

if (query !== undefined) {
  connect(query);
  document.addEventListener("visibilitychange", () => look(query));
  addEventListener("focus", () => look(query));
  addEventListener("online", () => look(query));
  addEventListener("pageshow", (event) => event.persisted && look(query));
  addEventListener("pagehide", () => {
    const line = socket;
    socket = null;
    if (line?.readyState === WebSocket.OPEN) {
      line.close();
    }
  });
}
