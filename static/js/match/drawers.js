/* What stands beside the board: tabs at the side of a desktop; on a phone a sheet over everything below the
   head, closed until it is asked for.

   <div id="drawers"><nav class="drawer-tabs"><a data-tab="log">…</nav> <div class="drawer" id="drawer-log">…
   Elsewhere, <a data-drawer="log"> opens a drawer.

   The sheet of a phone is an entry of the browser's history, {drawer: "log"}: Back closes it. */

import { parse } from "../net/patches.js";
import { gettext } from "../site/language.js";
import { present, required } from "../site/required.js";
import { root, version } from "./state.js";

const box = required("#drawers");
const tabs = [...box.querySelectorAll("[data-tab]")];
const narrow = matchMedia("(width < 62.5rem)");
/** @param {string | undefined} name */
const drawerOf = (name) => /** @type {HTMLElement} */ (required(`#drawer-${name}`));
const closer = makeCloser();

const rules = document.getElementById("match-rules");

/** What had the focus before the sheet opened. @type {HTMLElement | null} */
let opener = null;
/** The address to keep while the entry of a closed sheet is left; null otherwise. @type {string | null} */
let kept = null;

function makeCloser() {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "btn drawer-close";
  button.textContent = "×";
  button.ariaLabel = gettext("Close");
  button.addEventListener("click", () => close());
  return button;
}

/** Whether the drawer of a phone is open.

    @returns {boolean} */
export const isOpen = () => narrow.matches && box.classList.contains("drawers-open");

function select(name) {
  for (const tab of tabs) {
    const isSelected = tab.dataset.tab === name;
    tab.ariaSelected = String(isSelected);
    tab.tabIndex = isSelected ? 0 : -1;
    drawerOf(tab.dataset.tab).classList.toggle("drawer-shown", isSelected);
  }
  if (name === "rules") {
    showBrief();
  }
  document.dispatchEvent(new CustomEvent("drawer:shown"));
}

/** Show a drawer; on a phone it comes up. The focus goes to its tab, unless `focus` is false.

    @param {string} name
    @param {{ focus?: boolean }} [options] */
export function open(name, { focus = true } = {}) {
  if (narrow.matches && !isOpen()) {
    opener = /** @type {HTMLElement | null} */ (document.activeElement);
    box.classList.add("drawers-open");
    if (!history.state?.drawer) {
      history.pushState({ drawer: name }, "");
    }
  }
  select(name);
  if (focus) {
    required(`[data-tab="${name}"]`, box).focus();
  }
}

/** Close the drawer of a phone; the focus goes back to where it was opened. */
export function close() {
  hide();
  if (history.state?.drawer && kept === null) {
    kept = location.href;
    history.back();
  }
}

function hide() {
  box.classList.remove("drawers-open");
  if (box.contains(document.activeElement)) {
    opener?.focus({ preventScroll: true });
  }
}

/** Close the sheet after Back, and open it after Forward; other listeners hear only of other addresses. */
function onPop(event) {
  const isLeft = kept !== null;
  if (isLeft) {
    history.replaceState(history.state, "", kept);
    kept = null;
  } else if (isOpen()) {
    hide();
  } else if (narrow.matches && history.state?.drawer) {
    open(history.state.drawer);
  } else {
    return;
  }
  event.stopImmediatePropagation();
}

// --- Rules ---

function show(text, html, id) {
  const content = required(id, parse(html));
  content.removeAttribute("id");
  text.replaceChildren(content);
}

/** Bring the part of the rules that the match has come to into sight. */
function toPhase(text) {
  const { section } = required("#match-text").dataset;
  const heading = section ? text.querySelector(`#${CSS.escape(section)}`) : null;
  text.querySelectorAll(".rules-here").forEach((one) => one.classList.remove("rules-here"));
  if (heading) {
    heading.classList.add("rules-here");
    if (box.querySelector(".rules-met")) {
      return; // somebody new to the game begins at the top
    }
    const drawer = text.closest(".drawer");
    drawer.scrollTop += heading.getBoundingClientRect().top - drawer.getBoundingClientRect().top;
  }
}

async function fetchInto(text, url, id) {
  try {
    const response = await fetch(url);
    show(text, await response.text(), id);
  } catch {
    text.textContent = gettext("The rules could not be fetched. Please try again.");
  }
}

