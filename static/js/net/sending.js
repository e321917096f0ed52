/* Asking the site for the page of a match. An answer that is not that page (an error page of the
   site or of a proxy, no answer at all) is a failure with a reason; a request that carries a
   submission id is sent again by itself, as the same id is never played twice. A step in
   entering a move goes over the connection of the page where there is one, and so does the move; where that
   does not answer, the link is followed, and the form is sent. */

import { gettext, interpolate } from "../site/language.js";
import { complete, isOutdated, parse } from "./patches.js";
import { sendMove, sendStep } from "./socket.js";

/** @typedef {object} Places
    @property {string} address the path of the match
    @property {string} signIn the path of the page to sign in at */

/** @typedef {object} Answer has one of `page`, `elsewhere`, `isSignedOut` and `reason`
    @property {DocumentFragment} [page]
    @property {string} [url] the address of that page, where it was fetched
    @property {(() => string)[]} [boards] those of entries between, where a patch was sent
    @property {string} [elsewhere] the address of another page
    @property {boolean} [isSignedOut]
    @property {string} [reason] a sentence
    @property {boolean} [isGone] whether there is no such page any more
    @property {boolean} [mayHelp] whether to ask again may help
    @property {number} [wait] milliseconds that the site asks to wait */

const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 15_000;
const PATIENCE = 60_000;
const SLOWEST = 30_000;
const GONE = 404;
const LATER = new Set([408, 425, 429]);

/** Milliseconds that a Retry-After header asks to wait: seconds, or a date.

    @param {string | null} header
    @param {number} [now] milliseconds
    @returns {number} */
export function retryAfter(header, now = Date.now()) {
  const text = header ?? "";
  const wait = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Math.max(wait || 0, 0);
}

function isPage(content) {
  return content.querySelector("#match-entry[data-region]") !== null;
}

function reasonOf(status) {
  if (status === GONE) {
    return gettext("This is gone. Somebody may have deleted it, perhaps you in another tab.");
  }
  if (status === 429) {
    return gettext("Too many requests.");
  }
  return status < 400
    ? gettext("The site did not answer with the match.")
    : interpolate(gettext("The site answered with error %(number)s."), { number: status });
}

/** What an answer is: the page, a page elsewhere to go to, somebody signed out, or a failure. */
function judge(response, content, { address, signIn }) {
  const path = new URL(response.url).pathname;
  if (path.startsWith(signIn)) {
    return { isSignedOut: true };
  }
  if (isPage(content) || (response.ok && path.startsWith(address) && isOutdated(content))) {
    return { page: content, url: response.url };
  }
  if (response.ok && response.redirected && !path.startsWith(address)) {
    return { elsewhere: response.url };
  }
  const { status } = response;
  if (status === 401 || status === 403) {
    return { isSignedOut: true };
  }
  const mayHelp = response.ok || status >= 500 || LATER.has(status);
  return { reason: reasonOf(status), isGone: status === GONE, mayHelp, wait: retryAfter(response.headers.get("Retry-After")) };
}

/** Ask once.

    @param {string | URL} url
    @param {RequestInit} options
    @param {Places} places
    @returns {Promise<Answer>} */
export async function ask(url, options, places) {
  try {
    // after Back, browsers would answer from their cache
    const response = await fetch(url, { cache: "no-cache", ...options, signal: AbortSignal.timeout(SLOWEST) });
    return judge(response, parse(await response.text()), places);
  } catch {
    const reason = navigator.onLine ? gettext("The site could not be reached.") : gettext("You are offline.");
    return { reason, mayHelp: true, wait: 0 };
  }
}

/** Send a step over the connection; return the page after it, `null` if that does not come.

    @param {string | URL} url
    @param {number} version
    @param {Places} places
    @returns {Promise<Answer | null>} */
export async function enter(url, version, { address }) {
  const { pathname, searchParams } = new URL(url, location.href);
  searchParams.delete("part");
  const answer = pathname === address ? await sendStep(version, String(searchParams)) : null;
  const page = answer && complete(answer, address);
  return page && { page };
}

/** The move of a form as it goes over the connection. */
function moveOf(body) {
  const typed = (body.get("typed") ?? "").trim();
  return {
    version: Number(body.get("version")),
    submission: body.get("submission"),
    texts: [...body.getAll("move"), typed || body.getAll("word").join("")],
  };
}

/** Play the move of a form over the connection; return the page after it, or with the reason why it is refused;
    `null` if that page does not come.

    @param {FormData} body
    @param {Places} places
    @returns {Promise<Answer | null>} */
export async function play(body, places) {
  const answered = await sendMove(moveOf(body));
  if (!answered) {
    return null;
  }
  const page = complete(answered, places.address);
  if (page) {
    return { page, boards: answered.boards };
  }
  const answer = await ask(`${places.address}?part=live`, {}, places);
  return answer.page ? answer : null;
}

/** Wait; where the device is offline, no longer than until it is online. */
function sleep(wait) {
  return new Promise((done) => {
    setTimeout(done, wait);
    if (!navigator.onLine) {
      addEventListener("online", done, { once: true });
    }
  });
}

/** Ask, and again with growing pauses for a minute where that may help.

    Only for requests that are safe to repeat. `onWait(reason, wait)` is called before each pause.

    @param {string | URL} url
    @param {RequestInit} options
    @param {Places} places
    @param {(reason: string, wait: number) => void} onWait `wait` in milliseconds
    @returns {Promise<Answer>} */
export async function insist(url, options, places, onWait) {
  const end = performance.now() + PATIENCE;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
    const answer = await ask(url, options, places);
    const wait = Math.max(pause * (0.75 + Math.random() / 2), answer.wait ?? 0);
    if (!answer.mayHelp || performance.now() > end || wait > PATIENCE) {
      return answer;
    }
    onWait(answer.reason ?? "", wait);
    await sleep(wait);
  }
}
