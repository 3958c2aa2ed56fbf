/*
 * Clocks that tick between two renderings. The server says how much was left when it rendered; from then on only this
 * page's own steady time counts, never its wall clock.
 */

const LOW = 20000;
const TENTHS = 10000;

/** Per clock: what the server said and when it was heard. */
const heard = new Map();
let onLow = () => {};

/** The moment at which this page's first bytes arrived: what it says was true then. */
function arrivedAt() {
  const [navigation] = performance.getEntriesByType("navigation");
  return navigation ? navigation.responseStart : 0;
}

function read(clock, at) {
  const key = `${clock.dataset.remainingMs} ${clock.hasAttribute("data-running")}`;
  if (heard.get(clock.id)?.key === key) return;
  heard.set(clock.id, { key, at, left: Number(clock.dataset.remainingMs), wasLow: false });
}

function text(left) {
  if (left < TENTHS) return `0:0${Math.floor(left / 1000)}.${Math.floor((left % 1000) / 100)}`;
  const seconds = Math.floor(left / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function tick() {
  for (const clock of document.querySelectorAll(".clock[data-running]")) {
    const known = heard.get(clock.id);
    if (!known) continue;
    const left = Math.max(0, known.left - (performance.now() - known.at));
    if (!clock.hasAttribute("data-days") || left < 600000) {
      const now = text(left);
      if (clock.textContent !== now) clock.textContent = now;
    }
    const low = left < LOW;
    clock.classList.toggle("is-low", low);
    if (low && !known.wasLow && clock.id === "near-clock") onLow();
    known.wasLow = low;
  }
}

/** Take the clocks of a new rendering, heard at `at` (of this page's performance clock). */
export function readClocks(at = performance.now()) {
  for (const clock of document.querySelectorAll(".clock[data-remaining-ms]")) read(clock, at);
  tick();
}

/** Start ticking; `low` is called once when the reader's own time runs low. */
export function startClocks(low = () => {}) {
  onLow = low;
  readClocks(arrivedAt());
  setInterval(tick, 100);
}
