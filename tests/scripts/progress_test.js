import assert from "node:assert/strict";

import { isNewer, Progress } from "../../static/js/match/progress.js";

/** A page in a state, and whether it was busy after each event. */
function pageThat(...events) {
  const busy = [];
  const progress = new Progress((isBusy) => busy.push(isBusy));
  const requests = events.map((event) => progress.begin(event));
  return { progress, requests, busy };
}

Deno.test("a page that sends waits with everything but Back", () => {
  const { progress } = pageThat("send");
  assert.deepEqual(
    ["ask", "send", "leave", "push"].filter((event) => progress.may(event)),
    ["leave"],
  );
  assert.throws(() => progress.begin("push"), /sending cannot push/);
});

for (const before of ["idle", "asking"]) {
  for (const [event, after] of Object.entries({ ask: "asking", send: "sending", leave: "asking", push: "idle" })) {
    Deno.test(`a page that is ${before} is ${after} after ${event}`, () => {
      const { progress } = pageThat(...(before === "asking" ? ["ask"] : []));
      progress.begin(event);
      assert.equal(progress.state, after);
    });
  }
}

Deno.test("the answer to the newest request ends it, and only that", () => {
  const { progress, requests, busy } = pageThat("ask", "send");
  const [overtaken, newest] = requests;
  assert.equal(progress.end(overtaken), false);
  assert.equal(progress.state, "sending");
  assert.equal(progress.end(newest), true);
  assert.equal(progress.state, "idle");
  assert.deepEqual(busy, [true, true, false]);
});

Deno.test("a pushed page overtakes what is asked for", () => {
  const { progress, requests } = pageThat("ask", "push");
  assert.equal(progress.end(requests[0]), false);
  assert.equal(progress.state, "idle");
});

Deno.test("Back overtakes a move on its way", () => {
  const { progress, requests } = pageThat("send", "leave");
  assert.equal(progress.end(requests[0]), false);
  assert.equal(progress.end(requests[1]), true);
});

Deno.test("news is newer by its version, then by shifted clocks", () => {
  const shown = { version: 41, epoch: 2 };
  assert.ok(isNewer({ version: 42 }, shown));
  assert.ok(isNewer({ version: 41, epoch: 3 }, shown));
  for (const news of [{ version: 41 }, { version: 41, epoch: 2 }, { version: 41, epoch: 1 }, { version: 40, epoch: 9 }]) {
    assert.equal(isNewer(news, shown), false);
  }
});
