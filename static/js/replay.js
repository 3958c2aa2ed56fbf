/*
 * A replay: all turns are fetched once, and every step is then shown at once, the cards travelling as at the table.
 * Without this script each step is a page of its own; the addresses are the same.
 */

import { moveFrom, snapshot } from "./motion.js";

const PACE = 1600;
const SVG = "http://www.w3.org/2000/svg";
const SHOWN = 6;

const byId = (id) => document.getElementById(id);
const root = byId("replay");
const sprite = document.querySelector("#content use").getAttribute("href").split("#")[0];
const last = Number(root.dataset.last);

let turn = Number(root.dataset.turn);
const flipped = root.hasAttribute("data-flipped");
let timer = 0;
let addressTimer = 0;
let game = null;

/** The game after each turn: `hands` are arrays of cards, or numbers where a hand may not be seen. */
let states = [];

function replayAll() {
  let { hands, pile } = game;
  states = [{ hands, pile, taken: [] }];
  for (const { seat, laid, taken } of game.turns) {
    const off = taken ? pile.slice(-taken) : [];
    const own = hands[seat];
    const next = Array.isArray(own)
      ? own.filter((code) => !laid.includes(code)).concat(off)
      : own - laid.length + taken;
    hands = seat ? [hands[0], next] : [next, hands[1]];
    pile = (taken ? pile.slice(0, -taken) : pile).concat(laid);
    states.push({ hands, pile, taken: off });
  }
}

const size = (hand) => (Array.isArray(hand) ? hand.length : hand);
const nearSeat = () => (flipped ? 1 - game.near : game.near);

function face(code, withId = true) {
  const near = nearSeat();
  const trump = code[1] === game.trumps[near] ? "near" : code[1] === game.trumps[1 - near] ? "far" : "";
  const card = document.createElement("span");
  card.className = "card";
  card.dataset.card = code;
  card.dataset.suit = code[1];
  card.setAttribute("role", "img");
  card.setAttribute("aria-label", trump ? game.marks[trump].replace("*", game.names[code]) : game.names[code]);
  if (trump) card.dataset.trump = trump;
  if (withId) card.id = `card-${code}`;
  const picture = document.createElementNS(SVG, "svg");
  picture.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${sprite}#${code}`);
  picture.append(use);
  card.append(picture);
  return card;
}

function element(tag, className, children) {
  const made = document.createElement(tag);
  made.className = className;
  made.append(...children);
  return made;
}

/** A hand in rows by suit, own trumps last, as the server sorts it. */
function rows(hand, trump) {
  const order = ["C", "D", "H", "S"].filter((suit) => suit !== trump).concat(trump);
  const byRank = (a, b) => "23456789TJQKA".indexOf(a[0]) - "23456789TJQKA".indexOf(b[0]);
  return order.map((suit) => hand.filter((code) => code[1] === suit).sort(byRank)).filter((row) => row.length);
}

function roomy(count) {
  if (count <= 10) return "few";
  return count <= 20 ? "some" : "many";
}

function showHands(state) {
  const near = nearSeat();
  const own = byId("rows");
  if (own) {
    own.replaceChildren(...rows(state.hands[near], game.trumps[near]).map((row) => element("div", "suit-row", row.map((code) => {
      const card = face(code);
      card.classList.toggle("is-new", state.taken.includes(code) && game.turns[turn - 1]?.seat === near);
      return card;
    }))));
  } else {
    byId("near-backs").replaceChildren(...Array.from({ length: state.hands[near] }, () => document.createElement("i")));
  }
  byId("hand").dataset.size = roomy(size(state.hands[near]));
  const other = state.hands[1 - near];
  const open = document.querySelector("#far .small-hand");
  if (open) open.replaceChildren(...rows(other, game.trumps[1 - near]).flat().map((code) => face(code)));
  else document.querySelector("#far .backs").replaceChildren(...Array.from({ length: other }, () => document.createElement("i")));
}

function showPile(state) {
  const cards = state.pile.slice(-SHOWN).map((code) => face(code));
  cards.at(-1)?.classList.add("is-top");
  byId("pile-cards").replaceChildren(...cards);
  byId("pile-cards").classList.toggle("is-empty", !cards.length);
}

function setLink(id, target) {
  const link = byId(id);
  if (target === turn) {
    link.removeAttribute("href");
    link.setAttribute("aria-disabled", "true");
    link.setAttribute("role", "link");
  } else {
    link.href = address(target);
    link.removeAttribute("aria-disabled");
    link.removeAttribute("role");
  }
}

const address = (to) => `?turn=${to}${flipped ? "&flip=1" : ""}`;

