/*
 * Says a line over the table's socket, so that the page and what is half typed in it stay; without a link the form is
 * posted. A line leaves its field at once, and comes back if it was refused or the link broke before it was shown.
 */

import { send } from "./socket.js";

const form = document.getElementById("chat-form");
const lines = document.getElementById("chat-lines");

let sent = "";
let lastBefore = "";
let lost = false;

const field = () => form.elements.namedItem("text");
const lastOwn = () => [...lines.querySelectorAll("li.is-mine")].at(-1)?.id;

function showLatest() {
  lines?.scrollTo({ top: lines.scrollHeight });
}

function giveBack() {
  const text = field();
  if (text) text.value = text.value ? `${sent} ${text.value}` : sent;
  sent = "";
}

form?.addEventListener("submit", (event) => {
  const text = field();
  const preset = event.submitter?.name === "preset" ? event.submitter.value : "";
  if (!preset && !text?.value.trim()) {
    event.preventDefault();
    return;
  }
  if (!send(preset ? { action: "chat", preset } : { action: "chat", text: text.value })) return;
  event.preventDefault();
  if (preset) return;
  sent = text.value;
  lastBefore = lastOwn();
  lost = false;
  text.value = "";
});

document.addEventListener("htmx:wsClose", () => { lost = true; });
document.addEventListener("htmx:wsAfterMessage", (event) => {
  if (!sent) return;
  // After a break the first thing that comes is the whole page, with the line if it has arrived.
  if (lastOwn() !== lastBefore) sent = "";
  else if (lost || event.detail.message.startsWith('<div id="notice"')) giveBack();
});

showLatest();
if (lines) new MutationObserver(showLatest).observe(lines, { childList: true, subtree: true });
