/* Sentences in the language of the page. A page in another language than English loads a catalogue before its
   scripts (templates/base.html), which sets `django`; without it each message is the English that stands here.

   Messages are whole sentences with named values: interpolate(gettext("From %(place)s"), { place }). */

/** @typedef {object} Catalogue what Django's JavaScriptCatalog makes
    @property {(message: string) => string} gettext
    @property {(singular: string, plural: string, number: number) => string} ngettext
    @property {(context: string, message: string) => string} pgettext */

const VALUE = /%\((\w+)\)s/g;

/** @returns {Catalogue | undefined} */
const catalogue = () => /** @type {any} */ (globalThis).django;

/** The language of the page, as `Intl` wants it.

    @returns {string} */
export const language = () => globalThis.document?.documentElement?.lang || "en-GB";

/** Translate a message.

    @param {string} message
    @returns {string} */
export function gettext(message) {
  return catalogue()?.gettext(message) ?? message;
}

/** Translate a message that counts something.

    @param {string} singular
    @param {string} plural
    @param {number} number
    @returns {string} */
export function ngettext(singular, plural, number) {
  return catalogue()?.ngettext(singular, plural, number) ?? (number === 1 ? singular : plural);
}

/** Translate a message that has several meanings; the context says which one.

    @param {string} context
    @param {string} message
    @returns {string} */
export function pgettext(context, message) {
  return catalogue()?.pgettext(context, message) ?? message;
}

/** Put values into a message.

    @param {string} message
    @param {Record<string, string | number | bigint>} values
    @returns {string} */
export function interpolate(message, values) {
  return message.replaceAll(VALUE, (_, name) => String(values[name]));
}

/** Write a number.

    @param {number} number
    @param {Intl.NumberFormatOptions} [options]
    @returns {string} */
export function inDigits(number, options) {
  return number.toLocaleString(language(), options);
}
