/* A player's contribution to the dice: random bytes, drawn by this browser as the form is sent, and
   kept, so that the record can show later that they were used.

   <form data-commitment="hex of the server's commitment" data-strict>
     <input type="hidden" name="nonce" data-nonce="32">
     <input type="hidden" name="nonce_commitment" data-nonce-commitment>

   With strict dice (data-strict, or a checked box "strict_dice") the form is sent with the SHA-256
   of the bytes in their place; site/reveal.js sends the bytes when all seats are taken. */

import { required } from "../site/required.js";
import { fromHex, hex, sha256 } from "./bytes.js";

const KEPT = "nonces";
const KEPT_STRICT = "strict-dice";
const MOST = 500;

function kept(name) {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "[]");
  } catch {
    return [];
  }
}

/** Keep the latest of a list; whether this browser keeps anything. */
function keep(name, list) {
  try {
    localStorage.setItem(name, JSON.stringify(list.slice(-MOST)));
    return true;
  } catch {
    return false;
  }
}

/** The nonces that this browser has made, the latest last.

    @returns {string[]} */
export const ownNonces = () => kept(KEPT);

/** @typedef {object} StrictNonce
    @property {string} nonce
    @property {string} commitment
    @property {string} shown the server's commitment at that time
    @property {number} at when it was made, in milliseconds
    @property {string[]} [seen] all commitments, kept just before the nonce is revealed
    @property {boolean} [revealed] */

/** What this browser committed to with strict dice, the latest last.

    @returns {StrictNonce[]} */
export const strictNonces = () => kept(KEPT_STRICT);

/** Keep the latest of these; whether this browser could.

    @param {StrictNonce[]} entries
    @returns {boolean} */
export const keepStrictNonces = (entries) => keep(KEPT_STRICT, entries);

function draw(input) {
  const nonce = hex(crypto.getRandomValues(new Uint8Array(Number(input.dataset.nonce))));
  keep(KEPT, [...ownNonces(), nonce]);
  return nonce;
}

const isStrict = (form) => "strict" in form.dataset || Boolean(form.elements.strict_dice?.checked);

/** Fill a form in with the commitment to a new nonce; nothing where it could not be kept. */
async function commit(form, input, output) {
  const nonce = draw(input);
  const commitment = hex(await sha256(fromHex(nonce)));
  const entry = { nonce, commitment, shown: form.dataset.commitment, at: Date.now() };
  output.value = keepStrictNonces([...strictNonces(), entry]) ? commitment : "";
}

const working = new WeakSet();
const ready = new WeakSet();

function contributeStrictly(event, form, input, output) {
  input.value = "";
  if (ready.delete(form)) {
    return;
  }
  output.value = "";
  if (!globalThis.crypto?.subtle) {
    // The server says that it cannot be done.
    return;
  }
  event.preventDefault();
  if (working.has(form)) {
    return;
  }
  working.add(form);
  // a form can't be submitted again while its submit event is being handled
  setTimeout(async () => {
    await commit(form, input, output).finally(() => working.delete(form));
    ready.add(form);
    form.requestSubmit(event.submitter);
  });
}

document.addEventListener(
  "submit",
  (event) => {
    const form = event.target;
    const input = form.querySelector("input[data-nonce]");
    if (!input) {
      return;
    }
    const output = required("input[data-nonce-commitment]", form);
    if (isStrict(form)) {
      contributeStrictly(event, form, input, output);
    } else {
      output.value = "";
      input.value = draw(input);
    }
  },
  true,
);
