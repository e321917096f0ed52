/* What can be done with a board of towers, in a row of buttons below it. */

const SHOWN = "precary-ice-balance";

function rowOf(board) {
  let row = board.querySelector(".tower-tools");
  if (!row) {
    row = document.createElement("div");
    row.className = "tower-tools";
    board.querySelector(".board-scroll").after(row);
    row.append(balance());
  }
  return row;
}

function button(name, words, act) {
  const made = document.createElement("button");
  Object.assign(made, { type: "button", className: "btn btn-small", textContent: words });
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

/** Offer more below a board: to watch the last placement again, to look at one's tower alone. */
export function addTools(board, { again, look, round }) {
  const row = rowOf(board);
  if (again) {
    row.prepend(button("again", "Watch again", again));
  }
  if (round) {
    row.prepend(button("round", "Watch this round", round));
  }
  if (look && !row.querySelector("[data-tool=look]")) {
    const words = () => (look.isAlone ? "All towers" : "My tower");
    const made = button("look", words(), () => {
      look.isAlone = !look.isAlone;
      made.textContent = words();
      look.set(look.isAlone);
    });
    row.prepend(made);
  }
}
