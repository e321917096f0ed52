/* The expert beside a board: while it is thinking, the answer is asked for every second. */

import { parse, swap } from "../net/patches.js";
import { gettext } from "../site/language.js";

const PAUSE = 1_000;
const NEWS = gettext("The expert has answered.");

let isAsking = false;

const isWaiting = () => document.querySelector("#expert[data-thinking]") !== null;

/** Fetch the answer and show it, unless the reader has gone to another position meanwhile. */
async function look() {
  const path = location.pathname;
  const response = await fetch(`${path}?part=expert`, { cache: "no-cache" });
  if (!response.ok || path !== location.pathname) {
    return;
  }
  swap(parse(await response.text()));
  const news = document.getElementById("news");
  if (news && !isWaiting()) {
    news.textContent = NEWS;
  }
}

if (document.getElementById("expert")) {
  setInterval(() => {
    if (isAsking || document.hidden || !isWaiting()) {
      return;
    }
    isAsking = true;
    look()
      .catch(() => {})
      .finally(() => {
        isAsking = false;
      });
  }, PAUSE);
}
