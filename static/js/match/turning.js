/* The board of a record, turned by half or seen in a mirror: the style sheet turns the picture, and what
   is written on it stays upright. What a drawing has below its board stays as it is. */

const root = document.getElementById("match");
const WAYS = { "board-turned": "Turn", "board-mirrored": "Mirror" };

/** Let what stands below a board be kept upright: in a group of its own, without a place of its own. */
export function keepUpright(board) {
  for (const part of board.querySelectorAll(".board-scroll [data-fold]:not(:has(> .upright))")) {
    const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
    group.setAttribute("class", "upright");
    group.append(...part.childNodes);
    part.append(group);
  }
}

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
