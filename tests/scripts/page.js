/* A page for units of scripts: the few parts of a browser that they touch, with time that tests turn. */

const STATIC = new URL("../../static/js/", import.meta.url);

let copies = 0;

/** Import a script as a page does: a fresh copy that holds nothing from another test. */
export const load = (path) => import(`${new URL(path, STATIC)}?copy=${(copies += 1)}`);

/** Set globals for one test; return a function that restores them. */
function set(values) {
  const before = Object.entries(values).map(([name]) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]);
  for (const [name, value] of Object.entries(values)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  return () => {
    for (const [name, descriptor] of before) {
      delete globalThis[name];
      if (descriptor) {
        Object.defineProperty(globalThis, name, descriptor);
      }
    }
  };
}

/** Time that stands still until a test turns it. */
class Time {
  now = 0;
  timers = new Map();
  last = 0;

  add(call, wait, every) {
    this.last += 1;
    this.timers.set(this.last, { call, at: this.now + wait, every });
    return this.last;
  }

  /** Turn time on, and let everything happen that is due or follows from it. */
  async pass(milliseconds) {
    const end = this.now + milliseconds;
    await settled();
    for (;;) {
      const due = [...this.timers].filter(([, { at }]) => at <= end).toSorted(([, one], [, other]) => one.at - other.at)[0];
      if (!due) {
        break;
      }
      const [id, timer] = due;
      this.now = timer.at;
      if (timer.every) {
        timer.at += timer.every;
      } else {
        this.timers.delete(id);
      }
      timer.call();
      await settled();
    }
    this.now = end;
  }
}

const { setTimeout: later } = globalThis;

/** Wait until promises that wait for nothing else have gone on. */
const settled = () => new Promise((done) => later(done, 0));

/** The elements that the scripts under test make: they hold what is written to them. */
class Element {
  dataset = {};
  isConnected = false;
  #html = "";

  set innerHTML(html) {
    this.#html = html;
  }

  /** Content of which selectors find the action area of a match, or a script by its address. */
  get content() {
    const html = this.#html;
    return {
      querySelector(selector) {
        const script = html.match(/<script type="module" src="(.*?)">/);
        if (selector.startsWith("script")) {
          return script && { getAttribute: () => script[1] };
        }
        return selector.startsWith("#match-entry") && html.includes('id="match-entry"') ? {} : null;
      },
    };
  }
}

/** A connection that a script has opened. */
class Connection extends EventTarget {
  static CONNECTING = 0;
  static OPEN = 1;
  readyState = 0;
  sent = [];

  constructor(url) {
    super();
    this.url = url;
    Connection.made.push(this);
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  /** The site says something. */
  says(message) {
    this.readyState = Connection.OPEN;
    this.dispatchEvent(Object.assign(new Event("message"), { data: JSON.stringify(message) }));
  }

  /** The connection ends. */
  ends(code) {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event("close"), { code }));
  }

  close() {
    this.ends(1005);
  }
}

/** Run a test on a page of its own.

    `answers` are those of the site to requests, one after the other; the last one stays. An answer is
    `{ status, body, headers, url }`, or `"cut"`.

    @param {string} name
    @param {(page: any) => Promise<void>} run */
export function onPage(name, run, { live = undefined, random = 0.5 } = {}) {
  Deno.test(name, async () => {
    const time = new Time();
    const events = new EventTarget();
    const added = [];
    const kept = new Map();
    const page = { time, requests: [], answers: [], loads: 0, added, connections: [] };
    Connection.made = page.connections;
    const body = { dataset: { live }, append: (element) => (added.push(element), (element.isConnected = true)) };
    const shown = Object.assign(new EventTarget(), {
      body,
      visibilityState: "visible",
      activeElement: null,
      createElement: () => new Element(),
      getElementById: () => null,
      querySelectorAll: () => [],
      querySelector: (selector) =>
        selector.startsWith("script") ? { getAttribute: () => "/static/js/match.old.js" } : selector === "#match" ? new Element() : null,
    });
    page.navigator = { onLine: true };
    page.document = shown;
    page.goes = (how) => {
      page.navigator.onLine = how === "online";
      events.dispatchEvent(new Event(how));
    };
    const fetches = async (url, options) => {
      page.requests.push({ url: String(url), options, at: time.now });
      const answer = page.answers.length > 1 ? page.answers.shift() : page.answers[0];
      if (answer === "cut") {
        throw new TypeError("cut");
      }
      const { status = 200, body: text = "", headers = {}, url: reached = url, redirected = false } = answer;
      return {
        status,
        ok: status < 300,
        redirected,
        url: String(new URL(reached, "http://site.test/")),
        headers: new Headers(headers),
        text: async () => text,
        json: async () => JSON.parse(text),
      };
    };
    const restore = set({
      document: shown,
      navigator: page.navigator,
      location: { protocol: "http:", host: "site.test", href: "http://site.test/matches/1/", reload: () => (page.loads += 1) },
      sessionStorage: { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) },
      addEventListener: events.addEventListener.bind(events),
      fetch: fetches,
      WebSocket: Connection,
      matchMedia: () => ({ matches: false }),
      setTimeout: (call, wait = 0) => time.add(call, wait),
      setInterval: (call, wait) => time.add(call, wait, wait),
      clearTimeout: (id) => time.timers.delete(id),
      clearInterval: (id) => time.timers.delete(id),
      performance: { now: () => time.now, getEntriesByType: () => [] },
    });
    const { random: chance } = Math;
    Math.random = () => random;
    const { timeout } = AbortSignal;
    AbortSignal.timeout = () => new AbortController().signal;
    try {
      await run(page);
    } finally {
      AbortSignal.timeout = timeout;
      Math.random = chance;
      restore();
    }
  });
}
