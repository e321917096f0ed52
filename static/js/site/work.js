/* Solves the puzzle of a form while somebody fills it in (accounts/proof_of_work.py):

   <input type="hidden" name="puzzle" data-work data-salt data-target data-numbers data-rounds>
   <input type="hidden" name="solution">

   A form that is sent too early waits for the solution. Without Web Crypto there is none, and the
   server asks for some seconds of patience instead. */

import { hex } from "../net/bytes.js";
import { present } from "./required.js";

const BITS = 128;
const encoder = new TextEncoder();

async function solve({ salt, target, numbers, rounds }) {
  const key = await crypto.subtle.importKey("raw", encoder.encode(salt), "PBKDF2", false, ["deriveBits"]);
  for (let number = 0; number < Number(numbers); number += 1) {
    const how = {
      name: "PBKDF2",
      hash: "SHA-256",
      salt: encoder.encode(String(number)),
      iterations: Number(rounds),
    };
    if (hex(await crypto.subtle.deriveBits(how, key, BITS)) === target) {
      return String(number);
    }
  }
  return "";
}

async function workFor(puzzle, form) {
  try {
    form.elements.solution.value = await solve(puzzle.dataset);
  } catch {
    form.elements.solution.value = "";
  }
  form.dataset.worked = "";
}

for (const puzzle of document.querySelectorAll("input[data-work]")) {
  const form = present(puzzle.form, "form of the puzzle");
  const work = workFor(puzzle, form);
  let isWaiting = false;
  form.addEventListener("submit", async (event) => {
    if ("worked" in form.dataset) {
      return;
    }
    event.preventDefault();
    if (!isWaiting) {
      isWaiting = true;
      await work;
      form.requestSubmit();
    }
  });
}
