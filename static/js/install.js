/*
 * The site as an app: registers the service worker, keeps what the page without a connection shows of one's matches, and
 * offers to put the site on the home screen where the browser allows it.
 */

const SEEN = "seen";
const ADDRESS = "/mine/seen.json";
const FRESH = 60 * 1000;
const PATIENCE = 2000;

/** Keep the list of the reader's matches on the device; take it away once nobody is logged in. */
async function keepSeen() {
  if (!document.getElementById("my-turns")) {
    await caches.delete(SEEN);
    return;
  }
  const cache = await caches.open(SEEN);
  const kept = await cache.match(ADDRESS);
  if (kept && Date.now() - Date.parse((await kept.json()).at) < FRESH) return;
  const answer = await fetch(ADDRESS);
  if (answer.ok) await cache.put(ADDRESS, answer);
}

/** Whoever logs out here gets no more notices on this device. */
async function endNotices() {
  const registration = await navigator.serviceWorker?.getRegistration("/");
  const subscription = await registration?.pushManager?.getSubscription();
  await subscription?.unsubscribe();
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.matches("[data-logs-out]")) return;
  event.preventDefault();
  const enough = new Promise((done) => { setTimeout(done, PATIENCE); });
  await Promise.race([endNotices().catch(() => {}), enough]);
  form.submit();
});

let offer = null;

addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  offer = event;
  document.getElementById("install")?.toggleAttribute("hidden", false);
});

addEventListener("appinstalled", () => document.getElementById("install")?.toggleAttribute("hidden", true));

document.getElementById("install")?.addEventListener("click", () => offer?.prompt());

if ("serviceWorker" in navigator && "caches" in window) {
  addEventListener("load", () => {
    navigator.serviceWorker.register("/sw.js", { scope: "/" }).catch(() => {});
    (window.requestIdleCallback ?? setTimeout)(() => keepSeen().catch(() => {}));
  });
}
