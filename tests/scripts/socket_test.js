/* The connection of a page: how it comes back, and what the page says and does meanwhile. */

import { deepStrictEqual as same, ok } from "node:assert";

import { load, onPage } from "./page.js";

const NOT_LIVE = "This page is not live: it checks for changes every 20 seconds.";

/** Connect; return the events of the match that the page has heard, by version. */
async function connect(page) {
  await load("net/socket.js");
  const versions = [];
  page.document.addEventListener("live:match", ({ detail }) => versions.push(detail.version));
  page.connections[0].says({ type: "match", version: 1 });
  return versions;
}

/** What the page says of its connection; empty if nothing is seen. */
const said = ({ added }) => (added.length && !added[0].hidden ? added[0].textContent : "");

const LIVE = { live: "match=1&parts=3" };

onPage(
  "reconnecting is shown after four seconds however often it fails",
  async (page) => {
    await connect(page);
    page.connections[0].ends(1001);
    for (const [made, pause] of [[2, 1_000], [3, 550], [4, 1_100]]) {
      await page.time.pass(pause);
      same(page.connections.length, made);
      page.connections.at(-1).ends(1006);
    }
    await page.time.pass(1_300);
    same(said(page), "");
    await page.time.pass(100);
    same(said(page), `Reconnecting … ${NOT_LIVE}`);
    same(page.added.length, 1);
    await page.time.pass(5_000);
    page.connections.at(-1).says({ type: "beat" });
    same(said(page), "");
  },
  { ...LIVE, random: 0.1 },
);

for (const [random, pause] of [[0.05, 500], [0.6, 6_000]]) {
  onPage(
    `after a restart the page is back after ${pause} ms`,
    async (page) => {
      await connect(page);
      page.connections[0].ends(1012);
      await page.time.pass(pause - 50);
      same(page.connections.length, 1);
      await page.time.pass(100);
      same(page.connections.length, 2);
    },
    { ...LIVE, random },
  );
}

onPage(
  "a page that is not live asks every 20 seconds",
  async (page) => {
    const versions = await connect(page);
    page.answers = [{ body: '{"version": 2}' }];
    page.connections[0].ends(4429);
    await page.time.pass(19_000);
    same(versions, [1]);
    await page.time.pass(1_000);
    same(versions, [1, 2]);
    same(page.requests.map(({ url }) => url), ["/api/v1/matches/1/"]);
  },
  LIVE,
);

onPage(
  "a page whose connection is refused says that it is not live, and tries no more",
  async (page) => {
    await connect(page);
    page.connections[0].ends(4429);
    await page.time.pass(19_000);
    same(said(page), NOT_LIVE);
    same(page.connections.length, 1);
  },
  LIVE,
);

onPage(
  "a page that the site no longer speaks with is loaded again once",
  async (page) => {
    await connect(page);
    page.connections[0].ends(4426);
    same(page.loads, 1);
    same(page.connections.length, 1);
    // Loaded again, it meets the same once more.
    await load("net/socket.js");
    page.connections[1].ends(4426);
    same(page.loads, 1);
    await page.time.pass(10_000);
    ok(page.connections.length > 2, "it goes on trying to connect");
  },
  LIVE,
);

const MOVE = { version: 1, submission: "0b", texts: ["place c3"] };

onPage(
  "a move goes over the connection",
  async (page) => {
    const { sendMove } = await load("net/socket.js");
    const [line] = page.connections;
    line.says({ type: "match", version: 1 });
    const sent = sendMove(MOVE);
    same(line.sent, [{ type: "play", ...MOVE }]);
    line.says({ type: "played", submission: "0b", version: 2 });
    same((await sent).version, 2);
  },
  LIVE,
);

for (const [how, happens] of Object.entries({
  "is not answered": ({ time }) => time.pass(5_000),
  "is cut": ({ connections }) => connections[0].ends(1001),
  "refuses it": ({ connections }) => connections[0].says({ type: "refused", submission: "0b" }),
})) {
  onPage(
    `a move that ${how} is left to the form`,
    async (page) => {
      const { sendMove } = await load("net/socket.js");
      page.connections[0].says({ type: "match", version: 1 });
      const sent = sendMove(MOVE);
      await happens(page);
      same(await sent, null);
    },
    LIVE,
  );
}

onPage(
  "without a connection a move is left to the form at once",
  async () => {
    const { sendMove } = await load("net/socket.js");
    same(await sendMove(MOVE), null);
  },
  LIVE,
);

onPage(
  "of two steps the second one counts",
  async (page) => {
    const { sendStep } = await load("net/socket.js");
    const [line] = page.connections;
    line.says({ type: "match", version: 1 });
    const [first, second] = [sendStep(1, "word=a1"), sendStep(1, "word=b2")];
    same(await first, null);
    line.says({ type: "entered", step: 2, version: 1 });
    same((await second).type, "entered");
    same(line.sent.map(({ query }) => query), ["word=a1", "word=b2"]);
  },
  LIVE,
);

onPage(
  "a process that knows no steps yet is called again",
  async (page) => {
    const { sendStep } = await load("net/socket.js");
    page.connections[0].says({ type: "match", version: 1 });
    const step = sendStep(1, "word=a1");
    page.connections[0].ends(4400);
    same(await step, null);
    await page.time.pass(10_000);
    ok(page.connections.length > 1);
  },
  LIVE,
);

onPage(
  "who clicks without end keeps the connection: steps beyond the allowance are not sent",
  async (page) => {
    const { sendStep } = await load("net/socket.js");
    page.connections[0].says({ type: "match", version: 1 });
    for (let count = 0; count < 60; count += 1) {
      sendStep(1, "word=a1");
    }
    same(page.connections[0].sent.length, 40);
    await page.time.pass(4_000);
    sendStep(1, "word=a1");
    same(page.connections[0].sent.length, 41);
  },
  LIVE,
);
