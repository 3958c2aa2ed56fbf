/*
 * Answers that are no success, where a page's own steps go through htmx, which would show nothing of them: what was refused
 * is shown in its place, and a page that says why nothing could be done is shown whole, as it would be without a script.
 * What a page asks for by itself is asked for again later.
 */

import { refuse } from "./refusal.js";

const askedByItself = ({ requestConfig }) => requestConfig.elt.hasAttribute("hx-trigger");

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (!detail.isError || askedByItself(detail)) return;
  detail.shouldSwap = true;
  const page = new DOMParser().parseFromString(detail.serverResponse, "text/html");
  if (!page.title || page.getElementById(detail.target.id)) return;
  document.body.className = page.body.className;
  detail.target = document.body;
  detail.swapOverride = "innerHTML show:window:top";
  detail.selectOverride = "unset";
});

document.addEventListener("htmx:sendError", ({ detail }) => {
  if (!askedByItself(detail)) refuse("offline");
});
