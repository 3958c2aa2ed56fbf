/* The page without a connection: lists the reader's matches as they were last seen, and goes on when there is a link. */

const SEEN = "seen";
const ADDRESS = "/mine/seen.json";

function element(tag, className, text) {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

function item(match) {
  const line = element("li", `match-item${match.mine ? " is-mine" : ""}`, "");
  const words = document.createElement("div");
  const heading = element("p", "with", "");
  const link = element("a", "", match.with);
  link.href = match.url;
  heading.append(link);
  const what = element("p", "what", "");
  what.append(element("span", "", match.state), element("span", "", match.turn));
  if (match.until) what.append(element("span", "", match.until));
  words.append(heading, what);
  line.append(words);
  return line;
}

async function showSeen() {
  if (!("caches" in window)) return;
  const kept = await (await caches.open(SEEN)).match(ADDRESS);
  if (!kept) return;
  const { at, time, matches } = await kept.json();
  if (!matches.length) return;
  document.getElementById("seen-list").replaceChildren(...matches.map(item));
  const when = document.getElementById("seen-at");
  when.dateTime = at;
  when.textContent = time;
  document.getElementById("seen").hidden = false;
}

addEventListener("online", () => location.reload());
showSeen();
