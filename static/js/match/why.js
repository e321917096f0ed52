/* Why a click leads nowhere: a sentence of the rules replaces the prompt until the next click or key. It is a live
   region, so screen readers announce it. */

import * as hover from "../board/hover-preview.js";
import { newest } from "../net/newest.js";
import { sendStep } from "../net/socket.js";
import { root } from "./state.js";

const begin = newest();
const box = document.createElement("p");
Object.assign(box, { className: "action-why", role: "status" });

/** Take the sentence away, and drop the answer that is on its way. */
export function clear() {
  begin();
  box.textContent = "";
}

/** Put the empty region into the bar of a fresh page. */
export function ready() {
  clear();
  document.querySelector("#match-entry .action-said")?.append(box);
}

/** What the page calls a place of the board that is no mark: no game has such a mark. */
const NOWHERE = "nowhere";

/** Ask why a mark, or a place without one, leads nowhere after the words in the address, and show the answer.

    @param {HTMLElement | SVGElement} place
    @param {number} version the latest that the page has heard of */
export async function ask({ dataset }, version) {
  clear();
  const mark = dataset.mark ?? NOWHERE;
  const isNewest = begin();
  const isConnected = root.dataset.why === undefined;
  const answer = await (isConnected
    ? sendStep(version, location.search.slice(1), mark)
    : fetchWhy(mark));
  if (answer?.said && isNewest()) {
    box.textContent = answer.said;
  }
}

/** Fetch the answer for a board to think on, which has no connection. */
async function fetchWhy(mark) {
  const url = hover.partOf(location.href, "why");
  url.searchParams.set("mark", mark);
  const response = await fetch(url).catch(() => null);
  return response?.ok ? response.json() : null;
}
