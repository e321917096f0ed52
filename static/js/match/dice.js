/* The dice of a record, checked by the reader's own browser: that the secret, and with strict dice
   every nonce, is the one that was committed to, and that every roll follows from secret and
   nonces. With strict dice a player's browser also holds the record against what it saw before it
   revealed its own nonce. The recipe is at /dice/.

   <div data-dice-file="/matches/42/export.json" data-dice-at="/matches/42/0/"><p data-dice-said>…</p></div> */

import { fromHex, hex, sha256 } from "../net/bytes.js";
import { ownNonces, strictNonces } from "../net/nonces.js";
import { gettext, interpolate, ngettext, pgettext } from "../site/language.js";

/** @typedef {object} MatchRecord the export of a match, as far as its dice go
    @property {Dice} dice
    @property {number[]} setup_chance
    @property {(number | null)[]} setup_sides
    @property {{ number: number, chance: number[], sides: (number | null)[] }[]} log its entries; without sides,
      something else than a die was drawn */

/** @typedef {object} Dice what the rolls of a match follow from, in hexadecimal
    @property {string} kind
    @property {string} seal the commitment to the secret
    @property {string} secret
    @property {string[]} nonces by seat
    @property {string[]} nonce_commitments by seat */

/** @typedef {{ entry: number, face: number, sides: number }} Roll */

/** @typedef {object} Working how a roll follows from secret and nonces
    @property {number} number
    @property {number} sides
    @property {number} attempt
    @property {string} digest in hexadecimal
    @property {bigint} x
    @property {number} face */

const SPACE = 2n ** 64n;
const STEP = 50;

const digestOf = async (text) => hex(await sha256(fromHex(text)));

/** The key of a match: SHA-256 of the secret and the nonces in seat order. */
async function keyOf({ secret, nonces }) {
  const bytes = await sha256(fromHex([secret, ...nonces].join("")));
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

/** Work roll `number` of a die out: the attempt that counts, its digest, and the face.

    @param {CryptoKey} key
    @param {number} number
    @param {number} sides
    @returns {Promise<Working>} */
export async function workOut(key, number, sides) {
  const count = BigInt(sides);
  const limit = SPACE - (SPACE % count);
  for (let attempt = 0; ; attempt += 1) {
    const message = new TextEncoder().encode(`${number}:${attempt}`);
    const digest = hex(await crypto.subtle.sign("HMAC", key, message));
    const x = BigInt(`0x${digest.slice(0, 16)}`);
    if (x < limit) {
      return { number, sides, attempt, digest, x, face: Number((x % count) + 1n) };
    }
  }
}

/** All that a record has drawn by dice, in order, each with the entry that it belongs to.

    @param {MatchRecord} record
    @returns {Roll[]} */
export function rollsOf(record) {
  const setup = { number: 0, chance: record.setup_chance, sides: record.setup_sides };
  const drawn = [setup, ...record.log].flatMap(({ number, chance, sides }) =>
    chance.flatMap((face, at) => (sides[at] === null ? [] : [{ entry: number, face, sides: sides[at] }])),
  );
  return drawn;
}

/** Whether each nonce of strict dice is the one committed to; null with other dice. */
async function committed({ kind, nonces, nonce_commitments: shown }) {
  if (kind !== "strict") {
    return null;
  }
  const found = await Promise.all(nonces.map(digestOf));
  return JSON.stringify(found) === JSON.stringify(shown);
}

/** Whether strict dice are those that this browser saw before it revealed its nonce; null where it
    took no part. */
function witnessed({ kind, seal, nonces, nonce_commitments: shown }) {
  const own = strictNonces().find((entry) => entry.seen && nonces.includes(entry.nonce));
  if (kind !== "strict" || !own) {
    return null;
  }
  return own.shown === seal && JSON.stringify(own.seen) === JSON.stringify(shown);
}

/** Check a record; `onProgress` is called after every 50 rolls.

    @param {MatchRecord} record
    @param {(done: number, all: number) => void} [onProgress] */
async function check(record, onProgress = () => {}) {
  const { seal, secret } = record.dice;
  const key = await keyOf(record.dice);
  const rolls = rollsOf(record);
  const checked = [];
  for (const roll of rolls) {
    const working = await workOut(key, checked.length, roll.sides);
    checked.push({ ...roll, working, right: working.face === roll.face });
    if (checked.length % STEP === 0) {
      onProgress(checked.length, rolls.length);
    }
  }
  return {
    isCommitted: (await digestOf(secret)) === seal,
    committed: await committed(record.dice),
    witnessed: witnessed(record.dice),
    rolls: checked,
  };
}

// --- What is shown ---

/** Return an element with text and elements in it.

    @param {string} name
    @param {string | Node | (string | Node)[]} [content]
    @param {Record<string, string>} [attributes] */
function make(name, content = [], attributes = {}) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  element.append(...[content].flat());
  return element;
}

