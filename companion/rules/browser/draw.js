// Elements, shapes and cards. Text becomes text, and nothing on this page ever makes markup of it.
"use strict";

const SVG = "http://www.w3.org/2000/svg";

/** An element with these attributes; children are elements, or texts, or null for nothing. */
function el(tag, attributes = {}, ...children) {
  return made(document.createElement(tag), attributes, children);
}

/** The same for a part of a drawing. */
function svg(tag, attributes = {}, ...children) {
  return made(document.createElementNS(SVG, tag), attributes, children);
}

function made(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** A picture that grows with its place. `label` is what a screen reader says; null where the same is said in words beside it. */
function picture(wide, high, label, attributes, ...children) {
  const said = label === null ? { "aria-hidden": "true" } : { role: "img", "aria-label": label };
  return svg("svg", { viewBox: `0 0 ${wide} ${high}`, ...said, ...attributes }, ...children);
}

// -- shapes: every colour has its own, as on the table's screen -----------------------------------------------------

function ring(points, turn = 90, inner = 1) {
  const corners = inner === 1 ? points : points * 2;
  return Array.from({ length: corners }, (_, i) => {
    const angle = ((turn + (i * 360) / corners) * Math.PI) / 180;
    const far = i % 2 ? inner : 1;
    return [far * Math.cos(angle), -far * Math.sin(angle)];
  });
}

const CROSS = (() => {
  const [b, s] = [0.92, 0.34];
  return [[-s, -b], [s, -b], [s, -s], [b, -s], [b, s], [s, s], [s, b], [-s, b], [-s, s], [-b, s], [-b, -s], [-s, -s]];
})();

const SHAPES = {
  red: ring(36),
  blue: [[-0.8, -0.8], [0.8, -0.8], [0.8, 0.8], [-0.8, 0.8]],
  green: [[-0.96, 0.76], [0.96, 0.76], [0, -0.96]],
  yellow: ring(5, 90, 0.5),
  purple: [[0, -1], [0.82, 0], [0, 1], [-0.82, 0]],
  black: ring(6, 0),
  white: CROSS,
  neutral: ring(24),
};

/** A seat's shape as part of a drawing, in a circle of that radius. */
function mark(whose, x, y, radius) {
  const points = SHAPES[whose].map(([a, b]) => `${(x + a * radius).toFixed(2)},${(y + b * radius).toFixed(2)}`);
  return svg("polygon", { class: `seat ${whose}`, points: points.join(" ") });
}

/** A seat's shape between words; `silent` where its colour stands beside it. */
function sign(whose, silent = false) {
  const found = picture(24, 24, word(COLOURS, whose), { class: "sign" }, mark(whose, 12, 12, 10));
  if (silent) found.setAttribute("aria-hidden", "true");
  return found;
}

/** Letters in a drawing, in the middle of a point. */
function letters(what, x, y, size, attributes = {}) {
  const middle = { "text-anchor": "middle", "dominant-baseline": "central" };
  return svg("text", { x, y, "font-size": size, ...middle, ...attributes }, what);
}

const FLAG = "M-7,10 V-10 L8,-5 L-5,0 V10 Z";

/** A card as part of a drawing, 40 wide and 56 high, with its left upper corner there. */
function cardAt(what, x, y, lit = false) {
  const [colour, rank] = what.split(" ");
  const middle = [x + 20, y + 36];
  return svg("g", { class: `card-drawn${lit ? " lit" : ""}` },
    svg("rect", { x: x + 1, y: y + 1, width: 38, height: 54, rx: 5 }),
    mark(colour, x + 20, y + 13, 8),
    rank === "flag"
      ? svg("path", { class: "flag", d: FLAG, transform: `translate(${middle})` })
      : letters(rank, ...middle, 24, { class: "rank" }),
  );
}

/** What a card is called. */
function cardName(what) {
  const [colour, rank] = what.split(" ");
  return `${word(COLOURS, colour)} ${rank === "flag" ? say("flag") : rank}`;
}

/** A card between words, or an empty berth. */
function cardSign(what, lit = false) {
  return what
    ? picture(40, 56, cardName(what), { class: "card-sign" }, cardAt(what, 0, 0, lit))
    : picture(40, 56, "–", { class: "card-sign" }, svg("rect", { class: "berth", x: 2, y: 2, width: 36, height: 52, rx: 5 }));
}

// -- people ---------------------------------------------------------------------------------------------------------

/** A name kept apart from the words around it, whichever way it is written. */
function isolated(what) {
  return `\u2068${what}\u2069`;
}

/** Who sits on a seat, in a word: a name, or the colour. */
function called(names, whose) {
  return names[whose] || word(COLOURS, whose);
}

/** Shape and name. */
function who(names, whose) {
  return el("span", { class: "who" }, sign(whose, !names[whose]), el("bdi", { class: "name" }, called(names, whose)));
}

/** Several of them, one after another. */
function whos(names, seatsOf) {
  return el("span", { class: "whos" }, ...seatsOf.map((each) => who(names, each)));
}

/** A heading with what is below it. */
function part(heading, ...children) {
  return el("section", { class: "part" }, el("h3", {}, heading), ...children);
}

// -- keeping a page as it is where nothing has changed --------------------------------------------------------------

const drawn = new WeakMap();

/** Puts these in the place of all that is in an element, as replaceChildren does in newer browsers. */
function refill(element, ...children) {
  element.textContent = "";
  element.append(...children);
}

/** Fills an element anew if its key is another than last time. */
function fill(element, key, build) {
  if (drawn.get(element) === key) return;
  drawn.set(element, key);
  refill(element, ...build());
}

/** Puts these children into an element, in this order, and moves only what has to move. */
function line(element, children) {
  children.forEach((child, at) => {
    if (element.children[at] !== child) element.insertBefore(child, element.children[at] || null);
  });
  while (element.children.length > children.length) element.lastElementChild.remove();
}
