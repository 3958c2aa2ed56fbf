/* Notices on this device: asks the browser for a push subscription and hands it to the site. */

const section = document.getElementById("push");
const form = document.getElementById("push-form");
const show = (id, visible) => { document.getElementById(id).hidden = !visible; };

function keyBytes(text) {
  const raw = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(raw, (character) => character.charCodeAt(0));
}

function sameKey(subscription, key) {
  const known = subscription.options?.applicationServerKey;
  if (!known) return true;
  const bytes = new Uint8Array(known);
  return bytes.length === key.length && bytes.every((byte, index) => byte === key[index]);
}

async function post(address, fields) {
  const body = new URLSearchParams({ csrfmiddlewaretoken: form.elements.csrfmiddlewaretoken.value, ...fields });
  const answer = await fetch(address, { method: "POST", body, credentials: "same-origin" });
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
}

async function keep(subscription) {
  const { endpoint, keys } = subscription.toJSON();
  await post(form.action, { endpoint, p256dh: keys.p256dh, auth: keys.auth });
}

function tellState(subscribed) {
  show("push-on", subscribed);
  show("push-off", !subscribed);
  show("push-start", !subscribed);
  show("push-stop", subscribed);
}

async function start() {
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) return;
  const key = keyBytes(section.dataset.key);
  const registration = await navigator.serviceWorker.register(section.dataset.worker, { scope: "/" });
  let subscription = await registration.pushManager.getSubscription();
  if (subscription && !sameKey(subscription, key)) {
    await subscription.unsubscribe();
    subscription = null;
  }
  if (subscription) await keep(subscription);
  tellState(Boolean(subscription));
  section.hidden = false;

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    show("push-denied", false);
    try {
      if (event.submitter?.id === "push-stop") {
        await post(form.dataset.off, { endpoint: subscription.endpoint });
        await subscription.unsubscribe();
        subscription = null;
      } else {
        subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
        await keep(subscription);
      }
      tellState(Boolean(subscription));
    } catch {
      show("push-denied", true);
    }
  });
}

start();
