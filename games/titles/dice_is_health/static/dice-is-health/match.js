/* A match of Dice Is Health with script: the fights of a move that has just been made are staged. */

const LONGEST = 6_000;
const DIE = 170;
const READ = 1_300;

/** Say on the page whether fights are shown, and whether the last throw has come to rest. */
function say({ isWatching, isThrown }) {
  const { classList } = document.getElementById("match") ?? document.body;
  classList.toggle("watching", isWatching);
  classList.toggle("thrown", isThrown);
}

// --- Fights ---

/* The fights of a move are staged in the centre of the board: throw after throw the dice fall and the sums
   count up. Ties are thrown again. Then there is time to read the outcome. The drawing has every throw,
   and shows the last. */

/** Wait, unless the steps end before: the clock is an animation of the stage. */
const wait = (stage, duration) => stage.animate({}, { duration }).finished.catch(() => {});

const pipsOf = (die) => Number(die.getAttribute("href").at(-1));

/** Let the dice of a side fall one by one, and count their sum up. */
async function countUp(row, stage, pace) {
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

async function showThrow(shown, stage, pace) {
  const said = [...shown.children].filter((part) => part.localName === "text");
  said.forEach((text) => text.setAttribute("visibility", "hidden"));
  for (const row of shown.querySelectorAll(".dice-row")) {
    await countUp(row, stage, pace);
  }
  said.forEach((text) => text.removeAttribute("visibility"));
}

/** How long a throw takes at its own pace. */
const lengthOf = (shown) => READ + DIE * shown.querySelectorAll(".dice-row use").length;

/* A piece walks to where it fights and rests there; what follows from the fight is shown after it. A throw
   has the number of steps that followed it, `data-after`. */

/** Run the animations of a drawing until `after` steps before their end, and pause them there; with 0 to their end. */
async function walkUntil(after, stage, drawing) {
  const walks = [...drawing.querySelectorAll("[data-piece]")].flatMap((part) => part.getAnimations());
  const timed = walks.map((walk) => {
    const whole = Number(walk.effect.getTiming().duration);
    const time = whole * Math.max(0, 1 - after / (walk.effect.getKeyframes().length - 1));
    return { walk, time, left: Math.max(0, time - Number(walk.currentTime)) / walk.playbackRate };
  });
  walks.forEach((walk) => walk.play());
  if (after === 0) {
    await Promise.all(walks.map(({ finished }) => finished.catch(() => {})));
    return;
  }
  await wait(stage, Math.max(0, ...timed.map(({ left }) => left)));
  for (const { walk, time } of stage.isConnected ? timed : []) {
    walk.pause();
    walk.currentTime = time;
  }
}

/** Show pieces with the dice and trinkets that they had before a step; return a function that undoes it. */
function armAsBefore(was, now) {
  const parts = [...now.querySelectorAll(".standing [data-piece]")];
  const looks = parts.map((part) => [part, part.innerHTML, was.querySelector(`[data-piece="${part.dataset.piece}"]`)]);
  looks.forEach(([part, , before]) => before && (part.innerHTML = before.innerHTML));
  return () => looks.forEach(([part, look]) => (part.innerHTML = look));
}

/** Stage the fights of a drawing, in six seconds at most at the speed that its reader chose; the clock runs
    on the stage, and ends with it. */
async function playFights(stage, drawing, speed) {
  const throws = [...drawing.querySelectorAll(".throw")];
  const whole = throws.map(lengthOf).reduce((sum, time) => sum + time, 0);
  const pace = Math.min(1, LONGEST / whole) / speed;
  const last = throws.at(-1).getAttribute("display") ?? "inline";
  throws.forEach((one) => one.setAttribute("display", "none"));
  for (const shown of throws) {
    if (stage.isConnected) {
      await walkUntil(Number(shown.dataset.after), stage, drawing);
    }
    throws.forEach((one) => one.setAttribute("display", one === shown ? "inline" : "none"));
    if (stage.isConnected) {
      await showThrow(shown, stage, pace);
      say({ isWatching: true, isThrown: shown === throws.at(-1) });
      await wait(stage, READ * pace);
    }
  }
  throws.at(-1).setAttribute("display", last);
}

/** Show the fights of a step where they took place, and then what followed from them; what the page says
    of their outcome, and what it asks next, waits. */
async function watch({ stage, was, now, pace }) {
  say({ isWatching: true, isThrown: false });
  const arm = armAsBefore(was.drawing, now.drawing);
  await playFights(stage, now.drawing, pace);
  arm();
  if (stage.isConnected) {
    await walkUntil(0, stage, now.drawing);
  }
  say({ isWatching: false, isThrown: false });
}

function onStep({ detail }) {
  if (detail.now.drawing.querySelector(".throw")) {
    detail.until(watch(detail));
  }
}

document.addEventListener("match:shown", () => say({ isWatching: false, isThrown: false }));
document.addEventListener("match:step", onStep);
