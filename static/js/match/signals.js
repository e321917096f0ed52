/* What tells by ear and hand that the reader's turn has come, while the page is open. Both are off at first; the
   device keeps what is switched on. */

const NOTES = [
  [523.25, 0],
  [783.99, 0.14],
];
const LENGTH = 0.4;
const LOUDNESS = 0.15;
const SILENCE = 0.0001;
const PULSES = [120, 80, 120];
const SIGNALS = { sound: ring, vibration: vibrate };

let audio = null;
let wasTurn = true;

const keyOf = (name) => `match-${name}`;
const isOn = (name) => localStorage.getItem(keyOf(name)) !== null;

/** Play two notes that fade. */
function ring() {
  audio ??= new AudioContext();
  audio.resume();
  for (const [pitch, wait] of NOTES) {
    const at = audio.currentTime + wait;
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(LOUDNESS, at);
    volume.gain.exponentialRampToValueAtTime(SILENCE, at + LENGTH);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + LENGTH);
  }
}

function vibrate() {
  navigator.vibrate(PULSES);
}

/** Signal that the turn has come, if it was not there when the page was shown before. */
export function ready() {
  const isTurn = document.querySelector("#match-entry.action-turn") !== null;
  if (isTurn && !wasTurn) {
    Object.keys(SIGNALS)
      .filter(isOn)
      .forEach((name) => SIGNALS[name]());
  }
  wasTurn = isTurn;
}

/** Keep what is switched on or off; what is switched on is tried at once. */
function onChange({ target: { name, checked } }) {
  if (checked) {
    localStorage.setItem(keyOf(name), "");
    SIGNALS[name]();
  } else {
    localStorage.removeItem(keyOf(name));
  }
}

function begin(box) {
  const canVibrate = "vibrate" in navigator && matchMedia("(pointer: coarse)").matches;
  box.hidden = false;
  box.querySelector("[name=vibration]").closest("p").hidden = !canVibrate;
  for (const field of box.querySelectorAll("[type=checkbox]")) {
    field.checked = isOn(field.name);
  }
  box.addEventListener("change", onChange);
}

const settings = document.getElementById("signals");
if (settings) {
  begin(settings);
}
