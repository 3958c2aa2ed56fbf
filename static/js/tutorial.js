/* A lesson: cards are chosen and played as at the table; the answer is laid over the page in place. */

import "./answers.js";
import * as choice from "./choice.js";
import { enableDragging } from "./drag.js";
import { enableKeys } from "./keyboard.js";
import { moveFrom, snapshot } from "./motion.js";
import { sound } from "./sound.js";

const byId = (id) => document.getElementById(id);
let playing = false;

/** Send the turn, lay the answer over the page, and go to what is next. */
async function play(move) {
  if (playing) return;
  playing = true;
  const form = byId("turn-form");
  const places = snapshot();
  try {
    await htmx.ajax("POST", form.action, { source: form, target: "#lesson", swap: "morph:innerHTML", values: { move } });
  } catch {
    // What could not be sent has been said; the cards go back.
    choice.putBack();
    return;
  } finally {
    playing = false;
  }
  // An answer that is no lesson has taken the place of the page.
  if (!byId("lesson")) return;
  choice.layOn();
  moveFrom(places);
  sound(byId("lesson-text").classList.contains("is-right") ? "place" : "over");
  byId("lesson-on")?.focus({ preventScroll: true });
  byId("lesson-words").scrollIntoView({ block: "nearest" });
}

choice.whenPlayed(play);

document.addEventListener("click", (event) => {
  const button = event.target.closest("#rows button.card");
  if (button) {
    event.preventDefault();
    choice.take(button);
  } else if (event.target.closest("#take")) {
    event.preventDefault();
    play("take");
  } else if (event.target.closest("#put-back") && choice.isChosen()) {
    event.preventDefault();
    choice.putBack();
  } else if (event.target.closest("#pile-cards .is-ghost[data-local]")) {
    choice.putBack();
  }
});

enableDragging((button) => choice.take(button));
enableKeys({
  takeUp({ atOnce }) {
    const take = byId("take");
    if (!take || take.hidden || (atOnce && byId("state").dataset.stage !== "take")) return false;
    take.click();
    return true;
  },
  putBack: choice.putBack,
  help() {},
});
