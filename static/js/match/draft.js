/* The move being entered, kept for another time (drafts.js): on the page of the match alone, not where
   moves are planned, and for players. */

import * as drafts from "../drafts.js";

const isPageOf = ({ dataset }) => location.pathname === dataset.address && dataset.seat !== undefined;

/** Keep what has been entered so far, for a version of the match. */
export function keep(root, version) {
  if (isPageOf(root)) {
    drafts.keep(root.dataset.address, location.search, version);
  }
}

/** Forget it: it has been sent. */
export function forget(root) {
  drafts.keep(root.dataset.address, "");
}

/** Go on with what was entered before, unless the match has moved on since. */
export async function restore(root, version, { show, say }) {
  const draft = isPageOf(root) && !location.search && drafts.kept(root.dataset.address);
  if (!draft) {
    return;
  }
  if (draft.version !== version || !document.querySelector("#match-entry.ask-turn")) {
    forget(root);
    say("The match has moved on since you entered a move: it was not sent, and is gone.");
    return;
  }
  history.replaceState(null, "", root.dataset.address + draft.search);
  await show(location.href);
  say("You had entered this and not sent it.");
}
