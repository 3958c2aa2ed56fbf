/* Lists of matches: the times left tick, also after a push, and the title counts the turns that wait. */

import { readClocks, startClocks } from "./clock.js";

startClocks();
document.addEventListener("htmx:wsAfterMessage", () => {
  readClocks();
  const count = document.getElementById("my-turns")?.textContent.trim() ?? "";
  document.title = (count ? `(${count}) ` : "") + document.title.replace(/^\(\d+\) /, "");
});
