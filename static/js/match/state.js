/* The match as the page shows it. `#match` stays while the page is open. Its head and its board come with
   every version, over the socket and by HTTP alike, and say what that version is. */

import { present, required } from "../site/required.js";

/** The element that holds the match, on its page and on its record. */
export const root = required("#match");

/** Whether the reader plays in the match.

    @returns {boolean} */
export const isPlayer = () => "seat" in root.dataset;

/** The board on the page.

    @returns {HTMLElement} */
export const figure = () => required("#match-board");

/** @typedef {object} Head
    @property {number} version the number of entries in the log
    @property {number} epoch changes when clocks were shifted, as after an outage
    @property {string | undefined} seat the number of the reader's seat
    @property {string | undefined} number on a board to think on, that of the move that led to the position
    @property {string} title the title of the page
    @property {string} news the last entry in a sentence */

/** What the head of a page says, on the page or as the site has sent it.

    @param {ParentNode} content
    @returns {Head | null} `null` where it has no head, as a part of a page */
export function headOf(content) {
  /** @type {HTMLElement | null} */
  const head = content.querySelector("#match-head");
  if (!head) {
    return null;
  }
  const { number, seat, title = "", news = "", ...said } = head.dataset;
  return { version: Number(said.version), epoch: Number(said.epoch), number, seat, title, news };
}

/** What the head of the page says now.

    @returns {Head} */
export const head = () => present(headOf(document), "#match-head");

/** The version that the page shows.

    @returns {number} */
export const version = () => head().version;
