/* Moments in the zone of the reader. What the site pushes is the same for readers in all zones, with times in UTC. The
   words are those of games/matches/formatting.py. */

/** @typedef {{ zone: string, names: Object<string, string> }} Zone a time zone, and what its times end with, by their offset: {"+01:00": "CET"} */

/** @type {Intl.DateTimeFormatOptions} */
const FIELDS = {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  timeZoneName: "longOffset",
};
const MONTH = 3; // letters of a name, which browsers don't agree on for September

/** A format of moments in a zone; in that of this device where the browser doesn't know the zone.

    @param {string} timeZone
    @returns {Intl.DateTimeFormat} */
function formatIn(timeZone) {
  try {
    return new Intl.DateTimeFormat("en-GB", { ...FIELDS, timeZone });
  } catch {
    return new Intl.DateTimeFormat("en-GB", FIELDS);
  }
}

/** Write all moments in content that was pushed in another zone than UTC.

    @param {ParentNode} content
    @param {Zone} zone */
export function showIn(content, { zone, names }) {
  const format = formatIn(zone);
  const write = (/** @type {string} */ moment) => {
    const found = format.formatToParts(new Date(moment)).map(({ type, value }) => [type, value]);
    const { weekday, day, month, year, hour, minute, timeZoneName } = Object.fromEntries(found);
    const offset = timeZoneName.slice("GMT".length) || "+00:00";
    const date = `${day} ${month.slice(0, MONTH)}`;
    return {
      exact: `${weekday} ${date} ${year}, ${hour}:${minute} ${names[offset] ?? `UTC${offset}`}`,
      short: `${date.replace(" ", "\u00a0")}, ${hour}:${minute}`,
    };
  };
  for (const time of content.querySelectorAll("time[datetime]")) {
    const { exact, short } = write(/** @type {HTMLTimeElement} */ (time).dateTime);
    const row = time.closest(".log-row");
    if (time.matches(".clock")) {
      time.setAttribute("title", `until ${exact}`);
    } else if (row) {
      time.textContent = short;
      row.querySelector(".log-link")?.setAttribute("title", exact);
    } else {
      time.textContent = exact;
    }
  }
  for (const why of /** @type {NodeListOf<HTMLElement>} */ (content.querySelectorAll("[data-until]"))) {
    why.title = why.title.replace(/until .*/, `until ${write(why.dataset.until ?? "").exact}`);
  }
}
