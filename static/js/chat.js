/*
 * Says a line over the table's socket, so that the page and what is half typed in it stay; without a link the form is
 * posted. A line leaves its field at once, and comes back if it was refused or the link broke before it was shown.
 *
 * What others have said since one's own last line is marked at one's seat until the talk has been in view for a moment: a
 * page that is loaded anew may show it in passing, while it scrolls to where it was.
 */

import { send } from "./socket.js";

/** How long the talk is in view before it counts as seen, in milliseconds. */
const LOOK = 700;

const form = document.getElementById("chat-form");
const lines = document.getElementById("chat-lines");
const unread = document.getElementById("chat-unread");

/** What was sent and has not been shown yet, and the last own line that was shown before. */
let sent = [];
let lastBefore = "";
let lost = false;

const field = () => form.elements.namedItem("text");
const own = () => [...lines.querySelectorAll("li.is-mine")].map((line) => line.id);
const lastOwn = () => own().at(-1);

function giveBack() {
  const text = field();
  if (text) text.value = [...sent, text.value].filter(Boolean).join(" ");
  sent = [];
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
  if (!sent.length) lastBefore = lastOwn();
  sent.push(text.value);
  lost = false;
  text.value = "";
});

document.addEventListener("htmx:wsClose", () => { lost = true; });
document.addEventListener("htmx:wsAfterMessage", (event) => {
  if (!sent.length) return;
  const shown = own();
  sent.splice(0, shown.length - 1 - shown.indexOf(lastBefore));
  lastBefore = shown.at(-1);
  // After a break the first thing that comes is the whole page, with the lines that have arrived.
  if (lost || event.detail.message.startsWith('<div id="notice"')) giveBack();
});

let seen = lastOwn();
let looked = false;
let looking;

const lastLine = () => lines.querySelector("li:last-child")?.id;
const numberOf = (line) => Number(line?.slice("line-".length) ?? 0);

function markUnread() {
  if (looked && document.visibilityState === "visible") seen = lastLine();
  const latest = [...lines.querySelectorAll("li:not(.is-mine)")].at(-1)?.id;
  unread.hidden = numberOf(latest) <= numberOf(seen);
}

let follows = true;

function showLatest() {
  lines.scrollTo({ top: lines.scrollHeight });
}

lines.addEventListener("scroll", () => { follows = lines.scrollHeight - lines.scrollTop - lines.clientHeight < 60; });
showLatest();
// The seat is rendered anew with every turn; the mark in it is not the server's, and stays.
document.querySelector("#near .names").after(unread);
Idiomorph.defaults.callbacks.beforeNodeRemoved = (node) => node !== unread;
new MutationObserver(() => {
  if (follows || lines.querySelector("li:last-child.is-mine")) showLatest();
  markUnread();
}).observe(lines, { childList: true, subtree: true });
new IntersectionObserver((entries) => {
  clearTimeout(looking);
  looked = false;
  if (entries.at(-1).isIntersecting) looking = setTimeout(() => { looked = true; markUnread(); }, LOOK);
}).observe(lines);
document.addEventListener("visibilitychange", markUnread);
markUnread();
