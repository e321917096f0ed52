/* Drafts: moves entered but not sent, stored in this browser for the signed-in user, one per match
   with the version that it was entered for. They are deleted when nobody is signed in.

   Lists of matches mark drafts, and the page after such a match mentions them. */

import { gettext, interpolate } from "../site/language.js";
import { present, required } from "../site/required.js";

const PREFIX = "draft:";
const LASTS = 30 * 86_400_000;
const LEFT = "left-draft";
const MARK = gettext("Entered, not sent");

const { user } = document.body.dataset;

const keyOf = (path) => `${PREFIX}${user}:${path}`;

function keys() {
  return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
}

function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** Forget what has been kept for long, and all of it where nobody is signed in. */
function tidy() {
  for (const key of user === "" ? keys() : []) {
    localStorage.removeItem(key);
  }
  for (const key of keys()) {
    if (!(Date.now() - read(key)?.at < LASTS)) {
      localStorage.removeItem(key);
    }
  }
}

/** Keep the move being entered at `path`, as the query of its address says it; an empty one is forgotten. */
function write(path, search, version) {
  if (!user) {
    return;
  }
  if (search) {
    localStorage.setItem(keyOf(path), JSON.stringify({ search, version, at: Date.now() }));
  } else {
    localStorage.removeItem(keyOf(path));
  }
}

/** What is kept for `path`: `{search, version}`, or `null`. */
function kept(path) {
  return user ? read(keyOf(path)) : null;
}

// --- On the page of a match ---

/* Not where moves are planned nor in a lesson, and for players only. */

const isPageOf = ({ dataset }) =>
  location.pathname === dataset.address && dataset.seat !== undefined && dataset.lesson === undefined;

/** Keep what has been entered so far, for a version of the match.

    @param {HTMLElement} root the element that holds the match
    @param {number} version */
export function keep(root, version) {
  if (isPageOf(root)) {
    write(root.dataset.address, location.search, String(version));
  }
}

/** Forget it: it has been sent.

    @param {HTMLElement} root */
export function forget(root) {
  write(root.dataset.address, "");
}

/** Go on with what was entered before, unless the match has moved on since.

    @param {HTMLElement} root
    @param {number} version
    @param {{ show: (url: string) => Promise<unknown>, say: (sentence: string) => void }} page */
export async function restore(root, version, { show, say }) {
  const draft = isPageOf(root) && !location.search && kept(root.dataset.address);
  if (!draft) {
    return;
  }
  if (draft.version !== String(version) || !document.querySelector("#match-entry.action-turn")) {
    forget(root);
    say(gettext("The match has moved on since you entered a move: it was not sent, and is gone."));
    return;
  }
  history.replaceState(history.state, "", root.dataset.address + draft.search);
  await show(location.href);
  say(gettext("You had entered this and not sent it."));
}

// --- On other pages ---

/** Mark the matches in lists that wait for a move which was entered and not sent. */
function markLists() {
  for (const link of document.querySelectorAll(".match-row-turn a.match-link")) {
    const row = required(".match-clock", present(link.closest(".match-row"), "row of this link"));
    const isMarked = row.querySelector("[data-draft]") !== null;
    if (!isMarked && kept(new URL(link.href).pathname)) {
      const mark = document.createElement("span");
      Object.assign(mark, { className: "tag", textContent: MARK });
      mark.dataset.draft = "";
      row.append(mark);
    }
  }
}

/** Note which match is left with a move that was not sent, for the next page in this tab. */
function noteLeaving() {
  const path = document.querySelector("[data-seat]")?.dataset.address;
  if (path === location.pathname && kept(path)) {
    const name = required("h1").textContent.replaceAll(/\s+/g, " ").trim();
    sessionStorage.setItem(LEFT, JSON.stringify({ path, name }));
  }
}

/** Say what was left on the page before. */
function sayLeft() {
  const left = JSON.parse(sessionStorage.getItem(LEFT) ?? "null");
  sessionStorage.removeItem(LEFT);
  if (!left || left.path === location.pathname || !kept(left.path)) {
    return;
  }
  const [list, said, link] = ["ul", "li", "a"].map((tag) => document.createElement(tag));
  list.className = "flashes";
  said.className = "flash";
  Object.assign(link, { href: left.path, textContent: gettext("Back to it") });
  said.append(interpolate(gettext("Move not sent in %(match)s."), { match: left.name }), " ", link);
  list.append(said);
  document.querySelector("#messages")?.append(list);
}

if (user !== undefined) {
  tidy();
  markLists();
  sayLeft();
  addEventListener("pagehide", noteLeaving);
  document.addEventListener("regions:swapped", markLists);
}
