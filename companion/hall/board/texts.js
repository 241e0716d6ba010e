// The board's texts. Translations, and the names of games, colours and places, are in catalogue.js, which the hall makes
// from the table's catalogues (`companion.hall.page`).
"use strict";

/** As Object.hasOwn, which old tablets do not have: these pages are written in ES2019. */
function hasOwn(of, key) {
  return Object.prototype.hasOwnProperty.call(of, key);
}

/** Marks a text for the catalogues (`make words`). */
const N_ = (text) => text;

const TEXTS = {
  tables: N_("Tables"),
  seating: N_("Seating"),
  standings: N_("Standings"),
  title: N_("The hall"),
  table: N_("Table {number}"),
  back: N_("All tables"),
  find: N_("Find a name or a table"),
  found_none: N_("Nothing found."),
  language: N_("Language"),
  look_light: N_("Light"),
  look_dark: N_("Dark"),
  turn_on: N_("Cycle pages"),
  page_of: N_("{page} of {pages}"),
  connecting: N_("Connecting …"),
  lost: N_("No connection since {time}. The page shows the state at that time. Reconnecting …"),
  no_script: N_("This page needs JavaScript."),
  no_tables: N_("No table has reported yet."),
  no_seating: N_("Nobody has been seated yet."),
  no_standings: N_("There are no standings yet."),
  unreadable: N_("The game at this table cannot be shown."),
  no_game: N_("No game yet"),
  no_table: N_("This table has not reported yet."),
  loading: N_("Loading the game …"),
  away: N_("away"),
  round: N_("Round {round}"),
  state_open: N_("Registration"),
  state_between: N_("All results are in"),
  state_seated: N_("Please take your seats"),
  state_playing: N_("Games in progress"),
  state_over: N_("The evening is over"),
  waiting: N_("Waiting for"),
  everybody: N_("everybody"),
  reveal_now: N_("All have chosen: reveal"),
  game_over: N_("The game is over"),
  wins: N_("Won by"),
  shared: N_("Victory shared by"),
  draw: N_("A draw: nobody wins"),
  contested: N_("Contested by"),
  to_approve: N_("Not yet approved by"),
  approved: N_("Result approved by everybody"),
  settled_organiser: N_("Decided by the organiser"),
  settled_nobody: N_("This game is void"),
  reason: N_("The organiser: {reason}"),
  corrected: N_("Corrected"),
  correction_here: N_("Corrected: {reason}"),
  correction_from: N_("{before} → {after}"),
  ties: N_("tie-breaks: {ties}"),
  tie_wins: N_("games won"),
  tie_shares: N_("place points"),
  tie_best: N_("best single game"),
  tie_opponents: N_("opponents' average"),
  correction: N_("{table}, round {round}: {reason}"),
  this_round: N_("This round: round {round}"),
  next_round: N_("Next: round {round}"),
  bye: N_("Bye"),
  byes: N_("Byes this round"),
  player: N_("Player {id}"),
  place: N_("Place"),
  name: N_("Name"),
  left: N_("has left"),
  games: N_("Games"),
  won: N_("Won"),
  paused: N_("paused"),
  then_act: N_("when time is up, finish the current move"),
  then_round: N_("when time is up, finish the current round"),
  up_act: N_("Time is up: finish the current move"),
  up_round: N_("Time is up: finish the current round"),
  up_nothing: N_("Time is up"),
  where: N_("Where do I sit?"),
  scan: N_("Find your seat on your phone"),
  not_come: N_("has not come"),
  not_counted: N_("does not count yet"),
  not_me: N_("That's not me"),
  thats_me: N_("That's me"),
  stands: N_("Place {place}, {score}"),
  rounds_before: N_("Earlier rounds:"),
  withdrawn: N_("This round is void."),
  print: N_("Print"),
  signed: N_("Signature"),
  as_text: N_("Text version"),
  by_scores: N_("Ranked by total score"),
  by_wins: N_("Ranked by games won"),
  by_places: N_("Ranked by place points (the share of opponents beaten)"),
  score_scores: N_("Total"),
  score_wins: N_("Wins"),
  score_places: N_("Points"),
  after: N_("After {rounds} rounds"),
  after_one: N_("After 1 round"),
  after_none: N_("No round is complete yet"),
  open: N_("{count} results are missing or not approved"),
  open_one: N_("1 result is missing or not approved"),
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
  then_nothing: "",
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
