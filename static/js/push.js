/* Turning pushed notifications on in this browser: asks for leave, subscribes with the site's key, and
   sends what the browser gives as an ordinary form (templates/accounts/delivery.html). */

const form = document.querySelector("#push");
const button = form?.querySelector("button");
const status = form?.querySelector("[role=status]");

const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.codePointAt(0));

const textOf = (buffer) =>
  btoa(String.fromCodePoint(...new Uint8Array(buffer)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

async function subscribe() {
  if ((await Notification.requestPermission()) !== "granted") {
    return "This browser does not allow notifications from Turnstone; its settings say so.";
  }
  const registration = await navigator.serviceWorker.register(form.dataset.worker, { type: "module" });
  const applicationServerKey = bytesOf(form.dataset.key);
  const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
  form.endpoint.value = subscription.endpoint;
  form.public_key.value = textOf(subscription.getKey("p256dh"));
  form.secret.value = textOf(subscription.getKey("auth"));
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
