// Passkeys: a form that asks the browser for one before it is sent (WebAuthn, level 3).

import { base64url, fromBase64url } from "../net/bytes.js";
import { gettext } from "./language.js";

const WORDS = {
  create: gettext("The passkey could not be made. Please try again."),
  get: gettext("The passkey could not be used. Please try again."),
  missing: gettext("This browser has no passkeys."),
  number: gettext("Passkeys work only at the site’s name, not at a number such as 127.0.0.1."),
};

const withBytes = (credentials) => (credentials ?? []).map((one) => ({ ...one, id: fromBase64url(one.id) }));

/** Return options as the browser takes them: what the server wrote as text, as bytes. */
function read(options) {
  const key = { ...options, challenge: fromBase64url(options.challenge) };
  if (key.user) {
    key.user = { ...key.user, id: fromBase64url(key.user.id) };
  }
  if (key.excludeCredentials) {
    key.excludeCredentials = withBytes(key.excludeCredentials);
  }
  if (key.allowCredentials) {
    key.allowCredentials = withBytes(key.allowCredentials);
  }
  return key;
}

/** Return a credential as the server takes it: all bytes as text. */
function written(credential) {
  const response = {};
  for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (credential.response[name]) {
      response[name] = base64url(credential.response[name]);
    }
  }
  return {
    id: credential.id,
    rawId: base64url(credential.rawId),
    type: credential.type,
    clientExtensionResults: credential.getClientExtensionResults(),
    response,
  };
}

/** Return the options that stand in the page, or that its address gives. */
async function optionsOf(form) {
  const given = document.getElementById("passkey-options");
  if (given) {
    return JSON.parse(given.textContent).publicKey;
  }
  const answer = await fetch(form.action, {
    headers: { Accept: "application/json", "X-Requested-With": "XMLHttpRequest" },
  });
  if (!answer.ok) {
    throw new Error(`The server answered ${answer.status}.`);
  }
  return (await answer.json()).request_options.publicKey;
}

async function ask(form) {
  const kind = form.dataset.passkey;
  const publicKey = read(await optionsOf(form));
  const credential = await navigator.credentials[kind]({ publicKey });
  form.elements.credential.value = JSON.stringify(written(credential));
  form.submit();
}

function refuse(form, words) {
  const place = form.querySelector("[data-passkey-error]");
  place.textContent = words;
  place.hidden = false;
}

for (const form of document.querySelectorAll("[data-passkey]")) {
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!window.PublicKeyCredential) {
      refuse(form, WORDS.missing);
      return;
    }
    try {
      await ask(form);
    } catch (error) {
      // Browsers refuse passkeys for an IP address with this error.
      refuse(form, WORDS[error instanceof DOMException && error.name === "SecurityError" ? "number" : form.dataset.passkey]);
    }
  });
}
