/* A player's own part in the seal of the dice: random bytes, drawn by this browser as the form is
   sent, and remembered, so that the record can show later that they were used.
   <input type="hidden" data-nonce="32"> */

const KEPT = "nonces";
const MOST = 500;

function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The nonces that this browser has made, the latest last. */
export function ownNonces() {
  try {
    return JSON.parse(localStorage.getItem(KEPT)) ?? [];
  } catch {
    return [];
  }
}

function remember(nonce) {
  try {
    localStorage.setItem(KEPT, JSON.stringify([...ownNonces(), nonce].slice(-MOST)));
  } catch {
    // A browser that keeps nothing only knows its nonces no more.
  }
}

document.addEventListener(
  "submit",
  (event) => {
    for (const input of event.target.querySelectorAll("input[data-nonce]")) {
      input.value = hex(crypto.getRandomValues(new Uint8Array(Number(input.dataset.nonce))));
      remember(input.value);
    }
  },
  true,
);
