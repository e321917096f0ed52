/* Messages above the move entry: why there is no page to show, and that a move is being sent. Each replaces the one
   before. */

import { root } from "./state.js";

const entry = () => document.getElementById("match-entry");

/** Show a message above what is asked.

    @param {string} sentence
    @param {{ isError?: boolean, link?: HTMLElement }} [more] */
export function showMessage(sentence, { isError = true, link } = {}) {
  const box = document.createElement("div");
  box.className = isError ? "ask-error" : "ask-sending";
  box.dataset.own = "";
  box.setAttribute("role", isError ? "alert" : "status");
  box.append(sentence);
  if (link) {
    box.append(" ", link);
  }
  entry().querySelector(".ask-error, .ask-sending")?.remove();
  entry().prepend(box);
}

/** Make a link.

    @param {string} href
    @param {string} text */
export function linkTo(href, text) {
  const link = document.createElement("a");
  link.href = href;
  link.textContent = text;
  return link;
}

/** Show why there is no page to show; what was entered stays.

    @param {{ isSignedOut?: boolean, reason?: string, isGone?: boolean }} answer
    @param {string} [again] the address of a step that goes on by itself once the site can be reached */
export function showFailure({ isSignedOut, reason, isGone }, again = "") {
  if (!isSignedOut) {
    const advice = again ? " What you entered is kept, and goes on once the site answers." : " What you entered is kept. You can send it again.";
    const link = again ? linkTo(again, "Try now") : undefined;
    link?.setAttribute("data-onward", "");
    showMessage(reason + (isGone ? "" : advice), { link });
    return;
  }
  const next = new URLSearchParams({ next: location.pathname + location.search });
  const link = linkTo(`${root.dataset.signIn}?${next}`, "Sign in");
  showMessage("You are not signed in any more. What you entered is kept.", { link });
}

/** Show that a move is sent again, and when.

    @param {string} reason
    @param {number} wait in milliseconds */
export function showWaiting(reason, wait) {
  const seconds = Math.ceil(wait / 1_000);
  showMessage(`${reason} Sending … again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`, { isError: false });
}

/** Take away the message that a move is being sent. */
export function clearSending() {
  entry()?.querySelector(".ask-sending")?.remove();
}

/** Take away the reason why there was no page to show. */
export function clearFailure() {
  entry()?.querySelector(".ask-error[data-own]")?.remove();
}
