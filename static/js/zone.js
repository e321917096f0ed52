/* Tells the form of registration the device's time zone, so that times are right from the start.
   Without script it is UTC, until the preferences say otherwise. */

const field = document.querySelector("input[name='time_zone']");

if (field) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
}
