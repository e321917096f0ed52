/* How a board comes from one drawing to the next. The fresh drawing is whole from the start: an animation
   only holds a part back, and readers who want no motion see none. */

import { required } from "../site/required.js";

/** @typedef {[sides: number, face: number]} Die */

/** How long dice are seen, in milliseconds. */
export const ROLL = 950;

const STEP = 130;
const SHORTEST = 350;
const LONGEST = 1_400;
const MOVE = 650;
const FALL = 400;
const LEAVE = 650;
const TICK = 300;
const HEIGHT = 1.1;
const DIE_FALL = 450;
const NEXT_DIE = 40;
const TUMBLE = 60;
const MOST_DICE = 12;

const still = matchMedia("(prefers-reduced-motion: reduce)");

// --- Moving parts ---

/* What a fresh drawing shows elsewhere than the one before it is carried there along the way that the
   drawing names (svg.moving), or back along it. A way is `place number(s);…`: one number is a turn in
   degrees, two are a point. */

const placeOf = (stop) => stop.split(" ")[0];

/** Whether a way, the longer of two, begins like another. */
function goesOn(longer, other) {
  return other.length > 1 && other.every((stop, at) => longer[at] && placeOf(longer[at]) === placeOf(stop));
}

/** The stops between where a part was shown and where it is; forward, or back if it came from there.
    Empty where neither way leads on from the other.

    @param {string[]} old
    @param {string[]} fresh
    @returns {string[]} */
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

/** Carry every part of a drawing from where the one before it has shown it; return the animations.

    @param {Element} old
    @param {Element} fresh
    @returns {Animation[]} */
export function carry(old, fresh) {
  const parts = still.matches ? [] : [...fresh.querySelectorAll("[data-piece]")];
  return parts.flatMap((part) => {
    const before = old.querySelector(`[data-piece="${CSS.escape(part.dataset.piece ?? "")}"]`);
    const stops = before ? between(wayOf(before), wayOf(part)) : [];
    if (stops.every((stop) => placeOf(stop) === placeOf(stops[0]))) {
      return [];
    }
    const duration = Math.min(Math.max(STEP * (stops.length - 1), SHORTEST), LONGEST);
    const frames = stops.map((stop) => ({ transform: transformOf(stop), easing: "ease-in-out" }));
    return [part.animate(frames, { duration })];
  });
}

// --- Pieces ---

/** Take a ground and the piece on it apart, where one symbol draws both.

    @param {Element} use
    @param {ParentNode} [root] where the symbol is */
export function takeApart(use, root = document) {
  const href = use.getAttribute("href") ?? "";
  const symbol = root.querySelector(`[id="${href.slice(1)}"]`);
  if (symbol?.querySelector(":scope > .piece")) {
    const parts = [...symbol.cloneNode(true).children];
    const place = `translate(${use.getAttribute("x")} ${use.getAttribute("y")})`;
    parts.forEach((part) => part.setAttribute("transform", place));
    parts.at(-1)?.setAttribute("href", href);
    use.replaceWith(...parts);
  }
}

/* Pieces go from mark to mark, new ones fall in, those that are gone fade. The first child of a mark is
   its ground; what else lies in it are pieces and signs, which are told apart by how they are drawn, and
   perhaps a frame (.last-move), which only appears.
   `data-moves="a1>b2"` names the ways of pieces that moved, each by two or more marks, and `data-placed="c3"` the
   marks onto which a piece came from outside (svg.moves). On a stack (.stacked), which may look the same after its
   new drawing, those are its uppermost pieces.

   What came, went and changed follows from the two drawings. Events tell less: a take-back and a gap of many entries
   have none, and a preview has shown some of them already. */

/** What lies on the ground of each mark, by the name of the mark. */
function contents(picture) {
  const marks = [...picture.querySelectorAll("[data-at]")].filter((mark) => !mark.querySelector("[data-piece]"));
  const shownOn = (mark) => [...mark.children].slice(1).filter((element) => !element.matches(".last-move"));
  return new Map(marks.map((mark) => [mark.dataset.at, { mark, shown: shownOn(mark) }]));
}

const isPiece = (element) => element.matches("use, .piece, :has(use)");

/** The elements of a list that are drawn otherwise, or elsewhere, than all of another list. */
function without(elements, others) {
  const known = new Set(others.map((other) => other.outerHTML));
  return elements.filter((element) => !known.has(element.outerHTML));
}

const hrefOf = (element) => element.getAttribute("href")?.replace(/-$/, "");

/** The elements of a list that show what an element of another list shows, elsewhere or bare. */
function also(elements, others) {
  const known = new Set(others.map(hrefOf).filter(Boolean));
  return elements.filter((element) => known.has(hrefOf(element)));
}

