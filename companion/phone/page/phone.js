// A phone at a seat: whose move it is, what this seat can do, what only it may see, the table, and the fist.

import { stayAwake } from "./awake.js";
import { cover, isShown, listenToCover } from "./cover.js";
import { drawFist, listenToFist, lose, showFist } from "./fist.js";
import { askCode, joined, leaveTo, offerSeats, wait } from "./joining.js";
import { connect, keepToken, letIn, pause, send } from "./link.js";
import { forgetLists, isPrivate, listenToLists, refused, showList } from "./lists.js";
import { forgetPublic, showPublic } from "./public.js";
import { forgetSaid, marked, mention, settle, tell } from "./speech.js";

const state = { words: null, seats: null, waiting: null, tab: null, table: null, link: "open" };

// -- what comes ---------------------------------------------------------------------------------------------------------

const takes = {
  texts(texts, message) {
    const { words, games, places, colours } = texts;
    state.words = words;
    lang = message.lang;
    document.documentElement.lang = lang;
    for (const [of, names] of [[GAMES, games], [PLACES, places], [COLOURS, colours]]) {
      for (const [name, said] of Object.entries(names)) of[name] = Object.keys(LANGUAGES).map(() => said);
    }
    fixed();
  },
  seats(seats) {
    letIn();
    Object.assign(state, { seats, waiting: null, tab: null });
  },
  token(token) { keepToken(token); },
  waiting(waiting) { state.waiting = waiting; },
  gone(gone) { leave(gone); },
  tab(tab) {
    pause();
    forget();
    state.tab = tab;
  },
  table(table) {
    const head = at("head").textContent;
    const before = state.table;
    const chosen = state.tab;
    Object.assign(state, { table, seats: null, waiting: null, tab: null });
    showFist(table.fist);
    const focus = render() || (chosen && "head");
    if (focus) at(focus).focus();
    else if (before && head !== table.head) mention(table.head);
    if (before && before.act !== table.act) settle();
  },
  say(sentences) {
    for (const { text, now } of sentences) {
      if (now) refused();
      tell(text, now);
    }
  },
};

function take(message) {
  for (const [kind, what] of Object.entries(message)) if (hasOwn(takes, kind)) takes[kind](what, message);
  if (!("table" in message) && !("say" in message)) render();
}

/** The table has refused this phone, or taken its seat away. */
function leave(why) {
  if (state.table || !state.seats) {
    keepToken("");
    state.seats = null;
  }
  forget();
  tell(why, true);
}

/** Takes everything of the game off the page. */
function forget() {
  Object.assign(state, { table: null, waiting: null, tab: null });
  cover();
  showFist(null);
  forgetLists();
  forgetPublic();
  forgetSaid();
}

// -- what is shown --------------------------------------------------------------------------------------------------------

/** The words of the page that do not change but with the language. */
function fixed() {
  Object.assign(TEXTS, state.words);
  const words = { "mine-title": "only_you", "said-title": "was_said", again: "say_again", five: "last_five" };
  for (const [place, key] of Object.entries(words)) at(place).textContent = say(key);
  for (const each of document.querySelectorAll("#reach > div")) each.hidden = each.lang !== lang;
  showChoices();
  drawFist();
}

/** Draws everything; returns the id of what is to be focused, "" for nothing. */
function render() {
  connection();
  if (!state.words) return "";
  const { table } = state;
  document.body.classList.toggle("seated", Boolean(table));
  band(table);
  mine(table);
  if (table) {
    joined();
    showPublic(table, () => { Object.assign(TEXTS, state.words); render(); });
    return showList(table);
  }
  if (state.tab) leaveTo(state.tab, goOn);
  else if (state.waiting) wait(state.waiting);
  else if (state.seats) offerSeats(state.seats);
  else askCode();
  return "";
}

function connection() {
  const lost = state.link !== "open";
  const text = lost && state.words ? say("lost") : "";
  if (at("link").textContent !== text) at("link").textContent = text;
  at("reach").hidden = state.link !== "unreachable";
  document.body.classList.toggle("lost", lost);
}

function band(table) {
  at("band").className = table && table.yours ? `asked of-${table.seat}` : "";
  at("own").hidden = !table;
  at("yours").hidden = !table || !table.yours;
  if (!table) return;
  const names = (table.public && table.public.header && table.public.header.players) || {};
  fill(at("own"), JSON.stringify([lang, table.seat, names[table.seat]]), () => [who(names, table.seat)]);
  fill(at("head"), `${lang} ${table.head}`, () => marked(table.head));
  fill(at("yours"), `${lang} ${table.yours}`, () => marked(table.yours || ""));
  document.title = table.head;
}

/** What only this player may see; covered unless it is asked for. */
function mine(table) {
  const lines = (table && table.mine) || [];
  const secret = lines.length > 0 || isPrivate(table && table.list);
  at("mine").hidden = !secret;
  place(isPrivate(table && table.list) ? at("entries") : at("log"));
  at("show").textContent = say("show");
  at("show").setAttribute("aria-pressed", String(isShown()));
  fill(at("lines"), JSON.stringify([lang, isShown() && lines]), () => (isShown() ? lines : []).map(({ label, value }) =>
    el("li", { dir: "auto" }, label ? el("span", {}, `${label}: `) : null, el("b", {}, ...marked(String(value))))));
}

/** Puts what is private before this: into a list that only this player may see, as it has to be uncovered first. */
function place(before) {
  const section = at("mine");
  if (section.nextElementSibling === before) return;
  const focused = section.contains(document.activeElement) && document.activeElement;
  before.parentNode.insertBefore(section, before);
  if (focused) focused.focus();
}

// -- everything together ----------------------------------------------------------------------------------------------------

chooseLook();
listenToChoices(() => { send({ lang: at("lang").value }); if (state.words) showChoices(); });
listenToCover(render);
listenToLists();
listenToFist();
stayAwake(() => state.table && tell(say("stay_awake")));
const goOn = connect(take, (now) => {
  if (now === "closed") lose();
  else if (state.link !== now) {
    state.link = now;
    connection();
  }
});
