/* Turning pushed notifications on in this browser: asks for leave, subscribes with the site's key, and
   sends what the browser gives as an ordinary form (templates/accounts/delivery.html). */

import { base64url, fromBase64url } from "../net/bytes.js";
import { gettext } from "./language.js";
import { present, required } from "./required.js";

/** @param {HTMLFormElement} form */
async function subscribe(form) {
  if ((await Notification.requestPermission()) !== "granted") {
    return gettext("This browser does not allow notifications from Turnstone; its settings say so.");
  }
  const registration = await navigator.serviceWorker.register(present(form.dataset.worker, "data-worker"), { type: "module" });
  const applicationServerKey = fromBase64url(present(form.dataset.key, "data-key"));
  // A browser refuses to subscribe with another key while it has a subscription.
  const old = await registration.pushManager.getSubscription();
  const oldKey = old?.options.applicationServerKey;
  if (old && oldKey && base64url(oldKey) !== form.dataset.key) {
    await old.unsubscribe();
  }
  const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  /** @param {PushEncryptionKeyName} name */
  const keyOf = (name) => base64url(present(subscription.getKey(name), name));
  required("input[name=endpoint]", form).value = subscription.endpoint;
  required("input[name=public_key]", form).value = keyOf("p256dh");
  required("input[name=secret]", form).value = keyOf("auth");
  form.submit();
  return "";
}

/** @param {HTMLFormElement} form */
function offer(form) {
  const button = required("button", form);
  const status = required("[role=status]", form);
  button.hidden = false;
  status.textContent = "";
  button.addEventListener("click", async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      status.textContent = await subscribe(form);
    } catch {
      status.textContent = gettext("The push service of this browser did not answer. Please try again later.");
    }
    button.disabled = false;
  });
}

const form = document.querySelector("form#push");
if (form && "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis) {
  offer(form);
}
