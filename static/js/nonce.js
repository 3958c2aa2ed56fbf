/*
 * Draws the number that the accepting side adds to a deal, so that it is not the server that draws it. Where the field is
 * seen it can be read, and changed, before the form is sent; a hidden one is drawn as it is sent.
 */

const BYTES = 32;

function draw(field) {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  field.value = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

document.querySelectorAll("[data-draw]:not([type=hidden])").forEach(draw);

// In the capture phase, so that whoever sends the form otherwise finds it filled.
document.addEventListener("submit", ({ target }) => {
  for (const field of target.elements) if (field.dataset.draw !== undefined && !field.value) draw(field);
}, true);
