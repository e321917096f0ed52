/* The chat of a match: lines go out without leaving the page, those of others come in by themselves, and
   what has been in sight counts as read. Without script it is a form, and a page of its own.

   <section id="match-chat" data-chat="…" data-read="…"> holds <div id="chat-rooms" data-unread data-last-line>;
   elsewhere, <span data-chat-count hidden> shows how many lines are new. */

import { parse } from "../net/patches.js";
import { gettext } from "../site/language.js";
import { present, required } from "../site/required.js";

/** The chat; a page of a match may have none. @type {HTMLElement | null} */
const panel = document.querySelector("#match-chat");
/** Where one may write. @type {HTMLFormElement | null} */
const chatForm = document.querySelector("form#chat-form");

let noted = 0;
let asking = Promise.resolve();

const rooms = () => required("#chat-rooms");
/** @param {"chat" | "read"} name */
const addressOf = (name) => present(panel?.dataset[name], `data-${name}`);

const isInSight = () => document.visibilityState === "visible" && rooms().checkVisibility();

/** @param {DOMStringMap} counted `unread` says how many lines are new */
function showCount({ unread = "0" }) {
  for (const count of document.querySelectorAll("[data-chat-count]")) {
    count.hidden = unread === "0";
    present(count.firstChild, "number of new lines").textContent = unread;
  }
}

function toEnd() {
  for (const list of rooms().querySelectorAll(".chat-lines")) {
    list.scrollTop = list.scrollHeight;
  }
}

function say(sentence) {
  const error = required("#chat-error");
  error.textContent = sentence;
  error.hidden = !sentence;
}

/** Tell the site how far the chat was read, once for each line, while it can be seen. */
async function noteRead() {
  const last = Number(rooms().dataset.lastLine);
  const token = document.querySelector("input[name=csrfmiddlewaretoken]")?.value;
  if (!isInSight() || last <= noted || !token) {
    return;
  }
  noted = last;
  showCount({ unread: "0" });
  const body = new URLSearchParams({ line: String(last), csrfmiddlewaretoken: token });
  await fetch(addressOf("read"), { method: "POST", body });
}

/** Put fetched lines in the place of those on the page; a menu that is open stays. */
function show(page) {
  const fresh = page.querySelector("#chat-rooms");
  const open = rooms().querySelector(".chat-menu[open]")?.closest(".chat-line")?.id;
  rooms().replaceWith(fresh);
  required("#chat-whole").hidden = !Number(fresh.dataset.lastLine);
  const menu = open && document.getElementById(open)?.querySelector("details.chat-menu");
  if (menu) {
    menu.open = true;
  }
  toEnd();
  showCount(rooms().dataset);
  noteRead().catch(() => {});
}

/** Fetch the lines, after what is under way: the last answer is the latest. */
function refresh() {
  asking = asking
    .then(() => fetch(`${addressOf("chat")}?part=chat`, { cache: "no-cache" }))
    .then((response) => (response.ok ? response.text() : Promise.reject(new Error(String(response.status)))))
    .then((html) => show(parse(html)))
    .catch(() => {});
}

const fieldOf = (form) => required("textarea#chat-text", form);

async function send(form) {
  const response = await fetch(`${form.action}?part=chat`, { method: "POST", body: new FormData(form) });
  const page = parse(await response.text());
  const fresh = page.querySelector("#chat-rooms");
  if (!fresh) {
    const isKept = gettext("You are not signed in any more. What you wrote is kept.");
    say(response.ok ? isKept : gettext("That did not work. What you wrote is kept."));
    return;
  }
  say(required("#chat-error", page).textContent);
  if (response.ok) {
    const field = fieldOf(form);
    field.value = field.defaultValue = "";
    required("input[name=submission]", form).value = required("input[name=submission]", page).value;
  }
  show(page);
}

function onSubmit(event) {
  event.preventDefault();
  const form = event.target;
  const button = required("button", form);
  if (button.disabled || !fieldOf(form).value.trim()) {
    return;
  }
  button.disabled = true;
  send(form)
    .catch(() => say(gettext("The site could not be reached. What you wrote is kept.")))
    .finally(() => {
      button.disabled = false;
    });
}

function onKey(event) {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    event.target.form.requestSubmit();
  }
}

/** Bring a menu that was opened into sight. */
function onToggle({ target }) {
  if (target.open) {
    target.closest(".chat-line").scrollIntoView({ block: "nearest" });
  }
}

function begin(chat) {
  chat.addEventListener("toggle", onToggle, true);
  if (chatForm) {
    chatForm.addEventListener("submit", onSubmit);
    fieldOf(chatForm).addEventListener("keydown", onKey);
  }
  document.addEventListener("live:chat", refresh);
  document.addEventListener("drawer:shown", () => {
    toEnd();
    noteRead().catch(() => {});
  });
  document.addEventListener("visibilitychange", () => noteRead().catch(() => {}));
  toEnd();
  showCount(rooms().dataset);
  noteRead().catch(() => {});
}

if (panel) {
  begin(panel);
}
