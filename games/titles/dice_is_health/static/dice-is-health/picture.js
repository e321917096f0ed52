/* What the board shows of a movement while it is entered: pieces and fan on their way, what is left of
   the dice, a dot with the number of steps on each space in reach. */

const SVG = "http://www.w3.org/2000/svg";
const DEGREES = 20;
const STEP = 130;
const ASIDE = [16, 0.29];

const still = matchMedia("(prefers-reduced-motion: reduce)");

function make(name, attributes, text = "") {
  const element = document.createElementNS(SVG, name);
  Object.entries(attributes).forEach(([key, value]) => element.setAttribute(key, value));
  element.textContent = text;
  return element;
}

function transformOf(stop) {
  const [, x, y] = stop.split(" ");
  return y === undefined ? `rotate(${x}deg)` : `translate(${x}px, ${y}px)`;
}

export class Picture {
  constructor(board, { turn }) {
    this.board = board;
    this.turn = turn;
    const panel = board.querySelector("[data-movement]");
    this.radii = JSON.parse(panel.dataset.radii);
    this.dice = [...panel.querySelectorAll("[href*=pips-]")];
    this.reach = make("g", { class: "reach" });
    // The dots of the page tell nothing of the steps.
    board.querySelector("svg > [fill='var(--c-target)']")?.remove();
    board.querySelector(".standing").before(this.reach);
  }

  mark(name) {
    return this.board.querySelector(`[data-mark="${name}"]`);
  }

  /** The middle of a space, or a point so much nearer the centre and so many sectors on. */
  middle(space, [nearer, on] = [0, 0]) {
    const radius = this.radii[space[0]] - nearer;
    const angle = ((Number(space.slice(1)) + on) * DEGREES * Math.PI) / 180;
    return [radius * Math.sin(angle), -radius * Math.cos(angle)];
  }

  /** The spaces on which pieces stand. */
  get taken() {
    const parts = [...this.board.querySelectorAll("[data-part]:not([data-part=fan])")];
    return new Set(parts.map(({ dataset }) => this.spaceOf(dataset.part)));
  }

  /** Show the last of the stages, the piece that is chosen, and the ways on which it may go on. */
  show(stages, { selected, movable, ways }) {
    const names = stages[0].places.map((_, piece) => this.nameOf(piece));
    names.forEach((name, piece) => this.carry(name, this.route(name, stages.map(({ places }) => places[piece][0]))));
    this.carry("fan", this.turns(stages));
    this.count(stages.at(-1));
    this.dot(ways);
    names.forEach((name, piece) => {
      this.mark(name).toggleAttribute("aria-current", piece === selected);
      this.mark(name).classList.toggle("movable", piece !== selected && movable.includes(piece));
    });
  }

  nameOf(piece) {
    return piece ? `monster-${piece}` : `player-${this.turn}`;
  }

  /** The space that a mark is, or that its piece stands on. */
  spaceOf(mark) {
    const way = this.part(mark)?.dataset.way;
    return way ? way.split(";").at(-1).split(" ")[0] : mark;
  }

  part(name) {
    return this.board.querySelector(`[data-part="${name}"]`);
  }

  /** The stops of a piece on its spaces; where it began, it keeps its own place on the space. */
  route(name, spaces) {
    const [first] = this.part(name).dataset.way.split(";");
    const stops = [first];
    spaces.slice(1).forEach((space, at) => {
      const stays = space === spaces[at];
      stops.push(stays ? stops.at(-1) : [space, ...this.middle(space).map((number) => number.toFixed(1))].join(" "));
    });
    return stops;
  }

  turns(stages) {
    const [first] = this.part("fan").dataset.way.split(";");
    const start = Number(first.split(" ")[1]);
    const turned = stages.map(({ left }) => stages[0].left[1] - left[1]);
    return stages.map(({ fan, direction }, at) => `${fan} ${start + direction * turned[at] * DEGREES}`);
  }

  /** Carry a part along what is new of its way; back at once. */
  carry(name, way) {
    const part = this.part(name);
    const before = part.dataset.way.split(";");
    part.dataset.way = way.join(";");
    part.setAttribute("transform", transformOf(way.at(-1)).replaceAll(/px|deg/g, ""));
    const fresh = way.slice(before.length - 1);
    if (!still.matches && fresh.some((stop) => stop !== fresh[0])) {
      part.animate(fresh.map((stop) => ({ transform: transformOf(stop) })), { duration: STEP * (fresh.length - 1) });
    }
  }

  /** Show what is left of the dice, and how the fan may turn. */
  count({ left, direction }) {
    this.dice.forEach((die, at) => {
      die.setAttribute("href", die.getAttribute("href").replace(/\d$/, left[at]));
      die.setAttribute("opacity", left[at] ? 1 : 0.35);
    });
    for (const [name, by] of Object.entries({ "fan+": 1, "fan++": 1, "fan-": -1, "fan--": -1 })) {
      const arrow = this.mark(name);
      arrow.classList.toggle("shut", !left[1] || direction === -by);
      arrow.querySelector("text").textContent = name.length > "fan+".length ? left[1] : 1;
    }
  }

  /** Draw the way that a piece would go; nothing without one. */
  foreshow(name, way) {
    this.reach.querySelector(".way")?.remove();
    if (way) {
      const stops = [this.spaceOf(name), ...way].map((space) => this.middle(space));
      const [x, y] = stops.at(-1);
      const drawn = make("g", { class: "way" });
      drawn.append(make("polyline", { points: stops.join(" ") }), make("circle", { cx: x, cy: y, r: 14 }));
      this.reach.append(drawn);
    }
  }

  dot(ways) {
    this.board.querySelectorAll(".in-reach").forEach((mark) => mark.classList.remove("in-reach"));
    this.reach.replaceChildren();
    const { taken } = this;
    for (const [space, { length }] of Object.entries(ways)) {
      const [x, y] = this.middle(space, taken.has(space) ? ASIDE : undefined);
      this.mark(space).classList.add("in-reach");
      this.reach.append(make("circle", { cx: x, cy: y, r: 9 }), make("text", { x, y: y + 4.5 }, length));
    }
  }
}
