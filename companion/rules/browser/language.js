// The texts of every page that shows a game, and how they are written. A page adds its own to TEXTS, and brings the
// translations (CATALOGUE) and the names of games, places and colours.
"use strict";

/** As Object.hasOwn, which old tablets do not have: these pages are written in ES2019. */
function hasOwn(of, key) {
  return Object.prototype.hasOwnProperty.call(of, key);
}

/** Marks a text for the catalogues (`make words`). */
const N_ = (text) => text;

const TEXTS = {
  language: N_("Language"),
  look_light: N_("Light"),
  look_dark: N_("Dark"),
  connecting: N_("Connecting …"),
  round: N_("Round {round}"),
  waiting: N_("Waiting for"),
  everybody: N_("everybody"),
  reveal_now: N_("All have chosen: reveal"),
  game_over: N_("The game is over"),
  wins: N_("Won by"),
  shared: N_("Victory shared by"),
  draw: N_("A draw: nobody wins"),
  flipping: N_("flipping cards"),
  fists: N_("closing fists"),
  bidding: N_("naming bids"),
  loading_ship: N_("loading the last ship"),
  pawns: N_("drawing pawns"),
  province: N_("choosing a province"),
  choosing: N_("choosing cards"),
  pleading: N_("pleading"),
  answering: N_("answering an offer"),
  negotiating: N_("negotiating"),
  trick: N_("playing a trick"),
  placing: N_("placing counters"),
  turn: N_("a turn"),
  moving: N_("moving a piece"),
  declaring: N_("saying who fights"),
  cargo: N_("cargo"),
  chips: N_("chips"),
  points: N_("points"),
  tricks: N_("tricks"),
  counters: N_("counters"),
  counters_left: N_("counters left"),
  to_place: N_("still to place"),
  legions: N_("legions"),
  fleets: N_("fleets"),
  governed: N_("province value"),
  governed_short: N_("provinces"),
  on_ship: N_("on the ship"),
  hand: N_("cards in hand"),
  wins_1: N_("won"),
  lot: N_("The lot"),
  no_lot: N_("No lot yet"),
  pile: N_("Pile: {count}"),
  bids: N_("Bids"),
  taking_part: N_("Bidding"),
  ships: N_("Ships"),
  full: N_("ship full"),
  total: N_("Total {total}"),
  target: N_("Majority target"),
  reached: N_("{seat}: {held} of {target}"),
  pawn_row: N_("Pawn row"),
  played: N_("Cards"),
  provinces: N_("Provinces"),
  candidates: N_("Candidates"),
  governor: N_("Governor"),
  linked: N_("linked with {places}"),
  black_pawn: N_("Black pawn"),
  offer: N_("{pleader} offers {to}: {chips} chips"),
  offer_one: N_("{pleader} offers {to}: 1 chip"),
  the_trick: N_("The trick"),
  no_trick: N_("No card has been played yet."),
  lowest: N_("lowest"),
  passed: N_("passed"),
  out: N_("eliminated"),
  chosen: N_("card down"),
  duel: N_("Duel: {attacker} attacks {defender}, {from} to {to}"),
  neutral: N_("neutral"),
  battle: N_("Battle: {place}"),
  rome: N_("Rome"),
  carthage: N_("Carthage"),
  flag: N_("flag"),
};

const LANGUAGES = { en: "English", de: "Deutsch", ja: "日本語" };

/** The current language. */
let lang = "en";

/** Returns a text with its facts filled in; braces inside a fact stay as they are. */
function say(key, facts = {}) {
  const text = hasOwn(CATALOGUE[lang], TEXTS[key]) ? CATALOGUE[lang][TEXTS[key]] : TEXTS[key];
  return text.replace(/\{(\w+)\}/g, (whole, name) => (hasOwn(facts, name) ? facts[name] : whole));
}

/** Returns the text for a count, which has its own key for one. */
function count(key, number, facts = {}) {
  return say(number === 1 ? key + "_one" : key, facts);
}

/** Returns the name of a game, colour or place; a place of an owner's board has only its name on the wire. */
function word(table, name) {
  if (hasOwn(table, name)) return table[name][Object.keys(LANGUAGES).indexOf(lang)];
  return name.split("_").join(" ");
}

/** Joins words with commas. */
function listed(words) {
  return words.filter(Boolean).join(lang === "ja" ? "、" : ", ");
}

/** Returns a number as people write it, with a true minus sign. */
function figure(number) {
  return new Intl.NumberFormat(lang).format(number).replace("-", "−");
}
