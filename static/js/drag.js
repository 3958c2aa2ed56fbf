/*
 * Dragging a card from the hand to the pile, which draws it in from a little way off. A finger holds the card for a
 * moment first: one that moves on at once scrolls the page.
 */

import { moveFrom, snapshot } from "./motion.js";

const START = 8;
const HOLD = 220;
const MAGNET = 64;

function isNear(x, y) {
  const box = document.getElementById("pile-cards").getBoundingClientRect();
  return x > box.left - MAGNET && x < box.right + MAGNET && y > box.top - MAGNET && y < box.bottom + MAGNET;
}

/** The click that follows a drag is not a choice. */
function swallowClick() {
  const swallow = (click) => {
    click.preventDefault();
    click.stopPropagation();
  };
  addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", swallow, { capture: true }), 50);
}

/** Make the cards of the hand draggable; `drop` is called with the card that was let go over the pile. */
export function enableDragging(drop) {
  let drag = null;

  const end = () => {
    if (!drag) return;
    clearTimeout(drag.hold);
    drag.button.classList.remove("is-dragged");
    drag.button.style.transform = "";
    document.getElementById("pile-cards").classList.remove("is-target");
    drag = null;
  };

  const show = () => {
    drag.button.classList.add("is-dragged");
    if (drag.moving) drag.button.style.transform = `translate(${drag.right}px, ${drag.down}px)`;
  };

  const lift = () => {
    drag.held = true;
    show();
    navigator.vibrate?.(8);
  };

  document.addEventListener("pointerdown", (event) => {
    const button = event.target.closest("#rows button.card:not([aria-disabled])");
    if (!button || event.button !== 0) return;
    end();
    const finger = event.pointerType === "touch";
    const hold = finger ? setTimeout(lift, HOLD) : 0;
    drag = { button, id: event.pointerId, x: event.clientX, y: event.clientY, hold, held: !finger, moving: false };
  });

  document.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    drag.right = event.clientX - drag.x;
    drag.down = event.clientY - drag.y;
    if (!drag.moving && Math.hypot(drag.right, drag.down) < START) return;
    if (!drag.held) {
      end();
      return;
    }
    if (!drag.moving) {
      drag.moving = true;
      drag.button.setPointerCapture?.(event.pointerId);
    }
    show();
    document.getElementById("pile-cards").classList.toggle("is-target", isNear(event.clientX, event.clientY));
  });

  document.addEventListener("pointerup", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    if (!drag.moving) {
      end();
      return;
    }
    swallowClick();
    const { button } = drag;
    const places = snapshot();
    const hit = isNear(event.clientX, event.clientY);
    end();
    if (hit) drop(button);
    moveFrom(places);
  });

  document.addEventListener("pointercancel", end);
  // A push renders the hand as the server knows it, where nothing is held.
  document.addEventListener("htmx:wsAfterMessage", () => {
    if (drag && !drag.button.isConnected) end();
    else if (drag?.moving || (drag?.hold && drag.held)) show();
  });
  // The page stays where it is while a card is held.
  const stay = (event) => { if (drag?.held && event.cancelable) event.preventDefault(); };
  document.addEventListener("touchmove", stay, { passive: false });
}
