/* What can be done with a board of towers, in a row of buttons beside it. */

import { wantsAlone } from "./camera.js";

const SHOWN = "precary-ice-balance";

function rowOf(board) {
  let row = board.querySelector(".tower-tools");
  if (!row) {
    row = document.createElement("div");
    row.className = "tower-tools";
    board.querySelector(".board-panel").append(row);
    row.append(balance());
  }
  return row;
}

function button(name, label, act) {
  const made = document.createElement("button");
  Object.assign(made, { type: "button", className: "btn btn-small", textContent: label });
  made.dataset.tool = name;
  made.addEventListener("click", act);
  return made;
}

/** A box to tick: whether centres of mass are marked. The browser keeps the answer. */
function balance() {
  const box = Object.assign(document.createElement("input"), { type: "checkbox" });
  const label = document.createElement("label");
  box.checked = localStorage.getItem(SHOWN) !== "no";
  const show = () => document.getElementById("match").classList.toggle("without-balance", !box.checked);
  box.addEventListener("change", () => {
    localStorage.setItem(SHOWN, box.checked ? "yes" : "no");
    show();
  });
  show();
  label.append(box, " Centre of mass");
  return label;
}

/** A button that shows one's own tower alone, or all of them; `zoom(isAlone)` does it. */
function viewButton(zoom) {
  const label = () => (wantsAlone() ? "All towers" : "My tower");
  const made = button("zoom", label(), () => {
    zoom(!wantsAlone());
    made.textContent = label();
  });
  return made;
}

/** Offer more beside a board: to watch the last placement again, to see one's tower alone. */
export function addTools(board, { again, zoom, round }) {
  const row = rowOf(board);
  if (again) {
    row.prepend(button("again", "Watch again", again));
  }
  if (round) {
    row.prepend(button("round", "Watch this round", round));
  }
  if (zoom) {
    row.prepend(viewButton(zoom));
  }
}
