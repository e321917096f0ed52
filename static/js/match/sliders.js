/* The forms of move entry: a slider beside every field for a number; one that has buttons alone goes on
   as soon as all is chosen, and shows its own button to those only who walk it by keyboard. */

/** Whether a form has buttons alone, and all is chosen. */
export function isChosen(form) {
  return !form.querySelector("[type=number]") && form.checkValidity();
}

/** Give the fields of a fresh page their sliders. */
export function ready() {
  for (const form of document.querySelectorAll("[data-entry=row]:not(:has([type=number]))")) {
    form.querySelector("button").classList.add("visually-hidden");
  }
  for (const number of document.querySelectorAll("[data-entry=row] input[type=number]")) {
    const slider = document.createElement("input");
    slider.type = "range";
    slider.ariaLabel = number.labels[0].textContent;
    for (const name of ["min", "max", "step"]) {
      slider[name] = number[name];
    }
    slider.value = number.value || (Number(number.min) + Number(number.max)) / 2;
    number.value ||= slider.value;
    slider.addEventListener("input", () => {
      number.value = slider.value;
    });
    number.addEventListener("input", () => {
      slider.value = number.value;
    });
    number.closest(".ask-field").before(slider);
  }
}

/** Where to fill in first: a choice, else a number. On touch screens it is the slider, so that no
    keyboard covers the board. */
export function first() {
  const kind = matchMedia("(pointer: coarse)").matches ? "range" : "number";
  const form = document.querySelector("#match-entry [data-entry=row]");
  return form?.querySelector("[type=radio]") ?? form?.querySelector(`[type=${kind}]`);
}
