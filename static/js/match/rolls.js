/* Dice that fall as a move rolls them: each by its shape, tumbling over other faces to its own. The log
   has them by entry, `data-dice="4:3 6:5"` (sides and face). It takes less than a second, stands in
   nobody's way, and readers who want no motion see none: what was rolled is told in words anyway. */

const FALL = 450;
const LATER = 40;
const TUMBLE = 60;
const WHOLE = 950;
const MOST = 12;

const stays = matchMedia("(prefers-reduced-motion: reduce)");

/** The dice of the newest entry after one that rolled any. */
function rolledSince(number) {
  const rows = [...document.querySelectorAll("#match-log li[data-dice]")];
  const newest = rows.filter((row) => row.value > number).toSorted((one, other) => other.value - one.value)[0];
  return newest?.dataset.dice.split(" ").map((die) => die.split(":").map(Number)) ?? [];
}

function dieOf([sides, face], at) {
  const die = document.createElement("span");
  die.className = "roll";
  die.dataset.sides = sides;
  const tumbling = setInterval(() => {
    die.textContent = 1 + Math.floor(Math.random() * sides);
  }, TUMBLE);
  setTimeout(() => {
    clearInterval(tumbling);
    die.textContent = face;
  }, FALL);
  const turn = at % 2 ? 300 : -300;
  const frames = [
    { transform: `translateY(-5rem) rotate(${turn}deg)`, opacity: 0 },
    { transform: "translateY(0.4rem) rotate(0)", opacity: 1, offset: 0.8 },
    { transform: "none", opacity: 1 },
  ];
  die.animate(frames, { duration: FALL, delay: Math.min(LATER * at, FALL / 3), fill: "backwards", easing: "ease-in" });
  return die;
}

/** Show what has been rolled since an entry fall on the board. */
export function roll(number, board) {
  const dice = rolledSince(number).slice(0, MOST);
  if (stays.matches || !dice.length) {
    return;
  }
  const box = document.createElement("div");
  box.className = "rolls";
  box.ariaHidden = "true";
  box.append(...dice.map(dieOf));
  board.append(box);
  const end = box.animate([{ opacity: 1 }, { opacity: 1, offset: 0.85 }, { opacity: 0 }], { duration: WHOLE });
  end.finished.then(() => box.remove(), () => box.remove());
}
