/* A page in named parts (games/web/match/parts.py). A part is HTML in which slots stand for other
   parts; a patch holds the parts that changed, and `null` for one that is gone. */

const SLOT = /<!--part (.*?)-->/g;
const WHOLE = "page";

/** The parts after a patch. */
export function apply(parts, patch) {
  const changed = { ...parts, ...patch };
  return Object.fromEntries(Object.entries(changed).filter(([, text]) => text !== null));
}

/** A part with the parts that its slots stand for, as HTML. */
export function compose(parts, name = WHOLE) {
  return parts[name].replace(SLOT, (_, inner) => compose(parts, inner));
}
