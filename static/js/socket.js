/*
 * Keeps a page's socket alive. htmx's extension opens it and swaps in what arrives; this module sees to it that
 *  - it is opened again after every kind of close (the extension retries only after some codes), within 5 s a try;
 *  - a link that says nothing once it is open, or has gone silent without a close, is noticed: a ping has to be answered;
 *  - nothing is queued while there is no link: what cannot be sent now is refused.
 *
 * A page sends `{"action": "ping", "turn": N}` (with the turn that it shows, on a table) and expects any message within
 * 5 s; `<i id="pong" …>` is one. `<i id="goto" … data-href="/path">` sends the page to another address of this site.
 */

const PING_EVERY = 5000;
const ANSWER_WITHIN = 5000;
const OPEN_WITHIN = 5000;
const LONGEST_WAIT = 5000;
const BANNER_AFTER = 900;
const FORM_WITHIN = 5000;

let socket = null;
let heard = false;
let failures = 0;
let pingedAt = 0;
let unansweredSince = 0;
let bannerTimer = 0;
let formSent = false;

/** A socket whose every end looks to the extension like the kind after which it retries, and that can be given up. */
class SteadySocket extends WebSocket {
  #tell = null;
  #ended = false;
  #opening = setTimeout(() => this.abandon(), OPEN_WITHIN);

  constructor(url) {
    super(url);
    super.addEventListener("open", () => {
      clearTimeout(this.#opening);
      // The server speaks first.
      if (socket === this) unansweredSince = performance.now();
    });
    super.onclose = () => this.#end();
  }

  set onclose(handler) {
    this.#tell = handler;
  }

  get onclose() {
    return this.#tell;
  }

  /** Give the socket up now, without waiting for the other end to agree. */
  abandon() {
    this.#end();
    this.close();
  }

  #end() {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#opening);
    this.#tell?.(new CloseEvent("close", { code: 1006 }));
  }
}

/** Whether the page is linked to the server, so that what is sent now arrives now. */
export function isConnected() {
  return heard && socket?.readyState === WebSocket.OPEN;
}

let tellFirst = () => {};
const heardFirst = new Promise((resolve) => { tellFirst = resolve; });

/** Wait until this page has heard from the server for the first time, at most `wait` ms. */
export function firstLink(wait) {
  return Promise.race([heardFirst, new Promise((resolve) => setTimeout(resolve, wait))]);
}

/** Send fields that the server answers; returns false, and keeps nothing, where there is no link. */
export function send(fields) {
  if (!tell(fields)) return false;
  unansweredSince ||= performance.now();
  return true;
}

/** Send fields that the server only takes note of; returns as `send` does. */
export function tell(fields) {
  if (!isConnected()) return false;
  socket.send(JSON.stringify(fields));
  return true;
}

/** Open a new link; the server then sends the whole page anew. */
export function reconnect() {
  socket?.abandon();
}

function ping() {
  const turn = document.getElementById("state")?.dataset.turn;
  pingedAt = performance.now();
  send(turn === undefined ? { action: "ping" } : { action: "ping", turn: Number(turn) });
}

function beat() {
  const now = performance.now();
  if (unansweredSince && now - unansweredSince > ANSWER_WITHIN) reconnect();
  else if (now - pingedAt >= PING_EVERY) ping();
}

function showLost() {
  heard = false;
  bannerTimer ||= setTimeout(() => document.getElementById("reconnecting").removeAttribute("hidden"), BANNER_AFTER);
  document.documentElement.toggleAttribute("data-offline", true);
}

function showLinked() {
  clearTimeout(bannerTimer);
  bannerTimer = 0;
  document.getElementById("reconnecting").setAttribute("hidden", "");
  document.documentElement.toggleAttribute("data-offline", false);
}

/**
 * Follow the server's word to go elsewhere, within this site only. A form that is under way goes first: its answer may
 * bring what the other page needs, as the session of a guest who has just sat down.
 */
function follow(message) {
  const target = new DOMParser().parseFromString(message, "text/html").getElementById("goto")?.dataset.href;
  const url = target && new URL(target, location.href);
  if (url && url.origin === location.origin) setTimeout(() => location.assign(url), formSent ? FORM_WITHIN : 0);
}

// On the window, so that whoever sends the form otherwise has said so before.
addEventListener("submit", (event) => { formSent ||= !event.defaultPrevented && event.target.method !== "dialog"; });

htmx.createWebSocket = (url) => {
  unansweredSince = 0;
  socket = new SteadySocket(url);
  return socket;
};
htmx.config.wsReconnectDelay = () => {
  const wait = Math.min(LONGEST_WAIT, 300 * 2 ** failures);
  failures = Math.min(failures + 1, 10);
  return wait / 2 + (Math.random() * wait) / 2;
};

// What a reader has opened, chosen or is typing stays as it is when a region is rendered anew. A button takes its new value even
// while it has the focus: the value is the turn that it plays.
const isBeingTyped = (element) =>
  (element === document.activeElement && element.matches("input, textarea, select")) ||
  (element.matches("input, textarea") && element.value !== element.defaultValue);
const isChosenAnew = ({ parentElement: select }) => {
  const options = [...select.options];
  return select.selectedIndex !== Math.max(0, options.findIndex((option) => option.defaultSelected));
};
Idiomorph.defaults.callbacks.beforeAttributeUpdated = (name, element) =>
  !(name === "selected" && element.parentElement instanceof HTMLSelectElement && isChosenAnew(element)) &&
  !(name === "checked" && element.checked !== element.defaultChecked) &&
  !(name === "open" && (element instanceof HTMLDetailsElement || element instanceof HTMLDialogElement)) &&
  !(name === "value" && isBeingTyped(element));

document.addEventListener("htmx:wsClose", showLost);
document.addEventListener("htmx:wsBeforeMessage", (event) => {
  unansweredSince = 0;
  failures = 0;
  heard = true;
  tellFirst();
  showLinked();
  const message = event.detail.message;
  if (message.startsWith('<i id="pong"')) event.preventDefault();
  if (message.startsWith('<i id="goto"')) {
    event.preventDefault();
    follow(message);
  }
});
addEventListener("offline", reconnect);
addEventListener("pageshow", (event) => event.persisted && document.querySelector("[ws-connect]") && location.reload());
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && isConnected() && ping());
if (document.querySelector("[ws-connect]")) setInterval(beat, 1000);
