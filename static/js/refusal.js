/* The banner that says why something could not be sent. */

const SHOWN = 6000;

let timer = 0;

/** Show why: `offline` where there is no connection, `lost` where no answer came. */
export function refuse(why) {
  const banner = document.getElementById("refusal");
  banner.textContent = banner.dataset[why];
  banner.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => { banner.hidden = true; }, SHOWN);
}
