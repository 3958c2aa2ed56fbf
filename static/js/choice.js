/*
 * Choosing cards: first the one that beats, then the one that covers. The server knows nothing of it until the turn is
 * sent; the page shows the choice on top of what the server rendered, and lays it on again after each push.
 */

import { moveFrom, snapshot } from "./motion.js";

const PICK_UP = "take";

/** @type {{turn: string, beat: string, armed: string} | null} `armed` is a whole turn that waits to be sent. */
let choice = null;
let onPlay = () => {};
let whyTimer = 0;

const WHY_SHOWN = 2500;
const SIGNS = { C: "♣", D: "♦", H: "♥", S: "♠" };

const byId = (id) => document.getElementById(id);
const state = () => byId("state").dataset;
const cardButtons = () => byId("rows")?.querySelectorAll("button.card") ?? [];

/** Set what sends a turn; it is called with the turn in notation. */
export function whenPlayed(callback) {
  onPlay = callback;
}

/** Whether a card is chosen or a turn is armed. */
export function isChosen() {
  return choice !== null;
}

function change(next) {
  const places = snapshot();
  choice = next;
  layOn();
  moveFrom(places);
}

/** Put everything back: a mistake costs nothing until the turn is sent. */
export function putBack() {
  if (choice) change(null);
}

function offer(move, beat) {
  if (!state().hasOwnProperty("confirm")) onPlay(move);
  else if (choice?.armed === move) playArmed();
  else change({ turn: state().turn, beat, armed: move });
}

/** Pick up, at once or when asked a second time, as the player prefers. */
export function pickUp() {
  offer(PICK_UP, "");
}

/** Send the turn that waits for it. */
export function playArmed() {
  if (choice?.armed) onPlay(choice.armed);
}

/** Say in the place of what is asked that a card does not beat the top, until it has been read. */
function sayWhy(button) {
  const slot = byId("ask-why")?.querySelector("[data-slot]");
  if (!slot) return;
  const [rank, suit] = button.dataset.card;
  slot.textContent = `${rank === "T" ? "10" : rank}${SIGNS[suit]}`;
  slot.setAttribute("aria-label", button.getAttribute("aria-label"));
  showAsked("ask-why");
  clearTimeout(whyTimer);
  whyTimer = setTimeout(layOn, WHY_SHOWN);
}

function showAsked(asked) {
  for (const id of ["ask", "ask-why", "ask-cover", "ask-armed", "ask-take"]) if (byId(id)) byId(id).hidden = id !== asked;
}

/** Do what a click on this card of the hand means now; where it means nothing say why, and return false. */
export function take(button) {
  const code = button.dataset.card;
  if (button.getAttribute("aria-disabled") === "true") {
    sayWhy(button);
    return false;
  }
  if (choice?.beat === code) {
    putBack();
  } else if (choice?.beat) {
    offer(`${choice.beat}+${code}`, choice.beat);
  } else if (button.name === "beat") {
    change({ turn: state().turn, beat: code, armed: "" });
    navigator.vibrate?.(8);
  } else {
    offer(button.value, "");
  }
  return true;
}

function layGhost(code) {
  const ghost = document.querySelector(`#rows [data-card="${code}"]`)?.cloneNode(true);
  if (!ghost) return;
  const card = document.createElement("span");
  card.append(...ghost.childNodes);
  card.className = "card is-ghost";
  card.dataset.card = code;
  card.dataset.suit = code[1];
  if (ghost.dataset.trump) card.dataset.trump = ghost.dataset.trump;
  card.setAttribute("aria-hidden", "true");
  card.toggleAttribute("data-local", true);
  byId("pile-cards").append(card);
}

/** Show the present choice on the page as it stands; the same again changes nothing. */
export function layOn() {
  if (choice && choice.turn !== state().turn) choice = null;
  document.querySelectorAll("#pile-cards [data-local]").forEach((ghost) => ghost.remove());
  const picksUp = choice?.armed === PICK_UP;
  const cover = choice?.armed && !picksUp ? choice.armed.split("+").pop() : "";
  const beat = choice?.beat ?? "";
  for (const button of cardButtons()) {
    if (beat && button.hasAttribute("aria-disabled")) {
      button.removeAttribute("aria-disabled");
      button.toggleAttribute("data-opened", true);
    } else if (!beat && button.hasAttribute("data-opened")) {
      button.setAttribute("aria-disabled", "true");
      button.removeAttribute("data-opened");
    }
    const code = button.dataset.card;
    const laid = code === beat || code === cover;
    button.classList.toggle("is-chosen", laid);
    if (laid) button.setAttribute("aria-pressed", "true");
    else button.removeAttribute("aria-pressed");
  }
  for (const code of new Set([beat, cover])) if (code) layGhost(code);
  const hand = byId("hand");
  if (beat) hand.dataset.stage = "cover";
  else if (hand.dataset.stage === "cover" && state().stage === "beat") hand.dataset.stage = "beat";
  clearTimeout(whyTimer);
  showAsked(picksUp ? "ask-take" : cover ? "ask-armed" : beat ? "ask-cover" : "ask");
  if (byId("put-back") && state().stage !== "cover") byId("put-back").hidden = !choice || picksUp;
  if (byId("play")) byId("play").hidden = !cover;
  for (const id of ["take", "ask-hint"]) if (byId(id)) byId(id).hidden = Boolean(choice) && !picksUp;
}
