/* The whole table by keyboard: arrows within the hand, "9H" to go to a card, T to pick up, Escape to put back, ? for help. */

const RANKS = "23456789TJQKA";
const SUITS = "CDHS";
const PATIENCE = 900;

/** Whether letters, digits and signs alone do something: who speaks to a computer, or presses by accident, switches that off. */
export const singleKeys = () => !document.documentElement.hasAttribute("data-no-keys");

/** The letter or digit of a key by its place, so that it is the same on a keyboard of any script. */
function letter(event) {
  const match = /^(?:Key([A-Z])|(?:Digit|Numpad)([0-9]))$/.exec(event.code);
  return match ? (match[1] ?? match[2]) : "";
}

function buttons() {
  return [...document.querySelectorAll("#rows button.card")];
}

function nearestInRow(from, upwards) {
  const box = from.getBoundingClientRect();
  let best = null;
  for (const button of buttons()) {
    const other = button.getBoundingClientRect();
    const down = other.top - box.top;
    if (upwards ? down > -12 : down < 12) continue;
    const distance = Math.abs(down) * 4 + Math.abs(other.left - box.left);
    if (!best || distance < best.distance) best = { button, distance };
  }
  return best?.button;
}

function walk(key) {
  const all = buttons();
  const at = all.indexOf(document.activeElement);
  if (at < 0) return all[0];
  if (key === "ArrowLeft") return all.at(at - 1);
  if (key === "ArrowRight") return all[(at + 1) % all.length];
  if (key === "Home") return all[0];
  if (key === "End") return all.at(-1);
  return nearestInRow(all[at], key === "ArrowUp");
}

/** Listen for keys; `actions` has `takeUp()`, `putBack()` and `help()`. */
export function enableKeys(actions) {
  let typed = "";
  let timer = 0;
  const wait = (then) => {
    clearTimeout(timer);
    timer = setTimeout(() => { const was = typed; typed = ""; then?.(was); }, PATIENCE);
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.target.closest("input, textarea, select, dialog[open], [contenteditable]")) return;
    if (["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"].includes(event.key)) {
      if (!event.target.closest("#rows") && event.target !== document.body && event.target.id !== "content") return;
      const button = walk(event.key);
      if (button) { event.preventDefault(); button.focus(); }
      return;
    }
    if (event.key === "Escape") { typed = ""; actions.putBack(); return; }
    if (!singleKeys()) return;
    if (event.key === "?") { event.preventDefault(); actions.help(); return; }
    const key = letter(event);
    if (!key) return;
    if (typed && SUITS.includes(key)) {
      const card = document.getElementById(`card-${typed}${key}`);
      typed = "";
      clearTimeout(timer);
      if (card?.matches("#rows .card")) card.focus();
    } else if (typed === "1" && key === "0") {
      typed = "T";
      wait();
    } else if (key === "T") {
      typed = "T";
      if (actions.takeUp({ atOnce: true })) typed = "";
      else wait((was) => was === "T" && actions.takeUp({ atOnce: false }));
    } else if (RANKS.includes(key) || key === "1") {
      typed = key;
      wait();
    }
  });
}
