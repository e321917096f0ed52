/* The chat of a match: lines go out without leaving the page, those of others come in by themselves, and
   what has been in sight counts as read. Without script it is a form, and a page of its own.

   <section id="match-chat" data-chat="…" data-read="…"> holds <div id="chat-rooms" data-unread data-last>;
   elsewhere, <span data-chat-count hidden> shows how many lines are new. */

import { parse } from "../net/patches.js";

const panel = document.getElementById("match-chat");
const form = document.querySelector("form#chat-form");
const field = document.querySelector("textarea#chat-text");

let noted = 0;
let asking = Promise.resolve();

const rooms = () => document.getElementById("chat-rooms");
const isInSight = () => document.visibilityState === "visible" && rooms().checkVisibility();

/** @param {DOMStringMap} counted `unread` says how many lines are new */
function showCount({ unread }) {
  for (const count of document.querySelectorAll("[data-chat-count]")) {
    count.hidden = unread === "0";
    count.firstChild.textContent = unread;
  }
}

function toEnd() {
  for (const list of rooms().querySelectorAll(".chat-lines")) {
    list.scrollTop = list.scrollHeight;
  }
}

function say(sentence) {
  const error = document.getElementById("chat-error");
  error.textContent = sentence;
  error.hidden = !sentence;
}

/** Tell the site how far the chat was read, once for each line, while it can be seen. */
async function noteRead() {
  const last = Number(rooms().dataset.last);
  const token = document.querySelector("input[name=csrfmiddlewaretoken]")?.value;
  if (!isInSight() || last <= noted || !token) {
    return;
  }
  noted = last;
  showCount({ unread: "0" });
  const body = new URLSearchParams({ line: String(last), csrfmiddlewaretoken: token });
  await fetch(panel.dataset.read, { method: "POST", body });
}

/** Put fetched lines in the place of those on the page; a menu that is open stays. */
function show(page) {
  const fresh = page.querySelector("#chat-rooms");
  const open = rooms().querySelector(".chat-menu[open]")?.closest(".chat-line").id;
  rooms().replaceWith(fresh);
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
    .then(() => fetch(`${panel.dataset.chat}?part=chat`))
    .then((response) => (response.ok ? response.text() : Promise.reject(new Error(String(response.status)))))
    .then((html) => show(parse(html)))
    .catch(() => {});
}

async function send() {
  const response = await fetch(`${form.action}?part=chat`, { method: "POST", body: new FormData(form) });
  const page = parse(await response.text());
  const fresh = page.querySelector("#chat-rooms");
  if (!fresh) {
    say(`${response.ok ? "You are not signed in any more." : "That did not work."} What you wrote is kept.`);
    return;
  }
  say(page.querySelector("#chat-error").textContent);
  if (response.ok) {
    field.value = field.defaultValue = "";
    form.querySelector("input[name=submission]").value = page.querySelector("input[name=submission]").value;
  }
  show(page);
}

function onSubmit(event) {
  event.preventDefault();
  const button = form.querySelector("button");
  if (button.disabled || !field.value.trim()) {
    return;
  }
  button.disabled = true;
  send()
    .catch(() => say("The site could not be reached. What you wrote is kept."))
    .finally(() => {
      button.disabled = false;
    });
}

function onKey(event) {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    form.requestSubmit();
  }
}

/** Bring a menu that was opened into sight. */
function onToggle({ target }) {
  if (target.open) {
    target.closest(".chat-line").scrollIntoView({ block: "nearest" });
  }
}

function begin() {
  panel.addEventListener("toggle", onToggle, true);
  form?.addEventListener("submit", onSubmit);
  field?.addEventListener("keydown", onKey);
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
  begin();
}