async function showBrief() {
  const text = required("[data-rules-text]", box);
  if (!text.childElementCount) {
    await fetchInto(text, present(required("#match-rules").dataset.brief, "data-brief"), "#brief");
  }
  toPhase(text);
}

async function showAll(link) {
  const text = required("[data-rules-text]", box);
  await fetchInto(text, link.href, ".rules > div");
  link.remove();
  required("#rules-head").textContent = gettext("Rules");
}

/* `match:met` says that a player has got it.

   A player who has never moved in this game sees the rules, which begin with the goal and three pictures, until
   the first move or until the player has got it. The device remembers the latter. On a phone they cover the
   board: they wait for steps that are shown, and leave a question or a short clock in sight. */

function introduce(key) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "btn btn-main rules-met";
  button.textContent = gettext("Got it");
  box.append(button);
  button.addEventListener("click", () => {
    localStorage.setItem(key, "");
    button.remove();
    open("log", { focus: false });
    close();
    document.dispatchEvent(new CustomEvent("match:met"));
  });
  open("rules", { focus: false });
}

/** Whether the rules may cover the board: nothing is urgent, and the player has not moved meanwhile. */
function mayCover() {
  const { seat } = root.dataset;
  const reasons = `.action-turn .action-answers, .seat-own .clock-short, #match-log .swatch.seat-${seat}`;
  return document.querySelector(reasons) === null;
}

/** Open the rules for somebody new to the game; where steps `areWanted`, on a phone after them.

    @param {boolean} areWanted */
export function welcome(areWanted) {
  const key = `met-${rules?.dataset.game}`;
  const isNew = rules?.dataset.newcomer !== undefined && localStorage.getItem(key) === null;
  const isReplayed = areWanted && version() > 0;
  if (isNew && narrow.matches && isReplayed) {
    document.addEventListener("match:shown", () => mayCover() && introduce(key), { once: true });
  } else if (isNew && (!narrow.matches || mayCover())) {
    introduce(key);
  }
}

// --- Tabs ---

function onKey(event) {
  const shown = tabs.filter((tab) => tab.checkVisibility());
  const at = shown.indexOf(event.target);
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (at >= 0 && step) {
    event.preventDefault();
    event.stopPropagation();
    const tab = present(shown.at((at + step) % shown.length), "tab");
    select(tab.dataset.tab);
    tab.focus();
  }
}

function onClick(event) {
  const link = event.target.closest("[data-tab], [data-drawer], [data-whole-rules]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) {
    return;
  }
  event.preventDefault();
  if (link.matches("[data-whole-rules]")) {
    showAll(link);
  } else {
    open(link.dataset.tab ?? link.dataset.drawer);
  }
}

/** Bring what is asked into sight, such as whether to resign; return whether anything is.

    @returns {boolean} */
export function showQuestion() {
  const question = box.querySelector("[data-question]");
  question?.scrollIntoView({ block: "nearest" });
  return question !== null;
}

/** Open the drawer that the address leads into, or in which something is asked. */
function openTarget() {
  const target = document.getElementById(location.hash.slice(1)) ?? box.querySelector("[data-question]");
  const drawer = target && box.contains(target) ? target.closest(".drawer") : null;
  if (drawer) {
    open(drawer.id.replace("drawer-", ""), { focus: false });
    showQuestion();
  }
}

function begin() {
  const list = required(".drawer-tabs", box);
  list.setAttribute("role", "tablist");
  for (const tab of tabs) {
    const drawer = drawerOf(tab.dataset.tab);
    tab.role = "tab";
    tab.id = `tab-${tab.dataset.tab}`;
    tab.setAttribute("aria-controls", drawer.id);
    drawer.role = "tabpanel";
    drawer.setAttribute("aria-labelledby", tab.id);
  }
  list.before(closer);
  box.classList.add("drawers-ready");
  document.documentElement.classList.add("with-drawers");
  select(tabs[0].dataset.tab);
  openTarget();
  box.addEventListener("keydown", onKey);
  root.addEventListener("click", onClick);
  addEventListener("popstate", onPop);
  if (history.state?.drawer) {
    history.replaceState(null, ""); // the page was loaded again, and its sheet is closed
  }
}

begin();
