/* Lists of matches: the times left tick, also after a push. */

import { readClocks, startClocks } from "./clock.js";

startClocks();
document.addEventListener("htmx:wsAfterMessage", () => readClocks());
