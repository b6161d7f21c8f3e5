// A few short tones: a card, one's own turn, time that runs short. Silent unless switched on.

let context = null;

const TUNES = {
  card: [[520, 0, 0.05]],
  turn: [[660, 0, 0.12], [880, 0.13, 0.18]],
  warning: [[440, 0, 0.1], [440, 0.16, 0.1]],
  fault: [[220, 0, 0.15]],
};

/** @param {keyof typeof TUNES} name */
export function sound(name) {
  if (document.documentElement.dataset.sound !== "on" || !globalThis.AudioContext) return;
  context ??= new AudioContext();
  // Until the reader has touched the page, browsers keep it silent; then nothing is caught up.
  if (context.state === "suspended") context.resume();
  for (const [pitch, after, length] of TUNES[name]) {
    const start = context.currentTime + after;
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.0001, start);
    volume.gain.exponentialRampToValueAtTime(0.15, start + 0.01);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + length);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + length + 0.02);
  }
}
