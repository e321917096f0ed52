/* The fights of a move, staged in the centre of the board: throw after throw the dice fall and the sums
   count up. Ties are thrown again. Then there is time to read the outcome. The drawing has every throw,
   and shows the last. */

const LONGEST = 6_000;
const DIE = 170;
const READ = 1_300;

/** Wait, unless the steps end before: the clock is an animation of the stage. */
const wait = (stage, duration) => stage.animate({}, { duration }).finished.catch(() => {});

const pipsOf = (die) => Number(die.getAttribute("href").at(-1));

/** Let the dice of a side fall one by one, and count their sum up. */
async function count(row, stage, pace) {
  const [dice, sum] = [[...row.querySelectorAll("use")], row.querySelector("text")];
  const whole = sum.textContent;
  const hide = (parts) => parts.forEach((part) => part.setAttribute("visibility", "hidden"));
  hide(dice);
  sum.textContent = "";
  let total = 0;
  for (const die of dice) {
    await wait(stage, DIE * pace);
    die.removeAttribute("visibility");
    total += pipsOf(die);
    sum.textContent = total;
  }
  sum.textContent = whole;
}

async function show(shown, stage, pace) {
  const said = [...shown.children].filter((part) => part.localName === "text");
  said.forEach((text) => text.setAttribute("visibility", "hidden"));
  for (const row of shown.querySelectorAll(".dice-row")) {
    await count(row, stage, pace);
  }
  said.forEach((text) => text.removeAttribute("visibility"));
  await wait(stage, READ * pace);
}

/** How long a throw takes at its own pace. */
const lengthOf = (shown) => READ + DIE * shown.querySelectorAll(".dice-row use").length;

/** Stage the fights of a drawing, in six seconds at most at the speed that its reader chose; the clock runs
    on the stage, and ends with it. */
export async function play(stage, drawing, speed) {
  const throws = [...drawing.querySelectorAll(".throw")];
  const whole = throws.map(lengthOf).reduce((sum, time) => sum + time, 0);
  const pace = Math.min(1, LONGEST / whole) / speed;
  const last = throws.at(-1).getAttribute("display") ?? "inline";
  for (const shown of throws) {
    throws.forEach((one) => one.setAttribute("display", one === shown ? "inline" : "none"));
    if (stage.isConnected) {
      await show(shown, stage, pace);
    }
  }
  throws.at(-1).setAttribute("display", last);
}