/** By mark what is new on it and what is gone. */
function compare(was, now) {
  const [old, fresh] = [contents(was), contents(now)];
  const names = [...new Set([...old.keys(), ...fresh.keys()])];
  return names.map((name) => {
    const [before, after] = [old.get(name)?.shown ?? [], fresh.get(name)?.shown ?? []];
    const [{ mark: from } = {}, { mark: to } = {}] = [old.get(name), fresh.get(name)];
    return { name, from, to, before, after, arrived: without(after, before), gone: without(before, after) };
  });
}

/** The pieces and signs of a mark, each by how it is drawn; not the numbers on them. */
function looksOf(found, name) {
  const shown = found.get(name)?.shown ?? [];
  const all = shown.flatMap((element) => [element, ...element.querySelectorAll("use")]);
  return all.map(hrefOf).filter(Boolean);
}

/** The names of the marks on which there is a piece or sign that was not there, or none any more.

    @param {Element} was
    @param {Element} now
    @returns {string[]} */
export function changed(was, now) {
  const [old, fresh] = [contents(was), contents(now)];
  return [...fresh.keys()].filter((name) => {
    const [before, after] = [looksOf(old, name), looksOf(fresh, name)];
    return after.some((look) => !before.includes(look)) || (before.length > 0 && after.length === 0);
  });
}

/** The ground of a mark as a box in units of its drawing. */
const groundOf = (mark) => (mark.firstElementChild ?? mark).getBBox();

const middleOf = ({ x, y, width, height }) => [x + width / 2, y + height / 2];

const movesOf = (picture) =>
  [...picture.querySelectorAll("[data-moves]")].flatMap((group) => group.dataset.moves.split(" ").map((pair) => pair.split(">")));

const placedOn = (picture) =>
  new Set([...picture.querySelectorAll("[data-placed]")].flatMap((group) => group.dataset.placed.split(" ")));

const isStacked = (element) => element.matches(".stacked");

/** The pieces of a stack, the lowest first; none where a piece stands alone. */
const stackOf = (shown) => shown.filter(isStacked);
const aside = (shown) => shown.filter((element) => !isStacked(element));

const heightOf = (shown) => stackOf(shown).length || Number(shown.some(isPiece));

/** Let what has moved to the last of some marks come by way of the others, above their grounds. */
function move(elements, marks) {
  const reached = marks.at(-1);
  reached.parentNode.append(reached);
  const stops = marks.map((mark) => middleOf(groundOf(mark)));
  const [x, y] = stops.at(-1);
  const frames = stops.map(([x0, y0]) => ({ translate: `${x0 - x}px ${y0 - y}px` }));
  return elements.map((element) => element.animate(frames, { duration: MOVE, easing: "ease-in-out" }));
}

/** Let what is new on a mark fall onto it. */
function fall(elements, mark) {
  return elements.map((element) => {
    const frames = [
      { translate: `0 ${-HEIGHT * groundOf(mark).height}px`, opacity: 0 },
      { translate: "0 0", opacity: 1 },
    ];
    return element.animate(frames, { duration: FALL, easing: "ease-in" });
  });
}

/** Let a copy of a piece fall onto the mark to which it came before something else happened by the same
    move; return the animations. A group without a look of its own is a mere wrapper.

    @param {SVGElement} piece
    @param {Element} picture
    @returns {Animation[]} */
export function arrive(piece, picture) {
  const mark = required(`[data-at="${piece.dataset.passing}"]`, picture);
  const copy = piece.cloneNode(true);
  copy.removeAttribute("display");
  const shown = copy.matches(".piece") ? [copy] : [...copy.children];
  mark.append(...shown);
  return fall(shown, mark);
}

/** Let a number, or the like, take the place of another. */
function tick(elements) {
  const frames = [{ opacity: 0 }, { opacity: 1 }];
  return elements.map((element) => element.animate(frames, { duration: TICK }));
}

/** Let what shows the last move, such as the frame of its cell, appear once all pieces have arrived. */
function appear(elements, arriving) {
  const frames = [{ opacity: 0 }, { opacity: 1 }];
  const delay = Math.max(0, ...arriving.map(({ effect }) => Number(effect.getTiming().duration)));
  return (delay ? elements : []).map((element) => element.animate(frames, { duration: TICK, delay, fill: "backwards" }));
}

/** Let copies of what is gone from a mark fade above it. They go afterwards, or the next step would find
    and remove them once more. */
function leave(elements, mark, parent, delay) {
  return elements.map((element) => {
    const copy = element.cloneNode(true);
    parent.append(copy);
    const frames = [
      { translate: "0 0", opacity: 1 },
      { translate: `0 ${(-HEIGHT * groundOf(mark).height) / 2}px`, opacity: 0 },
    ];
    const animation = copy.animate(frames, { duration: LEAVE, delay, easing: "ease-in", fill: "both" });
    const remove = () => copy.remove();
    animation.finished.then(remove, remove);
    return animation;
  });
}

