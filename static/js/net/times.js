/* Moments in the zone of the reader. What the site pushes is the same for readers in all zones, with times in UTC. They are
   written as accounts/dates.py writes them: browsers, too, know from CLDR how each language does. */

import { gettext, interpolate, language } from "../site/language.js";

/** @typedef {{ zone: string, names: Object<string, string> }} Zone a time zone, and what its times end with, by their offset: {"+01:00": "CET"} */

/** @type {Intl.DateTimeFormatOptions} */
const DAY = { day: "numeric", month: "short" };
/** @type {Intl.DateTimeFormatOptions} */
const TIME = { hour: hourOf(), minute: "2-digit" };
/** @type {Intl.DateTimeFormatOptions} */
const SHORT = { ...DAY, ...TIME };
/** @type {Intl.DateTimeFormatOptions} */
const EXACT = { ...SHORT, weekday: "short", year: "numeric" };
/** @type {Intl.DateTimeFormatOptions} */
const OFFSET = { timeZoneName: "longOffset" };

/** Whether hours have two digits, which browsers only heed where nothing but a time is written. */
function hourOf() {
  const time = new Intl.DateTimeFormat(language(), { timeStyle: "short", timeZone: "UTC" });
  return time.format(new Date("2026-02-03T07:05Z")).startsWith("0") ? "2-digit" : "numeric";
}

/** Make the formats of moments in a zone; in that of this device where the browser doesn't know the zone.

    @param {string} timeZone */
function formatsIn(timeZone) {
  const make = (zone) => {
    const [day, short, exact] = [DAY, SHORT, EXACT].map((fields) => new Intl.DateTimeFormat(language(), { ...fields, ...zone }));
    return { day, short, exact, offset: new Intl.DateTimeFormat("en", { ...OFFSET, ...zone }) };
  };
  try {
    return make({ timeZone });
  } catch {
    return make({});
  }
}

/** Write all moments in content that was pushed in another zone than UTC.

    @param {ParentNode} content
    @param {Zone} zone */
export function showIn(content, { zone, names }) {
  const formats = formatsIn(zone);
  const exact = (/** @type {string | undefined} */ moment = "") => {
    const at = new Date(moment);
    const found = formats.offset.formatToParts(at).find(({ type }) => type === "timeZoneName");
    const offset = found?.value.slice("GMT".length) || "+00:00";
    return `${formats.exact.format(at)} ${names[offset] ?? `UTC${offset}`}`;
  };
  const short = (/** @type {string} */ moment) => {
    const day = formats.day.format(new Date(moment));
    return formats.short.format(new Date(moment)).replace(day, day.replaceAll(" ", "\u00a0"));
  };
  for (const time of content.querySelectorAll("time[datetime]")) {
    const { dateTime } = /** @type {HTMLTimeElement} */ (time);
    const row = time.closest(".log-row");
    if (time.matches(".clock")) {
      time.setAttribute("title", interpolate(gettext("until %(when)s"), { when: exact(dateTime) }));
    } else if (row) {
      time.textContent = short(dateTime);
      row.querySelector(".log-link")?.setAttribute("title", exact(dateTime));
    } else {
      time.textContent = exact(dateTime);
    }
  }
  for (const why of /** @type {NodeListOf<HTMLElement>} */ (content.querySelectorAll("[data-until]"))) {
    const until = exact(why.dataset.until);
    why.title = why.title.replace(why.dataset.written ?? "", () => until);
    why.dataset.written = until;
  }
}
