/* Says a line over the table's socket, so that the page and what is half typed in it stay; without a link the form is posted. */

import { send } from "./socket.js";

const form = document.getElementById("chat-form");
const lines = document.getElementById("chat-lines");

function showLatest() {
  lines?.scrollTo({ top: lines.scrollHeight });
}

form?.addEventListener("submit", (event) => {
  const text = form.elements.namedItem("text");
  const preset = event.submitter?.name === "preset" ? event.submitter.value : "";
  if (!preset && !text?.value.trim()) {
    event.preventDefault();
    return;
  }
  if (!send(preset ? { action: "chat", preset } : { action: "chat", text: text.value })) return;
  event.preventDefault();
  if (!preset) text.value = "";
});

showLatest();
if (lines) new MutationObserver(showLatest).observe(lines, { childList: true, subtree: true });
