/* A recorded game that plays itself on the landing page, with the cards of the real table. */

const PACE = 1500;
const REST = 3500;
const WAY = 320;
const SHOWN = 6;
const STILL = 21;

const demo = document.getElementById("demo");
const pile = document.getElementById("demo-pile");
const hand = document.getElementById("demo-hand");
const backs = document.getElementById("demo-backs");
const toggle = document.getElementById("demo-toggle");
const sprite = demo.querySelector("use").getAttribute("href").split("#")[0];
const SVG = "http://www.w3.org/2000/svg";

let game = null;
let at = 0;
let onPile = [];
let inHand = [];
let farCount = 0;
let playing = !matchMedia("(prefers-reduced-motion: reduce)").matches;
let visible = true;
let timer = 0;

const [nearTrump, farTrump] = demo.dataset.trumps;
const faces = new Map();

function face(code) {
  if (faces.has(code)) return faces.get(code);
  const card = document.createElement("span");
  card.className = "card";
  card.dataset.card = code;
  card.dataset.suit = code[1];
  if (code[1] === nearTrump) card.dataset.trump = "near";
  if (code[1] === farTrump) card.dataset.trump = "far";
  const picture = document.createElementNS(SVG, "svg");
  picture.append(document.createElementNS(SVG, "use"));
  picture.firstChild.setAttribute("href", `${sprite}#${code}`);
  card.append(picture);
  faces.set(code, card);
  return card;
}

function split(text) {
  return text.match(/../g) ?? [];
}

function sortKey(code) {
  const suit = code[1] === nearTrump ? 9 : "CDHS".indexOf(code[1]);
  return suit * 20 + "23456789TJQKA".indexOf(code[0]);
}

function boxes() {
  return new Map([...demo.querySelectorAll(".card")].map((card) => [card.dataset.card, card.getBoundingClientRect()]));
}

/** Put the cards where they belong, and let each come from where it was. */
function show(order = []) {
  const before = boxes();
  const far = backs.getBoundingClientRect();
  pile.replaceChildren(...onPile.slice(-SHOWN).map(face));
  hand.replaceChildren(...inHand.sort((a, b) => sortKey(a) - sortKey(b)).map(face));
  backs.replaceChildren(...Array.from({ length: farCount }, () => document.createElement("i")));
  for (const card of demo.querySelectorAll(".card")) {
    const from = before.get(card.dataset.card) ?? { left: far.left + 20, top: far.top, width: 40 };
    const to = card.getBoundingClientRect();
    const x = from.left - to.left;
    const y = from.top - to.top;
    if (!playing || Math.abs(x) + Math.abs(y) < 2) continue;
    const delay = Math.max(0, order.indexOf(card.dataset.card)) * WAY;
    card.animate(
      [{ transform: `translate(${x}px, ${y}px) scale(${from.width / to.width})`, transformOrigin: "0 0" }, { transformOrigin: "0 0" }],
      { duration: WAY, delay, easing: "cubic-bezier(.2, .7, .3, 1)", fill: "backwards" },
    );
  }
}

function start() {
  at = 0;
  onPile = [];
  const [hands] = game.start.split(" ");
  const [near, far] = hands.split("/");
  inHand = split(near);
  farCount = split(far).length;
  show();
}

function step() {
  if (at === game.turns.length) return start();
  const turn = game.turns[at++];
  const own = turn.seat === 0;
  const taken = turn.take ? onPile.splice(-turn.take) : [];
  if (own) inHand = inHand.filter((code) => !turn.cards.includes(code)).concat(taken);
  else farCount += taken.length - turn.cards.length;
  onPile.push(...turn.cards);
  show(turn.cards);
}

function schedule() {
  clearTimeout(timer);
  if (!playing || !visible || document.hidden) return;
  timer = setTimeout(() => { step(); schedule(); }, at === game.turns.length ? REST : PACE);
}

function label() {
  toggle.querySelector("[data-pause]").hidden = !playing;
  toggle.querySelector("[data-play]").hidden = playing;
}

toggle.addEventListener("click", () => {
  playing = !playing;
  label();
  if (playing) step();
  schedule();
});
new IntersectionObserver(([entry]) => { visible = entry.isIntersecting; if (game) schedule(); }).observe(demo);
document.addEventListener("visibilitychange", () => game && schedule());

game = await (await fetch(demo.dataset.game)).json();
label();
start();
// Who asked for less motion sees the game under way, not the bare deal.
if (!playing) for (let turn = 0; turn < STILL; turn++) step();
schedule();
