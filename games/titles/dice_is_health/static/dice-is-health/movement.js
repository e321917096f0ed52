/* A movement being entered on the board: what a click means, and what the board shows of it. The address
   holds the words, as if every click had been a request; the whole movement is asked for at last. */

import { Picture } from "./picture.js";
import { begin, canMove, follow, isWhole, ways } from "./steps.js";

const TURNS = { "fan+": ["F+", 1], "fan-": ["F-", 1], "fan++": ["F+", 6], "fan--": ["F-", 6] };

const nameOf = (piece) => (piece ? `M${piece}` : "P");
const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** What to choose next: the way of a piece, a monster, or how the fan turns. */
function nextAction(selected, movable) {
  if (selected === undefined) {
    return movable.length ? "Choose a monster." : "Turn the fan.";
  }
  return `Choose where ${selected ? `monster ${selected}` : "your piece"} goes.`;
}

/** What is left of the dice, as a sentence. */
function sentenceOn({ left: [monsters, turns, player] }) {
  const parts = [
    player && `your piece ${counted(player, "step")}`,
    monsters && `the monsters ${counted(monsters, "step")}`,
    turns && `the fan ${counted(turns, "sector")}`,
  ].filter(Boolean);
  const listed = new Intl.ListFormat("en-GB").format(parts);
  return `Left to move: ${listed}.`;
}

class Movement {
  constructor(board, root) {
    this.root = root;
    this.start = begin(JSON.parse(board.querySelector("[data-movement]").dataset.movement));
    this.picture = new Picture(board, this.start);
    this.enter(new URLSearchParams(location.search).getAll("word"));
    this.listed = this.text;
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
    const found = this.movable.map((piece) => [piece, ways(this.stage, piece)[space]]).filter(([, way]) => way);
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
    return this.selected === undefined ? {} : ways(this.stage, this.selected);
  }

  /** Go on with some words: on the board or, once the movement is whole, on the page. */
  go(words) {
    this.enter(words);
    history.replaceState(null, "", this.address(words));
    this.show();
    if (isWhole(this.stage)) {
      this.ask();
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
      prompt.textContent = `${nextAction(this.selected, this.movable)} ${sentenceOn(this.stage)}`;
    }
    // The list has what followed the words of the page.
    this.root.querySelector("[data-entry=list]")?.toggleAttribute("hidden", this.text !== this.listed);
    const field = document.getElementById("typed");
    if (field) {
      [field.value, field.defaultValue] = [this.text, this.text];
    }
    this.showBack();
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
    const name = Object.assign(document.createElement("span"), { className: "narrow-hidden", textContent: text });
    const link = Object.assign(document.createElement("a"), { href, className: "btn" });
    link.append(name);
    link.dataset[kind] = "";
    return link;
  }
}

/** The movement that is entered on a board; null where its reader has none to enter. */
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
