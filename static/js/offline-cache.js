/*
 * A part of the service worker: keeps the page that is shown without a connection, and shows it where a page cannot be
 * fetched. Pages themselves are never kept: a table that is not the present one would mislead.
 */

const SHELL = "shell-1";
const OFFLINE = "/offline/";
const FRESH = 10 * 60 * 1000;

let keptAt = 0;

/** Keep the offline page in the reader's language, with the files that it is made of. */
async function keepShell() {
  keptAt = Date.now();
  const page = await fetch(OFFLINE, { cache: "no-cache" });
  if (!page.ok) return;
  const files = [...(await page.clone().text()).matchAll(/(?:href|src)="(\/static\/[^"]+)"/g)].map((found) => found[1]);
  const cache = await caches.open(SHELL);
  await Promise.all(files.map(async (file) => (await cache.match(file)) ?? cache.add(file)));
  await cache.put(OFFLINE, page);
}

async function page(event) {
  try {
    const answer = (await event.preloadResponse) ?? (await fetch(event.request));
    if (Date.now() - keptAt > FRESH) event.waitUntil(keepShell().catch(() => {}));
    return answer;
  } catch (failure) {
    const kept = await caches.match(OFFLINE);
    if (kept) return kept;
    throw failure;
  }
}

async function file(request) {
  try {
    return await fetch(request);
  } catch (failure) {
    const kept = await caches.match(request);
    if (kept) return kept;
    throw failure;
  }
}

self.addEventListener("install", (event) => {
  event.waitUntil(keepShell().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith("shell-") && name !== SHELL) await caches.delete(name);
    }
    await self.registration.navigationPreload?.enable();
    await self.clients.claim();
  })());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(event));
  else if (new URL(request.url).pathname.startsWith("/static/")) event.respondWith(file(request));
});
