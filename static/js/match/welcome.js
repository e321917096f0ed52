/* A player's first match of a game: the rules are open, which begin with the goal and three pictures, until the
   player has got it. The device remembers that. */

import * as drawers from "./drawers.js";

const rules = document.getElementById("match-rules");

/** Open the rules for somebody new to the game. */
export function welcome() {
  const key = `met-${rules?.dataset.game}`;
  if (!rules || !("seat" in document.getElementById("match").dataset) || localStorage.getItem(key) !== null) {
    return;
  }
  const button = document.createElement("button");
  button.type = "button";
  button.className = "btn btn-main rules-met";
  button.textContent = "Got it";
  rules.append(button);
  button.addEventListener("click", () => {
    localStorage.setItem(key, "");
    button.remove();
    drawers.open("log", { focus: false });
    drawers.close();
  });
  drawers.open("rules", { focus: false });
}
