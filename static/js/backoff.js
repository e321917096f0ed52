/* How long to wait before a connection is attempted again, in milliseconds. */

const SPREAD = 10_000;
const FIRST = 1_000;
const LONGEST = 30_000;

/** Pauses between attempts. `random()` is from 0 up to 1. */
export class Backoff {
  constructor(random = Math.random) {
    this.random = random;
    this.reset();
  }

  /** Begin with short pauses again. */
  reset() {
    this.pause = FIRST;
  }

  /** The pause after a connection that worked was cut: many pages may have lost theirs at once. */
  afterCut() {
    return this.random() * SPREAD;
  }

  /** The pause after an attempt that failed: longer each time. */
  afterFailure() {
    const wait = this.pause * (0.5 + this.random() / 2);
    this.pause = Math.min(this.pause * 2, LONGEST);
    return wait;
  }
}
