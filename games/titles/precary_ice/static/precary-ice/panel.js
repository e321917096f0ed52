/* The numbers of the hand, beside the board: two fields with small steps either way, and the button
   that lets go. They stand in for the site's own fields for numbers, and keep what is typed alike. */

const FIELDS = [
  { name: "at", label: "Place", unit: "mm", most: 30, step: 0.1, digits: 1, less: "←", more: "→" },
  { name: "tilt", label: "Tilt", unit: "°", most: 20, step: 1, digits: 0, less: "↷", more: "↶" },
];

const HOW =
  "Drag the piece, or walk it with the arrow keys: ← → move it, ↑ ↓ tilt it, Shift takes longer steps.";

const WAYS = {
  at: ["a tenth of a millimetre to the left", "a tenth of a millimetre to the right"],
  tilt: ["a degree to the right", "a degree to the left"],
};

function element(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

export class Panel {
  /** `release()` lets the piece go; it has to be aimed first. */
  constructor(hold, hand, release) {
    Object.assign(this, { hold, hand, inputs: {} });
    this.button = element("button", { type: "button", className: "btn btn-turn" }, "Release");
    this.hint = element("p", { className: "hand-hint", role: "status" });
    this.button.addEventListener("click", () => (hold.isAimed ? release() : this.askToAim()));
    this.element = element(
      "div",
      { className: "hand-panel" },
      ...FIELDS.map((field) => this.row(field)),
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

  row(field) {
    const { name, label, unit, most, step } = field;
    const input = element("input", {
      id: `hand-${name}`, type: "number", min: -most, max: most, step, inputMode: "text",
    });
    this.inputs[name] = input;
    input.addEventListener("input", () => this.read());
    input.addEventListener("change", () => this.show());
    input.addEventListener("keydown", (event) => event.key === "Enter" && this.button.click());
    const caption = element("label", { htmlFor: input.id }, `${label}, ${unit}`);
    const [less, more] = WAYS[name];
    return element(
      "div",
      { className: "hand-row" },
      caption,
      this.stepper(field, -1, field.less, less),
      input,
      this.stepper(field, 1, field.more, more),
    );
  }

  stepper({ name, step }, way, sign, label) {
    const button = element("button", { type: "button", className: "btn", ariaLabel: label }, sign);
    button.addEventListener("click", () => {
      const { at, tilt } = this.hold;
      this.hand.move(...(name === "at" ? [at + way * step, tilt] : [at, tilt + way * step]));
    });
    return button;
  }

  /** Move the piece to the numbers in the fields, as far as they are numbers. */
  read() {
    const [at, tilt] = FIELDS.map(({ name }) => this.inputs[name].valueAsNumber);
    if (Number.isFinite(at) && Number.isFinite(tilt)) {
      this.hand.move(at, tilt);
    }
  }

  /** Show where the piece is held, but in the field that is being typed in. */
  show() {
    for (const { name, digits } of FIELDS) {
      const input = this.inputs[name];
      if (input !== document.activeElement) {
        input.value = this.hold[name].toFixed(digits);
      }
    }
    this.button.ariaDisabled = String(!this.hold.isAimed);
    this.hint.textContent = "";
  }
}
