/* Dice that fall as a move rolls them: each by its shape, tumbling over other faces to its own. The log
   has them by entry, `data-dice="4:3 6:5"` (sides and face). It takes less than a second, stands in
   nobody's way, and readers who want no motion see none: what was rolled is told in words anyway. */

const FALL = 450;
const LATER = 40;
const TUMBLE = 60;
const WHOLE = 950;
const MOST = 12;

const stays = matchMedia("(prefers-reduced-motion: reduce)");

const rowsWithDice = () => [...document.querySelectorAll("#match-log li[data-dice]")];
const diceOf = (row) => row?.dataset.dice.split(" ").map((die) => die.split(":").map(Number)) ?? [];

/** The dice that an entry has rolled. */
export const rolledBy = (number) => diceOf(rowsWithDice().find((row) => row.value === number));

function dieOf([sides, face], at, speed) {
  const die = document.createElement("span");
  die.className = "roll";
  die.dataset.sides = sides;
  const tumbling = setInterval(() => {
    die.textContent = 1 + Math.floor(Math.random() * sides);
  }, TUMBLE / speed);
  setTimeout(() => {
    clearInterval(tumbling);
    die.textContent = face;
  }, FALL / speed);
  const turn = at % 2 ? 300 : -300;
  const frames = [
    { transform: `translateY(-5rem) rotate(${turn}deg)`, opacity: 0 },
    { transform: "translateY(0.4rem) rotate(0)", opacity: 1, offset: 0.8 },
    { transform: "none", opacity: 1 },
  ];
  const [duration, delay] = [FALL / speed, Math.min(LATER * at, FALL / 3) / speed];
  die.animate(frames, { duration, delay, fill: "backwards", easing: "ease-in" });
  return die;
}

/** Show dice, as pairs of sides and face, fall on the board, `speed` times as fast as usual; return whether
    they are seen: a title may hide them. */
export function roll(rolled, board, speed = 1) {
  const dice = rolled.slice(0, MOST);
  if (stays.matches || !dice.length) {
    return false;
  }
  const box = document.createElement("div");
  box.className = "rolls";
  box.ariaHidden = "true";
  box.append(...dice.map((die, at) => dieOf(die, at, speed)));
  board.append(box);
  const fading = [{ opacity: 1 }, { opacity: 1, offset: 0.85 }, { opacity: 0 }];
  if (!box.getClientRects().length) {
    box.remove();
    return false;
  }
  const end = box.animate(fading, { duration: WHOLE / speed });
  end.finished.then(() => box.remove(), () => box.remove());
  return true;
}
