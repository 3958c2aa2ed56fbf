/*
 * Shows what happened since the reader left, turn by turn. Without this script, and for those who want less motion, the
 * turns stand there as a list.
 */

const STEP = 2200;

const recap = document.getElementById("recap");
const steps = recap ? [...recap.querySelectorAll(".recap-steps > li")] : [];
let at = -1;
let timer = 0;

/** Mark the cards that a turn laid, so that they arrive one after the other. */
function markLaid(step) {
  const cards = [...step.querySelectorAll(".recap-pile .card")];
  const laid = Number(step.dataset.laid);
  cards.forEach((card, index) => card.classList.toggle("is-laid", index >= cards.length - laid));
}

/** Leave what is shown there to be read until the reader plays or closes it. */
function finish() {
  clearTimeout(timer);
  recap.querySelector('[data-recap="next"]').hidden = true;
  const close = recap.querySelector('[data-recap="skip"]');
  close.textContent = close.dataset.close;
}

function advance() {
  clearTimeout(timer);
  steps[at]?.classList.remove("is-now");
  at += 1;
  markLaid(steps[at]);
  steps[at].classList.add("is-now");
  if (at === steps.length - 1) finish();
  else timer = setTimeout(advance, STEP);
}

if (recap) {
  const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  recap.querySelector(".recap-actions").hidden = false;
  recap.addEventListener("click", (event) => {
    const action = event.target.closest("[data-recap]")?.dataset.recap;
    if (action === "next") advance();
    if (action === "skip") {
      clearTimeout(timer);
      recap.remove();
      document.getElementById("content").focus({ preventScroll: true });
    }
  });
  if (calm || steps.length === 0) {
    finish();
  } else {
    recap.classList.add("is-playing");
    advance();
  }
  // A turn that is made makes the news old.
  document.addEventListener("htmx:wsAfterMessage", () => {
    const turn = Number(document.getElementById("state")?.dataset.turn);
    if (turn > Number(recap.dataset.turn)) recap.remove();
  });
}
