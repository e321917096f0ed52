/* Strict dice: when all seats of a challenge are taken, this browser reveals the nonce that it
   committed to, from whatever page of the site is open. Before it does, it checks that the server's
   commitment is the one it saw on taking the seat; what it saw is kept, to be compared with the record.

   <p data-reveal="/challenges/42/">…</p> on the page of a challenge says how it went. */

import { keepStrictNonces, strictNonces } from "../net/nonces.js";
import { gettext } from "./language.js";
import { fetchRegions } from "./lists.js";

const MOST = 50;
const HOUR = 3_600_000;
const PAUSE = 2_000;
const TRIES = 10;

const NOT_HERE = gettext(
  "This browser does not have your number. Open this page in the browser in which you took your seat.",
);
const CHANGED = gettext(
  "The commitments are not those that this browser saw before, so it keeps your number. Please tell the people who run the site.",
);

const boxOf = (due) => document.querySelector(`[data-reveal="${due.challenge}"]`);

function showStatus(due, text) {
  const box = boxOf(due);
  if (box) {
    box.textContent = text;
  }
}

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Whether what the server now says agrees with what this browser saw. */
function agrees(entry, due) {
  const all = due.nonce_commitments;
  return (
    entry.shown === due.commitment &&
    all.includes(entry.commitment) &&
    new Set(all).size === all.length &&
    (entry.seen === undefined || same(entry.seen, all))
  );
}

/** Keep more about a nonce; whether this browser could. */
function note(entry, more) {
  const entries = strictNonces().map((other) =>
    other.commitment === entry.commitment ? { ...other, ...more } : other,
  );
  return keepStrictNonces(entries);
}

function begun(due, match) {
  if (boxOf(due)) {
    location.assign(match);
    return;
  }
  const link = document.createElement("a");
  link.href = match;
  link.textContent = gettext("To the match");
  const list = document.createElement("ul");
  list.className = "flashes";
  const item = document.createElement("li");
  item.className = "flash flash-success";
  item.append(gettext("Your match with strict dice has begun."), " ", link);
  list.append(item);
  document.getElementById("messages")?.append(list);
}

async function reveal(due, token) {
  const entry = strictNonces().find((kept) => kept.commitment === due.nonce_commitment);
  if (!entry) {
    showStatus(due, NOT_HERE);
    return;
  }
  // What all have committed to is kept before the nonce leaves this browser.
  if (!agrees(entry, due) || !note(entry, { seen: due.nonce_commitments })) {
    showStatus(due, CHANGED);
    return;
  }
  const response = await fetch(due.reveal, {
    method: "POST",
    headers: { "X-CSRFToken": token },
    body: new URLSearchParams({ nonce: entry.nonce }),
  });
  const { detail, match } = await response.json();
  if (response.ok) {
    note(entry, { revealed: true });
  }
  if (match) {
    begun(due, match);
  } else if (detail) {
    showStatus(due, detail);
  } else if (boxOf(due)) {
    location.reload();
  }
}

/** Forget nonces that no challenge asks for any more; those of the last hour may still be on their way. */
function forget(asked, pending, due) {
  const wanted = new Set([...pending, ...due.map((one) => one.nonce_commitment)]);
  const over = new Set(asked.filter((entry) => !wanted.has(entry.commitment) && Date.now() - entry.at > HOUR));
  if (over.size) {
    const gone = new Set(Array.from(over, (entry) => entry.commitment));
    keepStrictNonces(strictNonces().filter((entry) => !gone.has(entry.commitment)));
  }
}

/** Bring the page of a challenge up to date, however new it is. */
function refresh() {
  if (document.querySelector("#challenge-state:has([data-revealing])")) {
    fetchRegions(["challenge-state"]).catch(() => {});
  }
}

async function check() {
  const asked = strictNonces().filter((entry) => !entry.revealed).slice(-MOST);
  if (!asked.length && !document.querySelector("[data-reveal]")) {
    return;
  }
  const query = new URLSearchParams(asked.map((entry) => ["commitment", entry.commitment]));
  const response = await fetch(`/challenges/reveals/?${query}`, { cache: "no-cache" });
  if (response.redirected) {
    return;
  }
  const { due, pending, token } = await response.json();
  for (const one of due) {
    await reveal(one, token);
  }
  forget(asked, pending, due);
  const box = document.querySelector("[data-reveal]");
  if (box && !due.some((one) => one.challenge === box.dataset.reveal)) {
    // Another page of this browser was quicker.
    refresh();
  }
}

let checking = Promise.resolve();
let failures = 0;

/** Check once more, after any check that goes on; one that fails is tried again later. */
function checkAgain() {
  checking = checking.then(check).then(
    () => {
      failures = 0;
    },
    () => {
      failures += 1;
      if (failures < TRIES) {
        setTimeout(checkAgain, PAUSE * failures);
      }
    },
  );
}

if (document.body.dataset.live !== undefined) {
  checkAgain();
  document.addEventListener("live:me", () => {
    checkAgain();
    refresh();
  });
  document.addEventListener("regions:swapped", () => {
    if (document.querySelector("[data-reveal]")) {
      checkAgain();
    }
  });
}