const ON_NONCES = new Map([
  [true, gettext("So is every player’s number.")],
  [false, gettext("A player’s number is not the one that was committed to!")],
]);
const ON_WITNESS = new Map([
  [true, gettext("They are what this browser saw before it showed its own number.")],
  [false, gettext("They are not what this browser saw before it showed its own number!")],
]);

const onWrong = (count) =>
  ngettext(
    "%(wrong)s of %(count)s roll did not come from it!",
    "%(wrong)s of %(count)s rolls did not come from it!",
    count,
  );
const onRight = (count) =>
  ngettext(
    "%(count)s roll, worked out by this browser: each is as recorded.",
    "%(count)s rolls, worked out by this browser: each is as recorded.",
    count,
  );

function sentenceOn({ isCommitted, committed: nonces, witnessed: seen, rolls }) {
  const wrong = rolls.filter((roll) => !roll.right).length;
  const secret = isCommitted
    ? gettext("The secret is the one that was committed to.")
    : gettext("The secret is not the one that was committed to!");
  const faces = interpolate(wrong ? onWrong(rolls.length) : onRight(rolls.length), { count: rolls.length, wrong });
  return [secret, ON_NONCES.get(nonces), ON_WITNESS.get(seen), faces].filter(Boolean).join(" ");
}

function row({ entry, face, sides, working, right }, address) {
  const { number, attempt, digest, x } = working;
  const where = address.replace(/\d+\/$/, `${entry}/`);
  const code = make("code", [make("b", digest.slice(0, 16)), digest.slice(16)]);
  const cells = [
    make("th", String(number), { scope: "row", class: "num" }),
    make("td", make("a", entry ? String(entry) : gettext("start"), { href: where })),
    make("td", make("code", `${number}:${attempt}`)),
    make("td", code),
    make("td", `${x} mod ${sides} + 1 = ${working.face}`, { class: "nowrap" }),
    make("td", right ? `${face} ✓` : interpolate(gettext("%(face)s: wrong"), { face }), { class: right ? "nowrap" : "nowrap dice-wrong" }),
  ];
  return make("tr", cells);
}

function table({ rolls }, address) {
  const names = [
    pgettext("dice", "Roll"),
    pgettext("log", "Entry"),
    // Translators: the number of a roll and of its attempt, as in "12:0".
    gettext("Roll:attempt"),
    gettext("HMAC-SHA256, its first 8 bytes strong"),
    gettext("Works out as"),
    gettext("Recorded"),
  ];
  const head = make("thead", make("tr", names.map((name) => make("th", name, { scope: "col" }))));
  const body = make("tbody", rolls.map((roll) => row(roll, address)));
  const list = make("table", [head, body], { class: "list small" });
  return make("div", list, { class: "scroll dice-rolls", tabindex: "0", role: "region", "aria-label": gettext("Every roll") });
}

async function run(box, status) {
  try {
    const record = await (await fetch(box.dataset.diceFile)).json();
    const found = await check(record, (done, all) => {
      status.textContent = interpolate(gettext("Working out: %(done)s of %(all)s …"), { done, all });
    });
    const kept = found.committed !== false && found.witnessed !== false;
    const good = found.isCommitted && kept && found.rolls.every((roll) => roll.right);
    status.className = good ? "dice-good" : "dice-wrong";
    status.textContent = sentenceOn(found);
    box.append(table(found, box.dataset.diceAt));
  } catch {
    status.textContent = gettext("The record could not be fetched or read. Please try again later.");
  }
}

/** Mark the nonces that this browser remembers to have made. */
function recognise(section) {
  const own = new Set(ownNonces());
  for (const nonce of section.querySelectorAll("[data-dice-nonce]")) {
    if (own.has(nonce.textContent)) {
      nonce.closest("dd").append(" ", make("span", gettext("(made by this browser)"), { class: "soft small" }));
    }
  }
}

function ready(box) {
  const status = box.querySelector("[data-dice-said]");
  recognise(box.closest("section"));
  if (!globalThis.crypto?.subtle) {
    status.prepend(gettext("This browser works nothing out on a page that came without encryption."), " ");
    return;
  }
  const button = make("button", gettext("Check every roll in this browser"), { type: "button", class: "btn" });
  button.addEventListener("click", () => {
    button.remove();
    status.textContent = gettext("Working out …");
    run(box, status);
  });
  status.replaceChildren(button);
}

document.querySelectorAll("[data-dice-at]").forEach(ready);
