/* What a page always has. If it has it not after all, the error names it, and not only the property that could not
   be read. */

/** Return a value that is there.

    @template Value
    @param {Value} value
    @param {string} name what it is, for the error
    @returns {NonNullable<Value>} */
export function present(value, name) {
  if (value === null || value === undefined) {
    throw new Error(`This page has no ${name}.`);
  }
  return value;
}

/** Return the first element that a selector finds.

    @template {string} Selector
    @param {Selector} selector
    @param {ParentNode} [root]
    @returns {Found<Selector>} */
export const required = (selector, root = document) => present(root.querySelector(selector), selector);
