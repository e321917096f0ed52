/* How a board came from one drawing to the next: pieces go from mark to mark, new ones fall in, those
   that are gone fade. The first child of a mark is its ground; what else lies in it are pieces and
   signs, which are told apart by how they are drawn. `data-moves="a1>b2"` names pieces that moved
   (svg.moves); parts that have a way of their own go along it (motion.js). */

import { carry } from "./motion.js";

const MOVE = 650;
const FALL = 400;
const LEAVE = 650;
const TICK = 300;
const HEIGHT = 1.1;

/** What lies on the ground of each mark, by the name of the mark. */
function contents(picture) {
  const marks = [...picture.querySelectorAll("[data-at]")].filter((mark) => !mark.querySelector("[data-part]"));
  return new Map(marks.map((mark) => [mark.dataset.at, { mark, shown: [...mark.children].slice(1) }]));
}

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
    return { name, from, to, arrived: without(after, before), gone: without(before, after) };
  });
}

/** The pieces and signs of a mark, each by how it is drawn; not the numbers on them. */
function looksOf(found, name) {
  const shown = found.get(name)?.shown ?? [];
  const all = shown.flatMap((element) => [element, ...element.querySelectorAll("use")]);
  return all.map(hrefOf).filter(Boolean);
}

/** The names of the marks on which there is a piece or sign that was not there, or none any more. */
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

/** Let what has moved to a mark come from another. */
function move(elements, from, to) {
  const [[x0, y0], [x1, y1]] = [from, to].map((mark) => middleOf(groundOf(mark)));
  const frames = [{ translate: `${x0 - x1}px ${y0 - y1}px` }, { translate: "0 0" }];
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

/** Let a number, or the like, take the place of another. */
function tick(elements) {
  const frames = [{ opacity: 0 }, { opacity: 1 }];
  return elements.map((element) => element.animate(frames, { duration: TICK }));
}

/** Let copies of what is gone from a mark fade above it. */
function leave(elements, mark, parent, delay) {
  return elements.map((element) => {
    const copy = element.cloneNode(true);
    parent.append(copy);
    const frames = [
      { translate: "0 0", opacity: 1 },
      { translate: `0 ${(-HEIGHT * groundOf(mark).height) / 2}px`, opacity: 0 },
    ];
    return copy.animate(frames, { duration: LEAVE, delay, easing: "ease-in", fill: "both" });
  });
}

const isPiece = (element) => element.matches("use, .piece, :has(use)");

/** What a mark shows of a change: pieces fall and leave with all their signs, all else takes the place of
    what was there. */
function planOf({ arrived, gone }) {
  const fresh = without(arrived, also(arrived, gone));
  const lost = without(gone, also(gone, arrived));
  const falling = fresh.some(isPiece) ? fresh : [];
  return { falling, ticking: without(arrived, falling), leaving: lost.some(isPiece) ? lost : [] };
}

/** Animate what differs between two drawings, both of which are on the page; the former one can then go.
    Return the animations. */
export function animate(was, now) {
  const found = compare(was, now);
  const byName = new Map(found.map((change) => [change.name, change]));
  const running = [];
  for (const [origin, target] of movesOf(now)) {
    const [left, reached] = [byName.get(origin), byName.get(target)];
    const start = left?.from ?? left?.to;
    if (start && reached?.to) {
      running.push(...move(reached.arrived, start, reached.to));
      [left.gone, reached.arrived] = [[], []];
    }
  }
  const plans = found.map((change) => ({ ...change, ...planOf(change) }));
  const isFilled = running.length > 0 || plans.some(({ falling }) => falling.length);
  for (const { from, to, ticking, falling, leaving } of plans) {
    running.push(...tick(ticking));
    running.push(...fall(falling, to));
    running.push(...leave(leaving, from, to ?? now, isFilled ? FALL : 0));
  }
  return [...running, ...carry(was, now)];
}
