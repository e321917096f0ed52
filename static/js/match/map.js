/* The small map of a board that pans and zooms: all of it, and a frame around the part that is seen.
   Pointing at it goes there; the keyboard has other ways. */

const HIDES = "defs, title, [data-hidden], [data-layer]";
const IDENTIFYING = ["id", "class", "role", "tabindex", "href", "data-mark", "data-part", "data-way", "aria-label"];

/** A copy of a drawing that is nothing but a picture. */
function copyOf(picture) {
  const copy = picture.cloneNode(true);
  copy.querySelectorAll(HIDES).forEach((part) => part.remove());
  for (const part of [copy, ...copy.querySelectorAll("*")]) {
    const own = part.localName === "use" ? IDENTIFYING.filter((name) => name !== "href") : IDENTIFYING;
    own.forEach((name) => part.removeAttribute(name));
  }
  copy.removeAttribute("style");
  return copy;
}

/** Make a map; `goTo(x, y)` is called with the point of the board, in parts of its size, that was
    pointed at. */
export function mapOf(goTo) {
  const element = document.createElement("div");
  const part = document.createElement("div");
  element.className = "board-map";
  element.ariaHidden = "true";
  part.className = "board-map-seen";
  const point = (event) => {
    if (event.buttons & 1) {
      const box = element.getBoundingClientRect();
      goTo((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
    }
  };
  element.addEventListener("pointerdown", point);
  element.addEventListener("pointermove", point);
  return {
    element,
    draw: (picture) => element.replaceChildren(copyOf(picture), part),
    frame: (left, top, width, height) => {
      const [right, bottom] = [Math.min(left + width, 1), Math.min(top + height, 1)];
      part.style.left = `${100 * Math.max(left, 0)}%`;
      part.style.top = `${100 * Math.max(top, 0)}%`;
      part.style.right = `${100 * (1 - right)}%`;
      part.style.bottom = `${100 * (1 - bottom)}%`;
    },
  };
}
