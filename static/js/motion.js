/*
 * Cards travel: where each lay is noted before a change, and afterwards each comes from there. Nothing waits for it, a
 * second change simply starts from where the cards are, and there is none of it for readers who asked for less motion.
 */

const WAY = 180;
const EASE = "cubic-bezier(.2, .7, .3, 1)";
const less = matchMedia("(prefers-reduced-motion: reduce)");

function cardsShown() {
  const cards = new Map();
  for (const card of document.querySelectorAll("#far .card, #rows .card:not(.is-chosen), #pile-cards .card")) {
    cards.set(card.dataset.card, card);
  }
  return cards;
}

/** Note where every card lies, and which lay on the pile. */
export function snapshot() {
  const places = new Map();
  if (less.matches) return places;
  for (const [code, card] of cardsShown()) {
    places.set(code, { box: card.getBoundingClientRect(), onPile: Boolean(card.closest("#pile-cards")), card });
  }
  return places;
}

function fromTo(element, from, delay) {
  const to = element.getBoundingClientRect();
  const x = from.left - to.left;
  const y = from.top - to.top;
  const scale = from.width / (to.width || 1);
  if (Math.abs(x) + Math.abs(y) < 2 && Math.abs(scale - 1) < 0.02) return;
  element.animate(
    [{ transform: `translate(${x}px, ${y}px) scale(${scale})`, transformOrigin: "0 0" }, { transformOrigin: "0 0" }],
    { duration: WAY, delay, easing: EASE, fill: "backwards" },
  );
}

/** Let a picture of a card that has left the pile for a closed hand fly there. */
function flyAway(place, target, delay) {
  const ghost = place.card.cloneNode(true);
  ghost.removeAttribute("id");
  ghost.setAttribute("aria-hidden", "true");
  Object.assign(ghost.style, {
    position: "fixed", margin: 0, zIndex: 40, left: `${place.box.left}px`, top: `${place.box.top}px`, width: `${place.box.width}px`,
  });
  document.body.append(ghost);
  const x = target.left + target.width / 2 - place.box.left - place.box.width / 2;
  const y = target.top + target.height / 2 - place.box.top - place.box.height / 2;
  ghost
    .animate([{}, { transform: `translate(${x}px, ${y}px) scale(.4)`, opacity: 0.3 }], {
      duration: WAY * 1.4, delay, easing: EASE, fill: "both",
    })
    .finished.finally(() => ghost.remove());
}

/** Move the cards from where they lay, one after the other where several reach the pile. */
export function moveFrom(places) {
  if (less.matches || !places.size) return;
  const far = (document.querySelector("#far .backs, #far .small-hand") ?? document.getElementById("far")).getBoundingClientRect();
  const pile = document.getElementById("pile-cards").getBoundingClientRect();
  const after = cardsShown();
  let arrivals = 0;
  for (const [code, card] of after) {
    const place = places.get(code);
    const onPile = Boolean(card.closest("#pile-cards"));
    if (place) {
      fromTo(card, place.box, onPile && !place.onPile ? WAY * arrivals++ : 0);
    } else if (onPile) {
      const width = 40;
      fromTo(card, { left: far.left + far.width / 2 - width / 2, top: far.top, width }, WAY * arrivals++);
    } else {
      fromTo(card, { left: pile.left + pile.width / 2, top: pile.top, width: pile.height / 1.6 }, 0);
    }
  }
  let leaving = 0;
  for (const [code, place] of places) {
    if (place.onPile && !after.has(code)) flyAway(place, far, 40 * leaving++);
  }
}
