/* Bytes as text: hexadecimal, and base64url as WebAuthn and Web Push write it. */

/** Return bytes in hexadecimal.

    @param {ArrayBuffer | Uint8Array} buffer
    @returns {string} */
export const hex = (buffer) =>
  Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Return the bytes that a hexadecimal text stands for.

    @param {string} text
    @returns {Uint8Array<ArrayBuffer>} */
export const fromHex = (text) =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

/** Return bytes in base64url, without padding.

    @param {ArrayBuffer} buffer
    @returns {string} */
export const base64url = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** Return the bytes that a text in base64url stands for.

    @param {string} text
    @returns {Uint8Array<ArrayBuffer>} */
export const fromBase64url = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));

/** Return the SHA-256 of bytes.

    @param {Uint8Array<ArrayBuffer>} bytes
    @returns {Promise<Uint8Array<ArrayBuffer>>} */
export const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
