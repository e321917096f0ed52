/* The fields of move entry. What may follow a typed move is listed below the field and highlighted on the
   board. A slider stands beside every field for a number. A form that has buttons alone goes on as soon as all
   is chosen, and shows its own button to those only who walk it by keyboard. */

import { required } from "../site/required.js";
import { root } from "./state.js";

const MOST = 40;
const PAUSE = 150;

/** What is compared of a text: neither spaces nor case count.

    @param {string} text
    @returns {string} */
export const fold = (text) => text.replace(/\s+/g, "").toLowerCase();

let timer = 0;
let asked = 0;

const field = () => document.querySelector("input#typed");
const list = () => document.getElementById("completions");
const options = () => [...required("#completions").querySelectorAll("li")];

function highlight(marks) {
  for (const mark of document.querySelectorAll("#match-board .mark")) {
    mark.classList.toggle("mark-near", marks.has(mark.dataset.mark));
  }
}

/** Close the list and end the highlights. */
export function close() {
  clearTimeout(timer);
  asked += 1;
  const [shown, input] = [list(), field()];
  if (shown && input) {
    shown.hidden = true;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }
  highlight(new Set());
}

function show(found) {
  const shown = required("#completions");
  shown.replaceChildren(
    ...found.slice(0, MOST).map(({ text, label }, index) => {
      const item = document.createElement("li");
      item.id = `completion-${index}`;
      item.role = "option";
      item.ariaSelected = "false";
      item.dataset.text = text;
      item.textContent = label;
      return item;
    }),
  );
  shown.hidden = !found.length;
  required("input#typed").setAttribute("aria-expanded", String(found.length > 0));
  highlight(new Set(found.flatMap(({ marks }) => marks)));
}

/** The choices of the list on the page that begin with what is typed. */
function listed(typed) {
  const choices = document.querySelector("select#choices");
  const stem = choices?.dataset.stem ?? "";
  return [...(choices?.options ?? [])]
    .filter((option) => option.value && fold(stem + option.value).startsWith(fold(typed)))
    .map((option) => ({
      text: stem + option.value,
      label: option.label,
      marks: option.dataset.marks?.split(" ") ?? [option.label],
    }));
}

/** What the server says may follow. */
async function remote(typed) {
  const address = root.dataset.options;
  const response = await fetch(`${address}?${new URLSearchParams({ typed })}`);
  if (!response.ok) {
    return [];
  }
  const { next } = await response.json();
  return next
    .filter(({ text }) => text !== undefined)
    .map(({ text, label, marks }) => ({ text: typed + text, label, marks }));
}

async function complete(typed) {
  const turn = (asked += 1);
  let found = typed ? listed(typed) : [];
  // a choice typed whole may be the beginning of a longer move
  if (typed && found.every(({ text }) => fold(text) === fold(typed))) {
    found = [...found, ...(await remote(typed).catch(() => []))];
  }
  if (turn === asked && field()?.value === typed) {
    show(found);
  }
}

/** Offer what may follow, a moment after the last key. */
export function offer() {
  clearTimeout(timer);
  timer = setTimeout(() => complete(field()?.value ?? ""), PAUSE);
}

function select(option) {
  for (const other of options()) {
    other.ariaSelected = String(other === option);
  }
  required("input#typed").setAttribute("aria-activedescendant", option.id);
  option.scrollIntoView({ block: "nearest" });
}

function pick(option) {
  const input = required("input#typed");
  input.value = option.dataset.text ?? "";
  close();
  input.form?.requestSubmit();
}

/** Move in the list, or take what is chosen there; return whether the key was for that.

    @param {string} key
    @returns {boolean} */
export function press(key) {
  if (list()?.hidden ?? true) {
    return false;
  }
  const all = options();
  const at = all.findIndex((option) => option.ariaSelected === "true");
  if (key === "ArrowDown" || key === "ArrowUp") {
    const step = key === "ArrowDown" ? 1 : -1;
    select(all[(at + step + all.length + (at < 0 && step < 0 ? 1 : 0)) % all.length]);
  } else if (key === "Enter" && at >= 0) {
    pick(all[at]);
  } else if (key === "Escape") {
    close();
  } else {
    return false;
  }
  return true;
}

/** Mark the field of a fresh page as one with a list, for screen readers, and give numbers their sliders. */
export function ready() {
  const input = field();
  if (input) {
    input.role = "combobox";
    input.setAttribute("aria-autocomplete", "list");
    input.setAttribute("aria-controls", "completions");
    input.setAttribute("aria-expanded", "false");
  }
  addSliders();
}

document.addEventListener("pointerdown", (event) => {
  const option = event.target.closest("#completions > li");
  if (option) {
    event.preventDefault();
    pick(option);
  }
});

/** Offer to show the notation of moves; the device keeps the choice. */
function offerNotation(box) {
  const tick = box.querySelector("input");
  const apply = () => document.documentElement.classList.toggle("with-notation", tick.checked);
  tick.checked = localStorage.getItem("match-notation") !== null;
  tick.addEventListener("change", () => {
    localStorage[tick.checked ? "setItem" : "removeItem"]("match-notation", "");
    apply();
  });
  box.hidden = false;
  apply();
}

const notation = document.getElementById("notation");
if (notation) {
  offerNotation(notation);
}

// --- Numbers and choices ---

/** Whether a form has buttons alone, and all is chosen.

    @param {HTMLFormElement} form
    @returns {boolean} */
export function isChosen(form) {
  return !form.querySelector("[type=number]") && form.checkValidity();
}

/** Give the fields of a fresh page their sliders. */
function addSliders() {
  for (const form of document.querySelectorAll("[data-entry=row]:not(:has([type=number]))")) {
    required("button", form).classList.add("visually-hidden");
  }
  for (const number of document.querySelectorAll("[data-entry=row] input[type=number]")) {
    const slider = document.createElement("input");
    slider.type = "range";
    slider.ariaLabel = number.labels?.[0]?.textContent ?? null;
    for (const name of ["min", "max", "step"]) {
      slider[name] = number[name];
    }
    slider.value = number.value || String((Number(number.min) + Number(number.max)) / 2);
    number.value ||= slider.value;
    slider.addEventListener("input", () => {
      number.value = slider.value;
    });
    number.addEventListener("input", () => {
      slider.value = number.value;
    });
    number.closest(".action-field")?.before(slider);
  }
}

/** Where to fill in first: a choice, else a number. On touch screens it is the slider, so that no
    keyboard covers the board.

    @returns {HTMLInputElement | null | undefined} */
export function firstField() {
  const kind = matchMedia("(pointer: coarse)").matches ? "range" : "number";
  const form = document.querySelector("#match-entry [data-entry=row]");
  return form?.querySelector("input[type=radio]") ?? form?.querySelector(`input[type=${kind}]`);
}
