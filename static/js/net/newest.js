/* Of several requests only the answer to the newest counts. */

/** Return a function that begins a request, which overtakes those before. What it returns says whether the
    request is still the newest.

    @returns {() => () => boolean} */
export function newest() {
  let count = 0;
  return () => {
    const mine = (count += 1);
    return () => mine === count;
  };
}
