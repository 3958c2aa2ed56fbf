/* Short sounds, made on the spot; silent unless the reader has switched sounds on in the preferences. The body
   says so, and how loud: `data-sounds="70"`, of 100. */

let audio = null;
let out = null;

function context() {
  if (!document.body.hasAttribute("data-sounds")) return null;
  if (!audio) {
    audio = new AudioContext();
    out = audio.createGain();
    // Loudness is heard about as the square of what is set.
    out.gain.value = (Number(document.body.dataset.sounds) / 70) ** 2;
    out.connect(audio.destination);
  }
  if (audio.state === "suspended") audio.resume();
  return audio;
}

function tone(frequency, start, length, loudness, type = "sine") {
  const at = audio.currentTime + start;
  const oscillator = audio.createOscillator();
  const gain = audio.createGain();
  oscillator.type = type;
  oscillator.frequency.value = frequency;
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loudness, at + 0.01);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  oscillator.connect(gain).connect(out);
  oscillator.start(at);
  oscillator.stop(at + length);
}

/** A brush of card on felt: a burst of falling noise. */
function brush(start, length, loudness) {
  const at = audio.currentTime + start;
  const buffer = audio.createBuffer(1, audio.sampleRate * length, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let index = 0; index < samples.length; index++) {
    samples[index] = (Math.random() * 2 - 1) * (1 - index / samples.length) ** 3 * loudness;
  }
  const source = audio.createBufferSource();
  const filter = audio.createBiquadFilter();
  filter.type = "lowpass";
  filter.frequency.value = 1800;
  source.buffer = buffer;
  source.connect(filter).connect(out);
  source.start(at);
}

const SOUNDS = {
  place: () => brush(0, 0.09, 0.5),
  pickup: () => [0, 0.07, 0.14].forEach((start) => brush(start, 0.1, 0.3)),
  turn: () => tone(660, 0.2, 0.25, 0.08),
  won: () => [523, 659, 784].forEach((frequency, index) => tone(frequency, 0.25 + index * 0.14, 0.5, 0.08)),
  over: () => tone(392, 0.25, 0.6, 0.08),
  low: () => [0, 0.2].forEach((start) => tone(880, start, 0.14, 0.08, "triangle")),
};

/** Play a sound by its name: place, pickup, turn, won, over or low. */
export function sound(name) {
  if (context()) SOUNDS[name]();
}
