/* A movement being entered on the board: what a click means, and what the board shows of it: pieces and
   fan on their way, what is left of the dice, a dot with the number of steps on each space in reach. The
   address holds the words, as if every click had been a request; the whole movement is asked for at last. */

const SVG = "http://www.w3.org/2000/svg";
const DEGREES = 20;
const STEP = 130;
const ASIDE = [16, 0.29];
const TURNS = { "fan+": ["F+", 1], "fan-": ["F-", 1], "fan++": ["F+", 6], "fan--": ["F-", 6] };

const still = matchMedia("(prefers-reduced-motion: reduce)");

// --- The picture ---

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

class Picture {
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

  /** The middle of a space, or a point so much nearer the centre and so many sectors on.

      @param {string} space
      @param {number[]} [aside] */
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

// --- The stages ---

/* The page has the graph of steps: the spaces around each ring, for each place of the fan the pairs of
   spaces that it connects, and the spaces closed to the player's piece and to monsters. Piece 0 is the
   player's, monsters count from 1. */

/** @typedef {Object<string, string[]>} Graph the neighbours of each space */

/** @typedef {object} Stage
    @property {number} fan
    @property {[space: string, origin: string | null][]} places of each piece its space and the one before
    @property {number[]} left what is left of the dice of the monsters, the fan and the player
    @property {number} direction how the fan has turned: 1, -1, or 0 if it has not
    @property {Graph[]} graphs by the place of the fan
    @property {string[][]} closed to the player's piece, and to monsters */

/** The graph of some paths, each a text of spaces.

    @param {string[]} paths
    @returns {Graph} */
function graphOf(paths) {
  /** @type {Graph} */
  const graph = {};
  for (const path of paths) {
    const spaces = path.split(" ");
    for (const [at, to] of spaces.slice(1).entries()) {
      (graph[spaces[at]] ??= []).push(to);
      (graph[to] ??= []).push(spaces[at]);
    }
  }
  return graph;
}

/** The stage on which a movement begins.

    @param {{ fan: number, at: string[], roll: number[], rings: string[], bridges: string[][], closed: string[][] }} start
    @returns {Stage} */
export function begin({ fan, at, roll, rings, bridges, closed }) {
  /** @type {Stage["places"]} */
  const places = at.map((space) => [space, null]);
  const graphs = bridges.map((pairs) => graphOf([...rings, ...pairs]));
  return { fan, places, left: roll, direction: 0, graphs, closed };
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
function exits({ fan, graphs, closed }, piece, [space, origin]) {
  const open = graphs[fan][space].filter((to) => !closed[piece ? 1 : 0].includes(to)).toSorted();
  const onward = open.filter((to) => to !== origin);
  return onward.length ? onward : open;
}

/** By space the shortest way of a piece there, the fan and all else at rest.

    @param {Stage} stage
    @param {number} piece
    @returns {Object<string, string[]>} */
export function waysFrom(stage, piece) {
  /** @type {Object<string, string[]>} */
  const best = {};
  let reached = new Map([["", { place: stage.places[piece], way: [] }]]);
  for (let steps = stage.left[dieOf(piece)]; steps > 0; steps -= 1) {
    const longer = new Map();
    for (const { place, way } of reached.values()) {
      for (const to of exits(stage, piece, place)) {
        longer.set(`${to} ${place[0]}`, { place: [to, place[0]], way: [...way, to] });
      }
    }
    longer.forEach(({ place: [to], way }) => (best[to] ??= way));
    reached = longer;
  }
  return best;
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
    const places = stage.graphs.length;
    return { ...stage, left, direction, fan: (stage.fan + places + direction) % places };
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
function isWhole({ left }) {
  return left.every((count) => count === 0);
}

// --- The movement ---

const nameOf = (piece) => (piece ? `M${piece}` : "P");
const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** What to choose next, and what is left of its die.

    @param {number | undefined} selected
    @param {number[]} movable
    @param {number[]} left */
function promptOf(selected, movable, [monsters, turns, player]) {
  if (selected === undefined) {
    return movable.length ? `Choose a monster: ${counted(monsters, "step")} to go.` : `Turn the fan (arrows): ${counted(turns, "sector")} to go.`;
  }
  const [who, steps] = selected ? [`monster ${selected}`, monsters] : ["your piece", player];
  return `Move ${who}: ${counted(steps, "step")} to go.`;
}

class Movement {
  constructor(board, root) {
    this.root = root;
    const movement = JSON.parse(board.querySelector("[data-movement]").dataset.movement);
    this.start = begin(movement);
    this.picture = new Picture(board, movement);
    this.enter(new URLSearchParams(location.search).getAll("word"));
    this.listed = this.text;
    /** @type {HTMLAnchorElement | undefined} */
    this.fresh = undefined;
  }

  get stage() {
    return this.stages.at(-1);
  }

  enter(words) {
    this.words = words;
    this.text = words.join("");
    const steps = this.text.split(/\s+/).filter((step) => step && !step.endsWith(">"));
    this.stages = follow(this.start, steps);
  }

  /** Whether the movement can go on here: it is known, and there are steps left. */
  get isOpen() {
    return Boolean(this.stages) && !isWhole(this.stage);
  }

  /** The pieces that have steps left. */
  get movable() {
    return [...this.start.places.keys()].filter((piece) => canMove(this.stage, piece));
  }

  /** The piece that was chosen, that moved last, or that is the player's, if it has steps left. */
  get selected() {
    const named = [...this.text.matchAll(/[PM](\d?)>/g)].map(([, number]) => Number(number));
    const { movable } = this;
    const wanted = [...named.slice(-1), 0, ...(movable.length === 1 ? movable : [])];
    return wanted.find((piece) => movable.includes(piece));
  }

  /** The words without a piece that was chosen and has not moved. */
  get settled() {
    return this.text.endsWith(">") ? this.words.slice(0, -1) : this.words;
  }

  /** Do what a click on an element asks for; return whether that is anything. */
  click(target) {
    if (target.closest("[data-undo]")) {
      return this.undo();
    }
    if (target.closest("[data-undo-all]")) {
      return this.go([]);
    }
    const mark = target.closest("[data-mark]")?.dataset.mark;
    return Boolean(mark) && (TURNS[mark] ? this.turn(...TURNS[mark]) : this.point(mark));
  }

  /** Take the last step back; return whether there was one. */
  undo() {
    return this.settled.length > 0 && this.go(this.settled.slice(0, -1));
  }

  /** Turn the fan, at most as often as is left. */
  turn(step, most) {
    const count = Math.min(most, this.stage.left[1]);
    return Boolean(follow(this.stage, [step])) && this.go([...this.settled, `${step} `.repeat(count)]);
  }

  /** The piece that a click on a mark would choose; none if it chooses none. */
  pieceAt(mark) {
    const piece = this.start.places.findIndex((_, one) => this.picture.nameOf(one) === mark);
    return piece !== this.selected && this.movable.includes(piece) ? piece : undefined;
  }

  /** Who goes to where a mark is, and the way there: the chosen piece, else the only other that can. */
  journeyTo(mark) {
    if (this.pieceAt(mark) !== undefined) {
      return undefined;
    }
    const space = this.picture.spaceOf(mark);
    const found = this.movable.map((piece) => [piece, waysFrom(this.stage, piece)[space]]).filter(([, way]) => way);
    const chosen = found.find(([piece]) => piece === this.selected);
    return chosen ?? (found.length === 1 ? found[0] : undefined);
  }

  /** Choose a piece that can move, or else walk to where a mark is. */
  point(mark) {
    const piece = this.pieceAt(mark);
    return piece === undefined ? this.walk(this.journeyTo(mark)) : this.go([...this.settled, `${nameOf(piece)}>`]);
  }

  /** Show the way that a click on a mark would walk. */
  foreshow(mark) {
    const [piece, way] = (mark && this.journeyTo(mark)) || [];
    this.picture.foreshow(way && this.picture.nameOf(piece), way);
  }

  walk(journey) {
    if (journey) {
      const [piece, way] = journey;
      const name = `${nameOf(piece)}>`;
      const text = way.map((to) => `${name}${to} `).join("");
      this.go(this.text.endsWith(name) ? [...this.words, text.slice(name.length)] : [...this.settled, text]);
    }
    return Boolean(journey);
  }

  get ways() {
    return this.selected === undefined ? {} : waysFrom(this.stage, this.selected);
  }

  /** Go on with some words: on the board or, once the movement is whole, on the page. */
  go(words) {
    this.enter(words);
    history.replaceState(null, "", this.address(words));
    this.show();
    const field = document.querySelector("input#typed");
    if (field) {
      field.defaultValue = this.text;
      field.value = this.text;
    }
    if (isWhole(this.stage)) {
      this.ask();
    } else {
      document.getElementById("news").textContent = this.root.querySelector("#match-entry .ask-prompt")?.textContent ?? "";
    }
    return true;
  }

  address(words) {
    const query = new URLSearchParams(words.map((word) => ["word", word]));
    return query.size ? `${this.root.dataset.address}?${query}` : this.root.dataset.address;
  }

  /** Let the page fetch what the address stands for. */
  ask() {
    const link = this.link("", "onward", this.address(this.words));
    link.hidden = true;
    this.root.append(link);
    link.click();
    link.remove();
  }

  show() {
    this.picture.show(this.stages, this);
    const prompt = this.root.querySelector("#match-entry .ask-prompt");
    if (prompt && !isWhole(this.stage)) {
      prompt.textContent = promptOf(this.selected, this.movable, this.stage.left);
    }
    this.showList();
    this.showBack();
  }

  /** Show the list of choices, or where it has what followed other words, a link that fetches it. */
  showList() {
    const list = this.root.querySelector("[data-entry=list]");
    if (list) {
      list.hidden = this.text !== this.listed;
      this.fresh ??= this.link("List what may follow", "listing", "");
      this.fresh.href = this.address(this.words);
      this.fresh.hidden = !list.hidden;
      list.after(this.fresh);
    }
    // The one of all moves is offered before the first word.
    this.root.querySelector(".ask-other")?.toggleAttribute("hidden", this.text !== this.listed);
  }

  /** Offer Undo and Start over as soon as there is something to take back. */
  showBack() {
    const bar = this.root.querySelector("#match-entry .ask-bar") ?? this.root.querySelector("#match-entry");
    const back = bar.querySelector(".ask-back") ?? document.createElement("span");
    back.className = "ask-back";
    const { length } = this.settled;
    const links = [
      this.link("Undo", "undo", this.address(this.settled.slice(0, -1))),
      this.link("Start over", "undoAll", this.address([])),
    ];
    back.replaceChildren(...links.slice(0, Math.min(length, 2)));
    bar.prepend(back);
  }

  link(text, kind, href) {
    const link = Object.assign(document.createElement("a"), { href, className: "btn", textContent: text });
    link.dataset[kind] = "";
    return link;
  }
}

/** The movement that is entered on a board; null where its reader has none to enter.

    @param {HTMLElement} figure
    @param {HTMLElement} root
    @returns {Movement | null} */
export function movementOn(figure, root) {
  const board = figure.querySelector(".board-scroll"); // without steps that are shown over it
  const isAsked = board.querySelector("[data-movement]") && board.querySelector("a.mark");
  const hasMoves = new URLSearchParams(location.search).has("move");
  const movement = isAsked && !hasMoves ? new Movement(board, root) : null;
  if (!movement?.isOpen) {
    return null;
  }
  movement.show();
  return movement;
}
