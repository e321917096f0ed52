/* The steps of a movement, as the rules have them: what is possible, and where it leads.

   Piece 0 is the player's, monsters count from 1. */

/** @typedef {object} Stage
    @property {number} fan
    @property {[space: string, origin: string | null][]} places of each piece its space and the one before
    @property {number[]} left what is left of the dice of the monsters, the fan and the player
    @property {number} direction how the fan has turned: 1, -1, or 0 if it has not
    @property {Object<string, number>} walls the seat to which each wall belongs, by space
    @property {number} turn the seat of the player */

const RING = 18;
const SECTORS = 6;

/** The stage on which a movement begins.

    @param {{ fan: number, at: string[], roll: number[], walls: Object<string, number>, turn: number }} movement
    @returns {Stage} */
export function begin({ fan, at, roll, walls, turn }) {
  const places = at.map((space) => [space, null]);
  return { fan, places, left: roll, direction: 0, walls, turn };
}

function neighbours(space, fan) {
  const [ring, sector] = [space[0], Number(space.slice(1))];
  const near = [1, RING - 1].map((by) => `${ring}${(sector + by) % RING}`);
  return sector % SECTORS === fan ? [...near, `${ring === "o" ? "i" : "o"}${sector}`] : near;
}

/** Which die a piece walks by. */
const dieOf = (piece) => (piece ? 0 : 2);

/** Whether a piece has steps left.

    @param {Stage} stage
    @param {number} piece
    @returns {boolean} */
export function canMove({ left, places }, piece) {
  return piece < places.length && left[dieOf(piece)] > 0;
}

/** Where a piece may step to from a place: not straight back, unless nothing else is open. */
function exits({ fan, walls, turn }, piece, [space, origin]) {
  const isOpen = (other) => !(other in walls) || (piece === 0 && walls[other] === turn);
  const near = neighbours(space, fan).filter(isOpen);
  const onward = near.filter((other) => other !== origin);
  return onward.length ? onward : near;
}

/** By space the shortest way of a piece there, the fan and all else at rest.

    @param {Stage} stage
    @param {number} piece
    @returns {Object<string, string[]>} */
export function ways(stage, piece) {
  const found = {};
  let reached = new Map([["", { place: stage.places[piece], way: [] }]]);
  for (let steps = stage.left[dieOf(piece)]; steps > 0; steps -= 1) {
    const longer = new Map();
    for (const { place, way } of reached.values()) {
      for (const to of exits(stage, piece, place)) {
        longer.set(`${to} ${place[0]}`, { place: [to, place[0]], way: [...way, to] });
        found[to] ??= [...way, to];
      }
    }
    reached = longer;
  }
  return found;
}

/** The stage after a step: `P>o1`, `M2>i4`, `F+` or `F-`; null where it is not possible. */
function after(stage, step) {
  const left = [...stage.left];
  if (step[0] === "F") {
    const direction = step === "F+" ? 1 : -1;
    if (!left[1] || stage.direction === -direction) {
      return null;
    }
    left[1] -= 1;
    return { ...stage, left, direction, fan: (stage.fan + SECTORS + direction) % SECTORS };
  }
  const [name, to] = step.split(">");
  const piece = Number(name.slice(1)); // nothing behind the player's P
  if (!canMove(stage, piece) || !exits(stage, piece, stage.places[piece]).includes(to)) {
    return null;
  }
  left[dieOf(piece)] -= 1;
  return { ...stage, left, places: stage.places.with(piece, [to, stage.places[piece][0]]) };
}

/** The stages to which the steps of a text lead, the first before them all; null where one is none.

    @param {Stage} start
    @param {string[]} steps
    @returns {Stage[] | null} */
export function follow(start, steps) {
  const stages = [start];
  for (const step of steps) {
    const next = stages.at(-1) && after(stages.at(-1), step);
    stages.push(next);
  }
  return stages.at(-1) && stages;
}

/** Whether all steps are used.

    @param {Stage} stage
    @returns {boolean} */
export function isWhole({ left }) {
  return left.every((count) => count === 0);
}
