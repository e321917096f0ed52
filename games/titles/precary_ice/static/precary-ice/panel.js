/* The controls of the hand, in the action area: small steps either way, and the button that lets go.
   Numbers are for typed moves. */

const DELAY = 350;
const INTERVAL = 80;
const LEANING = 18;

const ROWS = [
  { name: "at", label: "Move", step: 0.1, ways: ["a little to the left", "a little to the right"] },
  { name: "tilt", label: "Tilt", step: -1, ways: ["a degree to the left", "a degree to the right"] },
];

const HOW =
  "Drag the piece, or walk it with the arrow keys: ← → move it, ↑ ↓ tilt it, Shift takes longer steps.";

function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** A picture on a button: an arrow, or a piece that leans. */
function sign(name, way) {
  const drawn =
    name === "at"
      ? `<path d="M-7 0H7M2 -5L7 0L2 5" transform="scale(${way} 1)" fill="none" stroke-width="2"/>`
      : `<path d="M-6 8H6L0 -9Z" transform="rotate(${way * LEANING})"/>`;
  return `<svg viewBox="-11 -11 22 22" aria-hidden="true">${drawn}</svg>`;
}

/** Call `act` when a button is pressed, and again and again while it is held. */
function whileHeld(button, act) {
  let timer;
  const stop = () => clearTimeout(timer);
  const repeat = () => {
    if (button.isConnected) {
      act();
      timer = setTimeout(repeat, INTERVAL);
    }
  };
  button.addEventListener("pointerdown", (event) => {
    if (!event.button) {
      stop();
      act();
      timer = setTimeout(repeat, DELAY);
    }
  });
  for (const end of ["pointerup", "pointerleave", "pointercancel"]) {
    button.addEventListener(end, stop);
  }
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  button.addEventListener("click", (event) => event.detail || act());
}

export class Panel {
  /** `release()` lets the piece go; it has to be aimed first. */
  constructor(hold, hand, release) {
    Object.assign(this, { hold, hand });
    this.button = element("button", { type: "button", className: "btn btn-turn" }, "Release");
    this.hint = element("p", { className: "hand-hint", role: "status" });
    this.button.addEventListener("click", () => (hold.isAimed ? release() : this.askToAim()));
    this.element = element(
      "div",
      { className: "hand-panel" },
      ...ROWS.map((row) => this.row(row)),
      this.button,
      this.hint,
      element("p", { className: "small soft" }, HOW),
    );
    this.show();
  }

  askToAim() {
    this.hint.textContent = "Aim first: move the piece over your tower.";
    this.hand.focus();
  }

  row({ name, label, step, ways }) {
    const buttons = ways.map((told, at) => {
      const way = at ? 1 : -1;
      const button = element("button", { type: "button", className: "btn", ariaLabel: `${label} ${told}` });
      button.dataset.nudge = `${name}${way}`;
      button.innerHTML = sign(name, way);
      whileHeld(button, () => this.nudge(name, way * step));
      return button;
    });
    return element("div", { className: "hand-row" }, element("span", { ariaHidden: "true" }, label), ...buttons);
  }

  nudge(name, by) {
    const { at, tilt } = this.hold;
    this.hand.move(...(name === "at" ? [at + by, tilt] : [at, tilt + by]));
  }

  /** Show that the piece has been aimed. */
  show() {
    this.button.ariaDisabled = String(!this.hold.isAimed);
    this.hint.textContent = "";
  }
}
