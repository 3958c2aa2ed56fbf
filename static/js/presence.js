/*
 * Tells the server that somebody is at the table, by what the hands do and not by the open page; a turn that a page in
 * front shows has been seen all the same, and is not told again later. N goes to the next match.
 */

import { singleKeys } from "./keyboard.js";
import { tell } from "./socket.js";

const AT_MOST_EVERY = 15000;

let toldAt = -AT_MOST_EVERY;
let toldTurn = "";
let seenTurn = "";

const shownTurn = () => document.getElementById("state")?.dataset.turn ?? "";

function tellPresent() {
  const turn = shownTurn();
  const now = performance.now();
  if (document.visibilityState !== "visible" || (turn === toldTurn && now - toldAt < AT_MOST_EVERY)) return;
  if (tell({ action: "present", turn: Number(turn) })) {
    toldAt = now;
    toldTurn = turn;
    seenTurn = turn;
  }
}

function tellSeen() {
  const turn = shownTurn();
  if (turn === seenTurn || document.visibilityState !== "visible" || !document.hasFocus()) return;
  if (tell({ action: "seen", turn: Number(turn) })) seenTurn = turn;
}

for (const kind of ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"]) {
  addEventListener(kind, tellPresent, { passive: true });
}
document.addEventListener("visibilitychange", tellPresent);
document.addEventListener("htmx:wsAfterMessage", tellSeen);
addEventListener("focus", tellSeen);

document.addEventListener("keydown", (event) => {
  if (event.code !== "KeyN" || !singleKeys() || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (event.target.closest("input, textarea, select, dialog[open], [contenteditable]")) return;
  document.getElementById("next-match")?.click();
});
