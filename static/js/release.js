/* Whether the site has been updated since this page was loaded. Every page, and every part of one that
   scripts fetch, names the script that it was made for: an address with a hash, so that another
   release has another one. */

const KEY = "reloaded-for";

/** The address of the script that a page, or a part of one, was made for; `undefined` if none. */
export function scriptOf(content) {
  const script = content.querySelector("script[type=module][src]");
  return script?.getAttribute("src") ?? content.querySelector("[data-script]")?.dataset.script;
}

const own = scriptOf(document);

/** Load the page again, as the site no longer speaks with it; return whether that is done.

    It is done once for each release that the page comes from, and not while its reader is typing. */
export function reloadOutdated() {
  const key = `outdated-${own}`;
  if (sessionStorage.getItem(key) || document.activeElement?.matches("input, select, textarea")) {
    return false;
  }
  sessionStorage.setItem(key, "reloaded");
  location.reload();
  return true;
}

/** Whether fetched content was made for another script than the one that runs. */
export function isOutdated(content) {
  const script = scriptOf(content);
  return script !== undefined && own !== undefined && script !== own;
}

/** Load the page of a newer release, at `url`; return whether that is done.

    Done once for each release: while servers of two releases run side by side, the page would
    otherwise reload forever. */
export function reload(content, url = location.href) {
  const script = scriptOf(content);
  if (sessionStorage.getItem(KEY) === script) {
    return false;
  }
  sessionStorage.setItem(KEY, script);
  location.replace(url);
  return true;
}
