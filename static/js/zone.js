/* Tells forms that make somebody a user the device's time zone, so that times are right from the start.
   Without script it is UTC, until the preferences say otherwise. */

for (const field of document.querySelectorAll("input[type='hidden'][name='time_zone']")) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
}
