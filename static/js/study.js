/* Analyses, tried moves and puzzles: links and forms work without a script; htmx swaps in what they lead to. */

import "./answers.js";

const STEPS = { ArrowLeft: "to-back", ArrowRight: "to-on", Home: "to-first", End: "to-last" };

// A card's button stands outside of the form that it sends, where htmx does not see which one was pressed.
document.addEventListener("htmx:configRequest", (event) => {
  const button = event.detail.triggeringEvent?.submitter;
  if (button?.name) event.detail.formData.set(button.name, button.value);
});

document.addEventListener("keydown", (event) => {
  const step = STEPS[event.key];
  if (!step || event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, details[open]")) return;
  const link = document.getElementById(step);
  if (!link?.hasAttribute("href")) return;
  event.preventDefault();
  link.click();
});

/** Scroll the list of turns, and nothing else, to the turn shown. */
function showLine() {
  const box = document.getElementById("turn-scroll");
  const line = box?.querySelector("[aria-current]")?.getBoundingClientRect();
  if (!line) return;
  const frame = box.getBoundingClientRect();
  box.scrollTop += line.top - frame.top - frame.height / 2 + line.height / 2;
}

document.addEventListener("htmx:afterSettle", showLine);
showLine();
