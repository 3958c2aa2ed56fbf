/*
 * Shows what happened since the reader left, turn by turn, in a strip above the table. Without this script the turns
 * stand there as a list; for those who want less motion they wait to be stepped through.
 */

const STEP = 2200;

const recap = document.getElementById("recap");
const steps = [...recap.querySelectorAll(".recap-steps > li")];
const button = (does) => recap.querySelector(`[data-recap="${does}"]`);
const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
let at = 0;
let timer = 0;

/** Mark the cards that a turn laid, so that they arrive one after the other. */
function markLaid(step) {
  const cards = [...step.querySelectorAll(".recap-pile .card")];
  const laid = Number(step.dataset.laid);
  cards.forEach((card, index) => card.classList.toggle("is-laid", index >= cards.length - laid));
}

function show(step) {
  steps[at].classList.remove("is-now");
  at = Math.max(0, Math.min(step, steps.length - 1));
  markLaid(steps[at]);
  steps[at].classList.add("is-now");
  button("back")?.setAttribute("aria-disabled", String(at === 0));
  button("on")?.setAttribute("aria-disabled", String(at === steps.length - 1));
}

function goOn() {
  show(at + 1);
  if (at < steps.length - 1) timer = setTimeout(goOn, STEP);
}

recap.addEventListener("click", (event) => {
  const action = event.target.closest("[data-recap]")?.dataset.recap;
  if (action) clearTimeout(timer);
  if (action === "back") show(at - 1);
  if (action === "on") show(at + 1);
  if (action === "close") {
    recap.remove();
    document.getElementById("content").focus({ preventScroll: true });
  }
});

recap.classList.add("is-playing");
show(0);
if (!calm && steps.length > 1) timer = setTimeout(goOn, STEP);

// A turn that is made makes the news old.
document.addEventListener("htmx:wsAfterMessage", () => {
  const turn = Number(document.getElementById("state")?.dataset.turn);
  if (turn <= Number(recap.dataset.turn)) return;
  clearTimeout(timer);
  recap.remove();
});
