/* Clocks that run: <time class="clock" datetime="2026-02-03T14:05:00.000+00:00"> counts down in
   the same words as the server (left in games/matches/formatting.py) and shows when time runs short.
   data-pauses="1770246000/1770418800 …" are spans, in seconds, in which it stands still. */

import { gettext, interpolate } from "./language.js";

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const SHORT = 6 * HOUR;

/** Seconds as a clock shows them: "2 d 11 h", "5 h 07 min", "12 min", "48 s".

    @param {number} seconds
    @returns {string} */
export function formatDuration(seconds) {
  const left = Math.max(0, Math.floor(seconds));
  const pad = (n) => String(n).padStart(2, "0");
  if (left >= DAY) {
    const days = Math.floor(left / DAY);
    // Translators: time left on a clock, such as "2 d 11 h".
    return interpolate(gettext("%(days)s d %(hours)s h"), { days, hours: pad(Math.floor((left % DAY) / HOUR)) });
  }
  if (left >= HOUR) {
    const hours = Math.floor(left / HOUR);
    const minutes = pad(Math.floor((left % HOUR) / MINUTE));
    // Translators: time left on a clock, such as "5 h 07 min".
    return interpolate(gettext("%(hours)s h %(minutes)s min"), { hours, minutes });
  }
  return left >= MINUTE
    ? interpolate(gettext("%(minutes)s min"), { minutes: Math.floor(left / MINUTE) })
    : interpolate(gettext("%(seconds)s s"), { seconds: left });
}

/** The seconds that a clock has still to run at `now` (seconds), and whether it stands still. */
function timeLeft(clock, now) {
  const end = Date.parse(clock.dateTime) / 1000;
  const pauses = (clock.dataset.pauses ?? "").split(" ").filter(Boolean);
  let at = now;
  let left = 0;
  for (const [from, until] of pauses.map((pause) => pause.split("/").map(Number))) {
    left += Math.max(from - at, 0);
    at = Math.max(at, until);
  }
  const stands = pauses.some((pause) => {
    const [from, until] = pause.split("/").map(Number);
    return from <= now && now < until;
  });
  return { left: left + Math.max(end - at, 0), stands };
}

/** Show a clock as it stands at `now` (milliseconds).

    @param {HTMLTimeElement} clock
    @param {number} [now] */
export function showClock(clock, now = Date.now()) {
  const { left, stands } = timeLeft(clock, now / 1000);
  clock.textContent = left > 0 ? formatDuration(left) : gettext("out of time");
  clock.classList.toggle("clock-still", left > 0 && stands);
  clock.classList.toggle("clock-short", left > 0 && left < SHORT && !stands);
  clock.classList.toggle("clock-out", left <= 0);
  const why = clock.nextElementSibling;
  if (why?.matches(".clock-why")) {
    why.toggleAttribute("hidden", !stands);
  }
}

/** Keep every running clock below `root` going.

    @param {ParentNode} root */
export function tickClocks(root) {
  const tick = () => root.querySelectorAll("time.clock").forEach((c) => showClock(c));
  tick();
  setInterval(tick, 10_000);
}
