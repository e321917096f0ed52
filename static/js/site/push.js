/* Turning pushed notifications on in this browser: asks for leave, subscribes with the site's key, and
   sends what the browser gives as an ordinary form (templates/accounts/delivery.html). */

import { base64url, fromBase64url } from "../net/bytes.js";

const form = document.querySelector("form#push");
const button = form?.querySelector("button");
const status = form?.querySelector("[role=status]");

async function subscribe() {
  if ((await Notification.requestPermission()) !== "granted") {
    return "This browser does not allow notifications from Turnstone; its settings say so.";
  }
  const registration = await navigator.serviceWorker.register(form.dataset.worker, { type: "module" });
  const applicationServerKey = fromBase64url(form.dataset.key);
  // A browser refuses to subscribe with another key while it has a subscription.
  const old = await registration.pushManager.getSubscription();
  const oldKey = old?.options.applicationServerKey;
  if (oldKey && base64url(oldKey) !== form.dataset.key) {
    await old.unsubscribe();
  }
  const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  form.querySelector("input[name=endpoint]").value = subscription.endpoint;
  form.querySelector("input[name=public_key]").value = base64url(subscription.getKey("p256dh"));
  form.querySelector("input[name=secret]").value = base64url(subscription.getKey("auth"));
  form.submit();
  return "";
}

if (form && "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis) {
  button.hidden = false;
  status.textContent = "";
  button.addEventListener("click", async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      status.textContent = await subscribe();
    } catch {
      status.textContent = "The push service of this browser did not answer. Please try again later.";
    }
    button.disabled = false;
  });
}
