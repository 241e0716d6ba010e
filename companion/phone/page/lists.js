// What this seat can do, as a list of buttons or a number: the table keeps the lists, and the page says where it looks.

import { isShown } from "./cover.js";
import { send } from "./link.js";
import { calm, marked } from "./speech.js";

/** What this player has just asked for: {kind, path, game, act, at}; null once it is there. */
let asked = null;
let shown = null;

/** Returns whether some of a list, or all of it, may be read by this player alone. */
export const isPrivate = (list) => Boolean(list && (list.private || list.entries.some((entry) => entry.private)));

/** The table answers sooner: what comes later is somebody else's doing. */
const ANSWERED = 3000;

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Asks for the list at a path, or takes what is there. */
function ask(kind, path) {
  const { game, act } = shown;
  if (!send(kind === "take" ? { take: path, act } : { look: path })) return;
  calm();
  asked = { kind, path, from: shown.list.path, game, act, at: performance.now() };
}

/** The table has refused: the player stays where they are. */
export function refused() {
  asked = null;
}

/**
 * Shows the list of a table message. Returns what is focused, as only the player's own act may move it: "head" after a
 * move, "ask" in another list, "" for nothing.
 */
export function showList(table) {
  const first = !shown || !same(shown.list && shown.list.path, table.list && table.list.path);
  shown = table;
  const { list } = table;
  at("todo").hidden = !list;
  if (!list) return "";
  const covered = list.private && !isShown();
  const entries = covered ? [] : list.entries.filter((entry) => !entry.private || isShown());
  fill(at("ask"), `${lang} ${list.title} ${list.ask}`, () => marked([list.title, list.ask].filter(Boolean).join(": ") || say("can_do")));
  fill(at("notes"), JSON.stringify([lang, list.notes]), () => list.notes.map((note) => el("p", { dir: "auto" }, ...marked(note))));
  at("covered").textContent = say("covered");
  at("covered").hidden = !covered && entries.length === list.entries.length;
  at("back").textContent = say("back");
  at("back").hidden = !list.path.length;
  const short = entries.filter(({ text }) => text.length <= SHORT).length;
  at("entries").classList.toggle("short", short > 3);
  keep(entries, list.private);
  field(covered ? null : list.number || list.typing, first);
  return answered(table);
}

function answered({ game, act, list }) {
  if (!asked || performance.now() - asked.at > ANSWERED) return "";
  const opened = same(list.path, asked.path);
  const moved = asked.kind === "take" && (game !== asked.game || act !== asked.act);
  if (!opened && !moved && (asked.kind === "look" || same(list.path, asked.from))) return "";
  asked = null;
  return opened || !moved ? "ask" : "head";
}

// -- entries ----------------------------------------------------------------------------------------------------------

/** Entries of so few letters, such as cards, stand side by side. */
const SHORT = 4;

function entryItem({ key }) {
  const button = el("button", { type: "button", dir: "auto" });
  button.addEventListener("click", () => {
    if (button.getAttribute("aria-disabled") !== "true") ask(button.dataset.opens ? "look" : "take", [...shown.list.path, key]);
  });
  return el("li", { "data-key": key }, button);
}

/** Puts the entries into the list. An entry stays the same element while its key does, so that no focus is lost. */
function keep(entries, secret) {
  const list = at("entries");
  const only = entries.filter(({ main }) => main).length === 1;
  const known = new Map([...list.children].map((item) => [item.dataset.key, item]));
  const items = entries.map((entry) => {
    const item = known.get(entry.key) || entryItem(entry);
    known.delete(entry.key);
    const button = item.firstElementChild;
    item.dataset.secret = secret || entry.private ? "secret" : "";
    button.removeAttribute("aria-disabled");
    button.className = entry.main ? (only ? "main" : "act") : "";
    item.className = entry.text.length <= SHORT ? "" : entry.opens || entry.text.length > 3 * SHORT ? "full" : "wide";
    button.dataset.opens = entry.opens ? "opens" : "";
    fill(button, `${lang} ${entry.text}`, () => [el("span", {}, ...marked(entry.text))]);
    return item;
  });
  for (const item of known.values()) {
    if (item.contains(document.activeElement) && (isShown() || !item.dataset.secret)) items.push(outlived(item));
  }
  // what goes away goes first: an element that is moved loses its focus
  for (const item of [...list.children]) if (!items.includes(item)) item.remove();
  line(list, items);
}

/** Somebody else's move has taken the focused entry away: it stays, without effect, until the focus leaves it. */
function outlived(item) {
  const button = item.firstElementChild;
  if (button.getAttribute("aria-disabled") !== "true") {
    button.setAttribute("aria-disabled", "true");
    button.addEventListener("blur", () => button.getAttribute("aria-disabled") === "true" && item.remove(), { once: true });
  }
  return item;
}

// -- a number, or a text ------------------------------------------------------------------------------------------------

function field(wanted, first) {
  const form = at("number");
  const outlives = !wanted && isShown() && form.contains(document.activeElement);
  form.hidden = !wanted && !outlives;
  if (!wanted) return outlives ? form.addEventListener("focusout", clear) : clear();
  form.removeEventListener("focusout", clear);
  const key = JSON.stringify([lang, shown.list.path, { ...wanted, begins: 0 }]);
  if (form.querySelector("input") && form.dataset.key === key && !first) return null;
  form.dataset.key = key;
  return refill(form, ...(wanted.longest ? text(wanted) : number(wanted)), el("button", { type: "submit", class: "main" }, say("confirm")));
}

function number(wanted) {
  const { least, most, begins } = wanted;
  const input = el("input", { type: "number", inputmode: "numeric", min: least, max: most, step: 1, value: begins, "aria-labelledby": "ask", autocomplete: "off", required: "", "aria-describedby": "range" });
  return [
    el("p", { class: "row" }, step("less", -1, input, wanted), input, step("more", 1, input, wanted)),
    el("p", { id: "range", class: "muted" }, say("range", { least: figure(least), most: figure(most) })),
  ];
}

function text({ text: value, longest }) {
  return [el("input", { type: "text", maxlength: longest, value, "aria-labelledby": "ask", autocomplete: "off", required: "", dir: "auto" })];
}

/** Takes the form away; one that somebody else's move has outdated stays, without effect, until the focus leaves it. */
function clear() {
  at("number").removeEventListener("focusout", clear);
  at("number").hidden = true;
  refill(at("number"));
}

function step(key, by, input, { least, most }) {
  const button = el("button", { type: "button", "aria-label": say(key) }, by < 0 ? "−" : "+");
  button.addEventListener("click", () => {
    const value = Number.parseInt(input.value, 10);
    input.value = Math.min(most, Math.max(least, (Number.isNaN(value) ? least : value) + by));
  });
  return button;
}

function chosen(event) {
  event.preventDefault();
  const { number: wanted, typing, path } = shown.list;
  if (!wanted && !typing) return;
  const input = at("number").querySelector("input");
  const typed = input.value.trim();
  const value = wanted ? Number(typed) : typed;
  const fits = typed !== "" && (!wanted || (Number.isInteger(value) && value >= wanted.least && value <= wanted.most));
  input.setAttribute("aria-invalid", String(!fits));
  if (fits) ask("take", [...path, value]);
  else input.focus();
}

export function listenToLists() {
  at("number").addEventListener("submit", chosen);
  at("back").addEventListener("click", () => ask("look", shown.list.path.slice(0, -1)));
}

/** Forgets the lists of a seat that this phone no longer has. */
export function forgetLists() {
  shown = null;
  asked = null;
  for (const place of ["entries", "notes", "number"]) refill(at(place));
  at("todo").hidden = true;
}