function showSteps() {
  setLink("to-first", 0);
  setLink("to-back", Math.max(0, turn - 1));
  setLink("to-on", Math.min(last, turn + 1));
  setLink("to-last", last);
  byId("to-play").href = `${address(turn === last ? 0 : turn + 1)}&play=1`;
  byId("to-flip").href = `?turn=${turn}${flipped ? "" : "&flip=1"}`;
  byId("seek").value = turn;
  byId("at-turn").textContent = turn;
  for (const current of document.querySelectorAll("#turn-list [aria-current]")) current.removeAttribute("aria-current");
  document.querySelector(`#turn-list a[data-turn="${turn}"]`).setAttribute("aria-current", "step");
  showLine();
  byId("replay-link").value = new URL(`?turn=${turn}`, location.href).href;
}

/** Scroll the list of turns, and nothing else, to the turn shown. */
function showLine() {
  const box = byId("turn-scroll");
  const line = box.querySelector("[aria-current]").getBoundingClientRect();
  const frame = box.getBoundingClientRect();
  box.scrollTop += line.top - frame.top - frame.height / 2 + line.height / 2;
}

/** Write the turn into the address once it stays: browsers take only so many addresses in a while. */
function noteAddress() {
  clearTimeout(addressTimer);
  addressTimer = setTimeout(() => history.replaceState(null, "", address(turn)), 250);
}

/** Show the game after a turn, in place. */
function show(to) {
  const places = snapshot();
  turn = Math.max(0, Math.min(last, to));
  root.dataset.turn = turn;
  const state = states[turn];
  showPile(state);
  showHands(state);
  byId("say-number").textContent = turn ? `${turn}.` : "";
  // The list has the sentences with the names of their cards for those who hear them.
  const line = document.querySelector(`#turn-list a[data-turn="${turn}"] > span:not(.n)`);
  byId("say-text").replaceChildren(...(turn ? line.cloneNode(true).childNodes : [game.opening]));
  byId("outcome").hidden = !(game.over && turn === last);
  showSteps();
  showSides(state);
  moveFrom(places);
  noteAddress();
  if (turn === last) pause();
}

function showSides(state) {
  const near = nearSeat();
  const mover = game.turns[turn] ? game.turns[turn].seat : turn === 0 ? game.first : 1 - game.turns[turn - 1].seat;
  for (const [id, seat] of [["near", near], ["far", 1 - near]]) {
    const count = size(state.hands[seat]);
    const strip = byId(id);
    strip.classList.toggle("is-turn", mover === seat && !(game.over && turn === last));
    strip.querySelector(".trump").textContent = game.strips[seat][seat === game.mine && seat === near ? "own" : "plain"].replace("*", game.counts[count]);
  }
  byId("pile-words").textContent = game.piles[state.pile.length];
  const whole = document.querySelector("#pile .whole-pile ol");
  whole?.replaceChildren(...state.pile.map((code) => element("li", "", [face(code, false)])));
}

function pause() {
  clearInterval(timer);
  timer = 0;
  label();
}

function label() {
  const button = byId("to-play");
  button.querySelector(".for-play").toggleAttribute("hidden", Boolean(timer));
  button.querySelector(".for-pause").toggleAttribute("hidden", !timer);
  const words = timer ? button.dataset.pause : button.dataset.play;
  button.setAttribute("aria-label", words);
  button.title = words;
}

function play() {
  if (timer) return pause();
  if (turn === last) show(0);
  timer = setInterval(() => show(turn + 1), PACE);
  label();
}

const STEPS = { "to-first": () => 0, "to-back": () => turn - 1, "to-on": () => turn + 1, "to-last": () => last };

function listen() {
  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = event.target.closest("#steps a, #turn-list a");
    if (!link || link.id === "to-flip" || link.hasAttribute("aria-disabled")) return;
    event.preventDefault();
    if (link.id === "to-play") return play();
    pause();
    show(link.dataset.turn ? Number(link.dataset.turn) : STEPS[link.id]());
  });
  byId("seek").addEventListener("input", (event) => { pause(); show(Number(event.target.value)); });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, details[open]")) return;
    const to = { ArrowLeft: turn - 1, ArrowRight: turn + 1, Home: 0, End: last }[event.key];
    if (to !== undefined) { event.preventDefault(); pause(); show(to); }
    else if (event.key === " " && !event.target.closest("a, button, summary")) { event.preventDefault(); play(); }
  });
}

function enableSharing() {
  const button = byId("share");
  button.hidden = !navigator.share;
  button.addEventListener("click", () => {
    navigator.share({ title: button.dataset.title, url: byId("replay-link").value }).catch(() => {});
  });
}

enableSharing();
showLine();
game = await (await fetch(root.dataset.turns)).json();
replayAll();
listen();
root.toggleAttribute("data-ready", true);
if (root.hasAttribute("data-playing")) play();
