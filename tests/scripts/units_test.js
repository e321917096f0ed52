/* Functions of scripts that touch no page. */

import { deepStrictEqual as same } from "node:assert";

import { load, onPage } from "./page.js";

/** Test a function of a script with several cases, each `[arguments, result]`. */
function table(name, path, call, cases) {
  onPage(name, async () => {
    const script = await load(path);
    for (const [given, result] of cases) {
      same(script[call](...given), result, JSON.stringify(given));
    }
  });
}

table("a clock in words", "site/clocks.js", "formatDuration", [
  [[-1], "0 s"],
  [[0.9], "0 s"],
  [[59.9], "59 s"],
  [[60], "1 min"],
  [[3599], "59 min"],
  [[3600], "1 h 00 min"],
  [[5 * 3600 + 7 * 60 + 59], "5 h 07 min"],
  [[86_399], "23 h 59 min"],
  [[86_400], "1 d 00 h"],
  [[2 * 86_400 + 11 * 3600], "2 d 11 h"],
]);

/** A clock that counts down to a time in seconds, and its text and classes at another. */
async function clockAt(end, now, pauses = undefined) {
  const { showClock } = await load("site/clocks.js");
  const classes = new Set();
  const clock = {
    dateTime: new Date(end * 1_000).toISOString(),
    dataset: { pauses },
    classList: { toggle: (name, isOn) => (isOn ? classes.add(name) : classes.delete(name)) },
    nextElementSibling: null,
  };
  showClock(clock, now * 1_000);
  return [clock.textContent, [...classes].join(" ")];
}

onPage("messages are English where a page has no catalogue", async () => {
  const { gettext, interpolate, ngettext, pgettext } = await load("site/language.js");
  same([gettext("Stop"), pgettext("dice", "Roll")], ["Stop", "Roll"]);
  same([1, 2].map((number) => ngettext("%(n)s roll", "%(n)s rolls", number)), ["%(n)s roll", "%(n)s rolls"]);
  same(interpolate("%(a)s of %(b)s, %(a)s", { a: 1, b: "$&" }), "1 of $&, 1");
});

onPage("a page with a catalogue is in its language", async () => {
  const { formatDuration } = await load("site/clocks.js");
  globalThis.django = { gettext: (message) => message.replace(" h", " Std.") };
  try {
    same(formatDuration(5 * 3600), "5 Std. 00 min");
  } finally {
    delete globalThis.django;
  }
});

onPage("a clock that runs short", async () => {
  same(await clockAt(0, 0), ["out of time", "clock-out"]);
  same(await clockAt(1, 0), ["1 s", "clock-short"]);
  same(await clockAt(6 * 3600 - 1, 0), ["5 h 59 min", "clock-short"]);
  same(await clockAt(6 * 3600, 0), ["6 h 00 min", ""]);
});

onPage("a clock stands still in pauses", async () => {
  // A day in the middle of three does not count.
  const at = (hour) => clockAt(72 * 3600, hour * 3600, `${24 * 3600}/${48 * 3600}`);
  same(await at(0), ["2 d 00 h", ""]);
  same(await at(30), ["1 d 00 h", "clock-still"]);
  same(await at(71), ["1 h 00 min", "clock-short"]);
});

onPage("pauses between attempts double up to half a minute", async () => {
  const { Backoff } = await load("net/socket.js");
  const pauses = (chance) => {
    const backoff = new Backoff(() => chance);
    return Array.from({ length: 7 }, () => backoff.afterFailure());
  };
  const longest = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000];
  same(pauses(1), longest);
  same(pauses(0), longest.map((pause) => pause / 2));
});

onPage("after a cut pages come back spread over ten seconds", async () => {
  const { Backoff } = await load("net/socket.js");
  same(new Backoff(() => 0).afterCut(), 0);
  same(new Backoff(() => 0.999).afterCut(), 9_990);
});

onPage("pauses start again after a connection that worked", async () => {
  const { Backoff } = await load("net/socket.js");
  const backoff = new Backoff(() => 1);
  same([backoff.afterFailure(), backoff.afterFailure(), backoff.reset(), backoff.afterFailure()], [1_000, 2_000, undefined, 1_000]);
});

table("how long an answer asks to wait", "net/sending.js", "retryAfter", [
  [[null, 10_000], 0],
  [["", 10_000], 0],
  [["soon", 10_000], 0],
  [["0", 10_000], 0],
  [["7", 10_000], 7_000],
  [["Thu, 01 Jan 1970 00:00:12 GMT", 10_000], 2_000],
  [["Thu, 01 Jan 1970 00:00:05 GMT", 10_000], 0],
]);

table("what is compared of a typed text", "match/typing.js", "fold", [
  [[""], ""],
  [["Place C3"], "placec3"],
  [[" a\t1 -\n B2"], "a1-b2"],
]);

const STOPS = ["a1 0 0", "a2 0 24", "b2 24 24"];

table("the way from where a part was to where it is", "board/animation.js", "between", [
  [[STOPS.slice(0, 2), STOPS], STOPS.slice(1)],
  [[STOPS, STOPS.slice(0, 2)], ["b2 24 24", "a2 0 24"]],
  [[STOPS.slice(0, 1), STOPS], STOPS],
  [[STOPS, STOPS.slice(0, 1)], STOPS.toReversed()],
  [[STOPS, STOPS], STOPS.slice(2)],
  [[["c3 9 9"], ["a1 0 0"]], []],
]);

onPage("bytes and their hexadecimal text", async () => {
  const { fromHex, hex } = await load("net/bytes.js");
  same(hex(fromHex("00ff10")), "00ff10");
  same(fromHex("").length, 0);
});

table("the rolls of a record are those of dice", "match/dice.js", "rollsOf", [
  [
    [
      {
        setup_chance: [3, 250],
        setup_sides: [6, null],
        log: [
          { number: 1, chance: [], sides: [] },
          { number: 2, chance: [5, 1], sides: [6, 4] },
        ],
      },
    ],
    [
      { entry: 0, face: 3, sides: 6 },
      { entry: 2, face: 5, sides: 6 },
      { entry: 2, face: 1, sides: 4 },
    ],
  ],
]);
