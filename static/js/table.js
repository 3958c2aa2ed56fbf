/* The table: turns, offers and questions go out through the socket, the server's rendering of the table comes in. */

import * as choice from "./choice.js";
import { readClocks, startClocks } from "./clock.js";
import { enableDragging } from "./drag.js";
import { enableKeys } from "./keyboard.js";
import { moveFrom, snapshot } from "./motion.js";
import { refuse } from "./refusal.js";
import { firstLink, reconnect, send } from "./socket.js";
import { sound } from "./sound.js";

const ANSWER_WITHIN = 5000;
const LINK_WITHIN = 3000;

const byId = (id) => document.getElementById(id);
const state = () => byId("state").dataset;

let answerTimer = 0;

const isBusy = () => byId("table").getAttribute("aria-busy") === "true";

function expectAnswer() {
  byId("table").setAttribute("aria-busy", "true");
  clearTimeout(answerTimer);
  answerTimer = setTimeout(() => {
    refuse("lost");
    reconnect();
  }, ANSWER_WITHIN);
}

/**
 * Send a turn now, or say that it was not sent; it is never kept for later. Only the first link of a page that has just
 * been opened is waited for.
 */
async function play(move) {
  const turn = { action: "play", turn: Number(state().turn), move };
  byId("table").setAttribute("aria-busy", "true");
  if (!send(turn)) {
    await firstLink(LINK_WITHIN);
    if (!send(turn)) {
      byId("table").removeAttribute("aria-busy");
      refuse("offline");
      choice.putBack();
      return;
    }
  }
  expectAnswer();
}

choice.whenPlayed(play);

document.addEventListener("click", (event) => {
  const button = event.target.closest("#rows button.card");
  if (button) {
    event.preventDefault();
    if (!isBusy()) choice.take(button);
  } else if (event.target.closest("#put-back") && choice.isChosen()) {
    event.preventDefault();
    choice.putBack();
  } else if (event.target.closest("#play")) {
    choice.playArmed();
  } else if (event.target.closest("#show-keys")) {
    byId("keys").showModal();
  } else if (event.target.closest("#pile-cards .is-ghost[data-local]")) {
    choice.putBack();
  }
});

byId("turn-form").addEventListener("submit", (event) => {
  event.preventDefault();
  if (event.submitter?.id === "take") choice.pickUp();
  else if (event.submitter?.name === "move") play(event.submitter.value);
});

// What stands beside the table is asked for in place, so that the page stays where it is; without a link the form is posted.
byId("act-form").addEventListener("submit", (event) => {
  const button = event.submitter;
  if (!button?.closest("#asked, #ask-hint, #offers")) return;
  const fields = { action: new URL(button.formAction).pathname.split("/").at(-2), turn: Number(state().turn) };
  if (button.name) fields[button.name] = button.value;
  if (isBusy()) event.preventDefault();
  else if (send(fields)) {
    event.preventDefault();
    expectAnswer();
  }
});

/** Where the focus was in the hand, so that it can go to a neighbour when that card has been played. */
function focusPlace() {
  const buttons = [...document.querySelectorAll("#rows button.card")];
  return buttons.indexOf(document.activeElement);
}

function keepFocus(place, wasAction) {
  if (document.activeElement !== document.body && document.activeElement !== null) return;
  const buttons = document.querySelectorAll("#rows button.card");
  if (place >= 0 && buttons.length) buttons[Math.min(place, buttons.length - 1)].focus({ preventScroll: true });
  else if (wasAction) (buttons[0] ?? byId("content")).focus({ preventScroll: true });
}

function tellBySound(before) {
  const now = state();
  if (before.turn === now.turn && before.outcome === now.outcome) return;
  if (now.outcome && !before.outcome) sound(now.outcome === "won" ? "won" : "over");
  else sound(Number(now.pile) < before.pile ? "pickup" : "place");
  if (["lead", "beat", "take"].includes(now.stage) && before.turn !== now.turn) sound("turn");
}

/** Bring the result into sight: who resigns may have scrolled far below the table. */
function showResult() {
  const { top, bottom } = byId("result").getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) byId("result").scrollIntoView({ block: "center" });
}

function atBottom(box) {
  return box.scrollHeight - box.scrollTop - box.clientHeight < 60;
}

let pending = null;

document.addEventListener("htmx:wsBeforeMessage", (event) => {
  if (event.defaultPrevented || !event.detail.message.includes('id="pile"')) return;
  const scroll = byId("turn-scroll");
  pending = {
    places: snapshot(),
    focus: focusPlace(),
    wasAction: Boolean(document.activeElement?.closest("#actions, #asked, #offers, #result")),
    follow: atBottom(scroll),
    state: { ...state(), pile: Number(state().pile) },
  };
});

// New lines come wrapped in a list of their own, which stays out; a line that is there already is not added twice.
document.addEventListener("htmx:oobBeforeSwap", (event) => {
  if (event.detail.target?.id !== "turn-list") return;
  const lines = [...event.detail.fragment.querySelectorAll("li[id]")];
  event.detail.fragment.replaceChildren(...lines.filter((line) => !byId(line.id)));
});

document.addEventListener("htmx:wsAfterMessage", () => {
  if (!pending) return;
  const { places, focus, wasAction, follow, state: before } = pending;
  pending = null;
  clearTimeout(answerTimer);
  byId("table").removeAttribute("aria-busy");
  readClocks();
  choice.layOn();
  document.title = state().title;
  keepFocus(focus, wasAction);
  const scroll = byId("turn-scroll");
  if (follow) scroll.scrollTop = scroll.scrollHeight;
  moveFrom(places);
  tellBySound(before);
  if (state().outcome && !before.outcome) showResult();
});

startClocks(() => sound("low"));
enableDragging((button) => choice.take(button));
enableKeys({
  takeUp({ atOnce }) {
    const take = byId("take");
    if (!take || take.hidden || (atOnce && state().stage !== "take")) return false;
    take.click();
    return true;
  },
  putBack: choice.putBack,
  help: () => byId("keys").showModal(),
});
byId("turn-scroll").scrollTop = byId("turn-scroll").scrollHeight;
