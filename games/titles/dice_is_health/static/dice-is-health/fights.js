/* The fights of a move, staged in the centre of the board: throw after throw the dice fall and the sums
   count up, ties are thrown again, then what comes of it is read. A tap goes on. The drawing has every
   throw, and shows the last; who wants no motion sees that at once. */

const LONGEST = 6_000;
const DIE = 170;
const READ = 1_300;

const still = matchMedia("(prefers-reduced-motion: reduce)");

let onTap = null;

/** Wait, unless somebody taps. */
function pause(time) {
  return new Promise((done) => {
    onTap = done;
    setTimeout(done, time);
  });
}

const pipsOf = (die) => Number(die.getAttribute("href").at(-1));

/** Let the dice of a side fall one by one, and count their sum up. */
async function count(row, pace) {
  const [dice, sum] = [[...row.querySelectorAll("use")], row.querySelector("text")];
  const whole = sum.textContent;
  const hide = (parts) => parts.forEach((part) => part.setAttribute("visibility", "hidden"));
  hide(dice);
  sum.textContent = "";
  let total = 0;
  for (const die of dice) {
    await pause(DIE * pace);
    die.removeAttribute("visibility");
    total += pipsOf(die);
    sum.textContent = total;
  }
  sum.textContent = whole;
}

async function stage(shown, pace) {
  const said = [...shown.children].filter((part) => part.localName === "text");
  said.forEach((text) => text.setAttribute("visibility", "hidden"));
  for (const row of shown.querySelectorAll(".dice-row")) {
    await count(row, pace);
  }
  said.forEach((text) => text.removeAttribute("visibility"));
  await pause(READ * pace);
}

/** How long a throw takes at its own pace. */
const lengthOf = (shown) => READ + DIE * shown.querySelectorAll(".dice-row use").length;

/** Whether a board has fights to be seen, by a reader who wants motion. */
export function areWanted(board) {
  return !still.matches && board.querySelector(".throw") !== null;
}

/** Stage the fights of a board, in six seconds at most at the speed that its reader chose. */
export async function play(board) {
  const throws = [...board.querySelectorAll(".throw")];
  const whole = throws.map(lengthOf).reduce((sum, time) => sum + time, 0);
  const speed = Number(board.closest("#match")?.dataset.speed ?? 1);
  const pace = Math.min(1, LONGEST / whole) / speed;
  const last = throws.at(-1).getAttribute("display") ?? "inline";
  const show = (shown) => throws.forEach((one) => one.setAttribute("display", one === shown ? "inline" : "none"));
  const listening = new AbortController();
  board.addEventListener("pointerdown", () => onTap?.(), { signal: listening.signal });
  for (const shown of throws) {
    show(shown);
    await stage(shown, pace);
  }
  throws.at(-1).setAttribute("display", last);
  listening.abort();
}