/** What a mark shows of a change: pieces fall and leave with all their signs, all else takes the place of
    what was there. */
function planOf(change, isPlaced) {
  const { arrived, gone } = change;
  if (isPlaced && stackOf(change.after).length) {
    return { falling: stackOf(change.after).slice(-1), ticking: aside(arrived), leaving: [] };
  }
  const fresh = without(arrived, also(arrived, gone));
  const lost = without(gone, also(gone, arrived));
  const falling = fresh.some(isPiece) ? fresh : [];
  return { falling, ticking: aside(without(arrived, falling)), leaving: lost.some(isPiece) ? lost : [] };
}

/** By mark what is gone, and what is new on it and wasn't there in the preview. */
function compareUnforeseen(was, now, foreseen) {
  const shown = foreseen ? contents(foreseen) : new Map();
  return compare(was, now).map((change) => ({
    ...change,
    arrived: without(change.arrived, shown.get(change.name)?.shown ?? []),
  }));
}

/** Take what has come from one mark to another out of a change: all that is new there, or as many pieces of its stack
    as have left. What a preview has shown is not new. */
function takeMoved(left, reached, isForeseen) {
  const count = heightOf(left.before) - heightOf(left.after);
  const stack = isForeseen ? [] : stackOf(reached.after);
  const moved = stack.length ? stack.slice(-Math.max(count, 1)) : reached.arrived;
  left.gone = [];
  if (stack.length) {
    [reached.gone, reached.arrived] = [[], aside(reached.arrived)];
  } else {
    reached.arrived = [];
  }
  return moved;
}

/** Animate what differs between two drawings, both of which are on the page; the former one can then go.
    What a preview has shown doesn't come again. Return the animations.

    @param {SVGElement} was
    @param {SVGElement} now
    @param {SVGElement | null} [foreseen]
    @returns {Animation[]} */
export function animate(was, now, foreseen = null) {
  const found = compareUnforeseen(was, now, foreseen);
  const byName = new Map(found.map((change) => [change.name, change]));
  const arriving = [];
  for (const way of movesOf(now)) {
    const stops = way.map((name) => byName.get(name));
    const [left, reached] = [stops[0], stops.at(-1)];
    if (left && reached?.to) {
      const marks = stops.map((stop) => stop?.to ?? stop?.from).filter(Boolean);
      arriving.push(...move(takeMoved(left, reached, foreseen !== null), marks));
    }
  }
  const hasMoved = arriving.length > 0;
  arriving.push(...carry(foreseen ?? was, now));
  const others = [];
  const placed = foreseen ? new Set() : placedOn(now);
  const plans = found.map((change) => ({ ...change, ...planOf(change, placed.has(change.name)) }));
  const isFilled = hasMoved || plans.some(({ falling }) => falling.length);
  for (const { from, to, ticking, falling, leaving } of plans) {
    others.push(...tick(ticking));
    arriving.push(...fall(falling, to));
    others.push(...leave(leaving, from, to ?? now, isFilled ? FALL : 0));
  }
  return [...others, ...arriving, ...appear([...now.querySelectorAll(".last-move")], arriving)];
}

// --- Dice ---

/* Dice that fall as a move rolls them: each by its shape, tumbling over other faces to its own. It takes
   less than a second and blocks nothing, because the log says in words what was rolled. */

function dieOf([sides, face], at, speed) {
  const die = document.createElement("span");
  die.className = "roll";
  die.dataset.sides = sides;
  const tumbling = setInterval(() => {
    die.textContent = String(1 + Math.floor(Math.random() * sides));
  }, TUMBLE / speed);
  setTimeout(() => {
    clearInterval(tumbling);
    die.textContent = face;
  }, DIE_FALL / speed);
  const turn = at % 2 ? 300 : -300;
  const frames = [
    { transform: `translateY(-5rem) rotate(${turn}deg)`, opacity: 0 },
    { transform: "translateY(0.4rem) rotate(0)", opacity: 1, offset: 0.8 },
    { transform: "none", opacity: 1 },
  ];
  const [duration, delay] = [DIE_FALL / speed, Math.min(NEXT_DIE * at, DIE_FALL / 3) / speed];
  die.animate(frames, { duration, delay, fill: "backwards", easing: "ease-in" });
  return die;
}

/** Show dice, as pairs of sides and face, fall on the board, `speed` times as fast as usual; return whether
    they are seen: a title may hide them.

    @param {Die[]} rolled
    @param {HTMLElement} board
    @param {number} [speed]
    @returns {boolean} */
export function roll(rolled, board, speed = 1) {
  const dice = rolled.slice(0, MOST_DICE);
  if (still.matches || !dice.length) {
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
  const end = box.animate(fading, { duration: ROLL / speed });
  end.finished.then(() => box.remove(), () => box.remove());
  return true;
}
