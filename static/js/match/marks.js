/* Marks that are packed because there are thousands of them (games/kernel/packed_marks.py): a run
   becomes the anchors that it stands for, each a copy of the first, shifted to its place.

   <defs class="marks" data-label="{}, empty" data-link="/matches/42/?word=place+S+&word={}"
     data-places="a1,0,0 b1,24,0"> what the first is drawn as </defs> */

const SVG = "http://www.w3.org/2000/svg";
const NAME = "{}";

function markOf(run, place) {
  const [name, x, y] = place.split(",");
  const mark = document.createElementNS(SVG, "a");
  mark.setAttribute("class", "mark");
  mark.dataset.mark = name;
  mark.dataset.hidden = "";
  mark.setAttribute("aria-label", run.dataset.label.replace(NAME, name));
  mark.setAttribute("href", run.dataset.link.replace(NAME, name));
  mark.setAttribute("transform", `translate(${x} ${y})`);
  mark.append(...run.cloneNode(true).children);
  return mark;
}

/** Unpack the marks below an element. */
export function unpack(root) {
  for (const run of root.querySelectorAll("defs.marks")) {
    run.replaceWith(...run.dataset.places.split(" ").map((place) => markOf(run, place)));
  }
}

/** Make links of the marks that lead somewhere: `targets` has the query of each by its name. */
export function link(root, targets, address) {
  for (const mark of root.querySelectorAll("g.mark")) {
    const query = targets[mark.dataset.mark];
    if (query !== undefined) {
      const anchor = document.createElementNS(SVG, "a");
      for (const { name, value } of mark.attributes) {
        anchor.setAttribute(name, value);
      }
      anchor.removeAttribute("role");
      anchor.setAttribute("href", query ? `${address}?${query}` : address);
      anchor.append(...mark.childNodes);
      mark.replaceWith(anchor);
    }
  }
}
