/* The service worker: shows notices that are pushed while no page is open, and opens what they are about. */

importScripts("/static/js/offline-cache.js");

self.addEventListener("push", (event) => {
  let told;
  try {
    told = event.data.json();
  } catch {
    return;
  }
  const options = {
    body: told.body,
    lang: told.lang,
    // The same thing told twice is shown once.
    tag: told.tag,
    icon: "/static/img/icon-192.png",
    data: { url: told.url },
  };
  event.waitUntil(self.registration.showNotification(told.title, options));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const address = new URL(event.notification.data?.url ?? "/", self.location.origin);
  if (address.origin !== self.location.origin) return;
  event.waitUntil(self.clients.openWindow(address.href));
});
