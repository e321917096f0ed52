/* The board of a record, turned by half or seen in a mirror: the style sheet turns the picture, and what
   is written on it stays upright. */

const root = document.getElementById("match");
const WAYS = { "board-turned": "Turn", "board-mirrored": "Mirror" };

/** A row of buttons; `onChange` is called once the board is seen otherwise. */
export function turningButtons(onChange) {
  const row = Object.assign(document.createElement("div"), { className: "stepper-turns" });
  for (const [name, label] of Object.entries(WAYS)) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "btn btn-small" });
    Object.assign(button, { textContent: label, ariaPressed: "false" });
    button.addEventListener("click", () => {
      button.ariaPressed = String(root.classList.toggle(name));
      onChange();
    });
    row.append(button);
  }
  return row;
}
