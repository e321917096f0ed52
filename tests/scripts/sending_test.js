/* A move that meets an error page, a lost connection or a sign-in page is sent again, or said to be kept. */

import { deepStrictEqual as same, ok } from "node:assert";

import { load, onPage } from "./page.js";

const PAGE = { body: '<section id="match-entry" data-region></section>' };
const PLACES = { address: "/matches/1/", signIn: "/account/login/" };

/** Post a move until there is an answer; `waits` are the pauses that are said, `done` says whether it has ended. */
async function post(page, ...answers) {
  page.answers = answers;
  const { insist } = await load("net/sending.js");
  const sent = { waits: [], done: false, answer: null };
  const body = new FormData();
  insist("/matches/1/moves/", { method: "POST", body }, PLACES, (reason, wait) => sent.waits.push([reason, wait])).then(
    (answer) => Object.assign(sent, { answer, done: true }),
  );
  await page.time.pass(0);
  return { ...sent, body, now: () => sent };
}

for (const answer of ["cut", { status: 500 }, { status: 502 }, { status: 503 }, { status: 408 }]) {
  const said = answer === "cut" ? "The site could not be reached." : `The site answered with error ${answer.status}.`;
  onPage(`a move that meets ${answer.status ?? answer} shows why, and is sent again with growing pauses`, async (page) => {
    const { body, now } = await post(page, answer, answer, PAGE);
    same(now().waits, [[said, 1_000]]);
    await page.time.pass(1_000);
    same(now().waits, [[said, 1_000], [said, 2_000]]);
    await page.time.pass(2_000);
    ok(now().answer.page);
    same(page.requests.map(({ at }) => at), [0, 1_000, 3_000]);
    // The form holds the submission id: it is sent as it was.
    ok(page.requests.every(({ options }) => options.body === body));
  });
}

onPage("too many requests are sent again when the site says", async (page) => {
  const { now } = await post(page, { status: 429, headers: { "Retry-After": "4" } }, PAGE);
  same(now().waits, [["Too many requests.", 4_000]]);
  await page.time.pass(3_999);
  same(page.requests.length, 1);
  await page.time.pass(1);
  ok(now().answer.page);
});

onPage("a pause longer than a minute is left to the player", async (page) => {
  const { now } = await post(page, { status: 429, headers: { "Retry-After": "600" } });
  same(now().answer.reason, "Too many requests.");
  same(page.requests.length, 1);
});

onPage("after a minute the page says so", async (page) => {
  const { now } = await post(page, { status: 502 });
  await page.time.pass(59_000);
  ok(!now().done);
  await page.time.pass(16_000);
  same(now().answer.reason, "The site answered with error 502.");
  ok(page.requests.length > 4 && page.requests.length < 12);
});

onPage("offline a move goes out as soon as the device is back", async (page) => {
  page.goes("offline");
  const { now } = await post(page, "cut", "cut", PAGE);
  await page.time.pass(1_000);
  same(now().waits, [["You are offline.", 1_000], ["You are offline.", 2_000]]);
  page.goes("online");
  await page.time.pass(0);
  ok(now().answer.page);
  same(page.requests.at(-1).at, 1_000);
});

for (const [how, answer] of Object.entries({
  "a refusal": { status: 403, body: "<h1>403</h1>" },
  "a demand to sign in": { status: 401 },
  "a redirect": { url: "/account/login/?next=/matches/1/", redirected: true },
})) {
  onPage(`${how} means that the player has signed out`, async (page) => {
    const { now } = await post(page, answer);
    ok(now().answer.isSignedOut);
    same(page.requests.length, 1);
  });
}

onPage("a match that is gone is not asked for again", async (page) => {
  const { now } = await post(page, { status: 404 });
  ok(now().answer.isGone);
  same(page.requests.length, 1);
});

onPage("a page elsewhere is gone to", async (page) => {
  const { now } = await post(page, { url: "/home/", redirected: true });
  same(now().answer.elsewhere, "http://site.test/home/");
});

onPage("what is not the match, as the error page of a proxy, is asked for again", async (page) => {
  const { now } = await post(page, { body: "<p>Come back later.</p>" }, PAGE);
  same(now().waits[0][0], "The site did not answer with the match.");
  await page.time.pass(1_000);
  ok(now().answer.page);
});

onPage("a page of another release is taken as the match", async (page) => {
  const { now } = await post(page, { body: '<script type="module" src="/static/js/match.new.js"></script>' });
  ok(now().answer.page);
});
