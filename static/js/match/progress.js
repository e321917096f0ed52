/* What the page of a match is doing. It is in one of three states, and each request begins by an event:

   | state     | ask     | send    | leave  | push | answer |
   | --------- | ------- | ------- | ------ | ---- | ------ |
   | `idle`    | asking  | sending | asking | idle |        |
   | `asking`  | asking  | sending | asking | idle | idle   |
   | `sending` |         |         | asking |      | idle   |

     ask     the page, or a part of it, is asked for: a step of a move, another position, what others did
     send    a move, or another form that changes something, is sent
     leave   Back or Forward goes to another position
     push    the site has pushed the newest page, which is shown
     answer  the newest request is answered, or has failed

   An empty cell means that the event must wait. Only one request counts, the newest: it overtakes those before, whose
   answers are dropped.

   Three more things can be true in any state, and are told by what they follow from:

     entering  the address has the words of a move
     behind    the site has told of a version that is newer than the one on the page (isNewer)
     showing   steps.js shows what happened, over a page that is the newest already */

/** @import { Update } from "../net/socket.js" */
/** @import { Head } from "./state.js" */

/** @typedef {"idle" | "asking" | "sending"} State */
/** @typedef {"ask" | "send" | "leave" | "push"} Trigger what begins a request, or does without one */

/** @type {Record<State, Partial<Record<Trigger, State>>>} */
const TABLE = {
  idle: { ask: "asking", send: "sending", leave: "asking", push: "idle" },
  asking: { ask: "asking", send: "sending", leave: "asking", push: "idle" },
  sending: { leave: "asking" },
};

export class Progress {
  /** @type {State} */
  state = "idle";
  #newest = 0;

  /** @param {(isBusy: boolean) => void} onChange called after each event */
  constructor(onChange) {
    this.onChange = onChange;
  }

  /** Whether an event may happen now.

      @param {Trigger} event
      @returns {boolean} */
  may(event) {
    return TABLE[this.state][event] !== undefined;
  }

  /** Begin a request; return its number.

      @param {Trigger} event
      @returns {number} */
  begin(event) {
    const next = TABLE[this.state][event];
    if (!next) {
      throw new Error(`A page that is ${this.state} cannot ${event}.`);
    }
    this.#newest += 1;
    this.#enter(next);
    return this.#newest;
  }

  /** Whether no later request has overtaken this one.

      @param {number} request
      @returns {boolean} */
  isNewest(request) {
    return request === this.#newest;
  }

  /** A request is answered; return whether its answer counts.

      @param {number} request
      @returns {boolean} */
  end(request) {
    if (this.isNewest(request)) {
      this.#enter("idle");
    }
    return this.isNewest(request);
  }

  /** @param {State} next */
  #enter(next) {
    this.state = next;
    this.onChange(next !== "idle");
  }
}

/** Whether news is newer than what a page shows: a later version, or the same one with its clocks shifted.

    @param {Pick<Update, "version" | "epoch">} news
    @param {Pick<Head, "version" | "epoch">} shown
    @returns {boolean} */
export function isNewer(news, shown) {
  const isShifted = news.epoch !== undefined && news.epoch > shown.epoch;
  return news.version > shown.version || (news.version === shown.version && isShifted);
}
