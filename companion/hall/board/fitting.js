// Letters that fill their place: what is read from the back of a room is as large as it can be, and nobody is cut off.
"use strict";

/** The largest sizes, in px, at which each of these holds its own content; all are tried at once. */
function largest(elements, least, most, holds) {
  let [low, high] = [elements.map(() => least), elements.map(() => most)];
  for (let step = 0; step < 7; step += 1) {
    const tried = elements.map((_, i) => (low[i] + high[i]) / 2);
    elements.forEach((each, i) => { each.style.fontSize = `${tried[i]}px`; });
    const fits = elements.map(holds);
    low = low.map((each, i) => (fits[i] ? tried[i] : each));
    high = high.map((each, i) => (fits[i] ? each : tried[i]));
  }
  return low;
}

const holdsItself = (each) => each.scrollHeight <= each.clientHeight + 1 && each.scrollWidth <= each.clientWidth + 1;

/** Cards side by side have letters of one size, but for those whose long names need smaller ones. */
function fillCards(grid) {
  const cards = [...grid.querySelectorAll(".card")];
  if (!cards.length) return;
  const found = largest(cards, 9, Math.min(innerHeight / 13, 84), holdsItself);
  const common = [...found].sort((one, other) => one - other)[Math.floor(found.length / 4)];
  cards.forEach((each, i) => { each.style.fontSize = `${Math.floor(Math.min(found[i], common) * 4) / 4}px`; });
}

/** Fills what stands on a slide; lists grow until the slide is full. */
function fillSlide(page) {
  for (const grid of page.querySelectorAll(".slide-grid")) fillCards(grid);
  for (const each of page.querySelectorAll(".fills")) {
    const [size] = largest([each], 9, Math.min(innerHeight / 15, 72), () => holdsItself(page) && each.scrollWidth <= each.clientWidth + 1);
    each.style.fontSize = `${Math.floor(size * 4) / 4}px`;
  }
}
