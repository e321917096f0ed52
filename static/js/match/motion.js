/* Moving parts of a drawing: what a fresh drawing shows elsewhere than the one before it is carried
   there along the way that the drawing names (svg.moving), or back along it. The fresh drawing is
   whole from the start: the animation only holds a part back, and readers who want no motion see
   none. A way is `place number(s);…`: one number is a turn in degrees, two are a point. */

const STEP = 130;
const SHORTEST = 350;
const LONGEST = 1_400;

const stays = matchMedia("(prefers-reduced-motion: reduce)");

const placeOf = (stop) => stop.split(" ")[0];

/** Whether a way, the longer of two, begins like another. */
function goesOn(longer, other) {
  return other.length > 1 && other.every((stop, at) => longer[at] && placeOf(longer[at]) === placeOf(stop));
}

/** The stops between where a part was shown and where it is; forward, or back if it came from there.
    Empty where neither way leads on from the other. */
export function between(old, fresh) {
  if (goesOn(fresh, old)) {
    return fresh.slice(old.length - 1);
  }
  if (goesOn(old, fresh)) {
    return old.slice(fresh.length - 1).toReversed();
  }
  if (placeOf(fresh[0]) === placeOf(old.at(-1))) {
    return fresh;
  }
  return placeOf(old[0]) === placeOf(fresh.at(-1)) ? old.toReversed() : [];
}

function transformOf(stop) {
  const [, x, y] = stop.split(" ");
  return y === undefined ? `rotate(${x}deg)` : `translate(${x}px, ${y}px)`;
}

const wayOf = (part) => part.dataset.way.split(";");

/** Carry every part of a drawing from where the one before it has shown it; return the animations. */
export function carry(old, fresh) {
  const parts = stays.matches ? [] : [...fresh.querySelectorAll("[data-part]")];
  return parts.flatMap((part) => {
    const before = old.querySelector(`[data-part="${CSS.escape(part.dataset.part)}"]`);
    const stops = before ? between(wayOf(before), wayOf(part)) : [];
    if (stops.every((stop) => placeOf(stop) === placeOf(stops[0]))) {
      return [];
    }
    const duration = Math.min(Math.max(STEP * (stops.length - 1), SHORTEST), LONGEST);
    const frames = stops.map((stop) => ({ transform: transformOf(stop), easing: "ease-in-out" }));
    return [part.animate(frames, { duration })];
  });
}
