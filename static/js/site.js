/* What every page needs: the socket of a live page, the time zone, menus that close, links that can be copied. */

import "./nonce.js";
import "./socket.js";
import "./timezone.js";

// Parts that only work with a script show once there is one.
document.documentElement.classList.add("has-script");

function closeMenus(except) {
  for (const menu of document.querySelectorAll("details.menu[open], details.pile-count[open], details.sure[open]")) {
    if (menu !== except) menu.removeAttribute("open");
  }
}

document.addEventListener("click", (event) => {
  closeMenus(event.target.closest("details.menu, details.pile-count, details.sure"));
  const copy = event.target.closest("button[data-copy]");
  if (copy) copyText(copy);
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const menu = event.target.closest?.("details.menu[open], details.pile-count[open], details.sure[open]");
  closeMenus();
  menu?.querySelector("summary").focus();
});

async function copyText(button) {
  const field = document.getElementById(button.dataset.copy);
  field.select();
  // Without TLS there is no clipboard, but the command of old.
  const done = navigator.clipboard
    ? await navigator.clipboard.writeText(field.value).then(() => true, () => false)
    : document.execCommand("copy");
  button.toggleAttribute("data-copied", done);
}

/** A refusal is read and then goes; it stays where there is no script. */
let noticeTimer = 0;
document.addEventListener("htmx:wsAfterMessage", (event) => {
  if (!event.detail.message.includes('id="notice"')) return;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => document.getElementById("notice")?.replaceChildren(), 8000);
});
