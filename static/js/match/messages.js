/* Messages at the top of the action area: why there is no page to show, and that a move is being sent. Each replaces the one
   before. */

import { gettext, interpolate, ngettext } from "../site/language.js";
import { required } from "../site/required.js";
import { root } from "./state.js";

const actionArea = () => required("#match-entry");

/** Show a message above what is asked.

    @param {string} sentence
    @param {{ isError?: boolean, isUnreached?: boolean, link?: HTMLElement }} [more] whether it says, too, that the site
      can't be reached */
export function showMessage(sentence, { isError = true, isUnreached = false, link } = {}) {
  const box = document.createElement("div");
  box.className = isError ? "action-error" : "action-sending";
  box.dataset.own = "";
  if (isUnreached) {
    box.dataset.unreached = "";
  }
  box.setAttribute("role", isError ? "alert" : "status");
  box.append(sentence);
  if (link) {
    box.append(" ", link);
  }
  actionArea().querySelector(".action-error, .action-sending")?.remove();
  actionArea().prepend(box);
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

    @param {{ isSignedOut?: boolean, reason?: string, isGone?: boolean, mayHelp?: boolean }} answer
    @param {string} [again] the address of a step that goes on by itself once the site can be reached */
export function showFailure({ isSignedOut, reason, isGone, mayHelp }, again = "") {
  if (!isSignedOut) {
    const advice = again
      ? gettext("Your move is kept here and continues once the site answers.")
      : gettext("Your move is kept here. You can send it again.");
    const link = again ? linkTo(again, gettext("Try now")) : undefined;
    link?.setAttribute("data-onward", "");
    showMessage(isGone ? (reason ?? "") : `${reason} ${advice}`, { link, isUnreached: Boolean(mayHelp) });
    return;
  }
  const next = new URLSearchParams({ next: location.pathname + location.search });
  const link = linkTo(`${root.dataset.signIn}?${next}`, gettext("Sign in"));
  showMessage(gettext("You are no longer signed in. Your move is kept here."), { link });
}

/** Show that a move is sent again, and when.

    @param {string} reason
    @param {number} wait in milliseconds */
export function showWaiting(reason, wait) {
  const seconds = Math.ceil(wait / 1_000);
  const again = ngettext("Trying again in %(seconds)s second.", "Trying again in %(seconds)s seconds.", seconds);
  showMessage(`${reason} ${interpolate(again, { seconds })}`, { isError: false, isUnreached: true });
}

/** Take away the message that a move is being sent. */
export function clearSending() {
  document.querySelector("#match-entry .action-sending")?.remove();
}

/** Take away the reason why there was no page to show. */
export function clearFailure() {
  document.querySelector("#match-entry .action-error[data-own]")?.remove();
}
