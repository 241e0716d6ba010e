// What each game brings to the board: its title and places in every language, what its views hold, and how it is drawn.
"use strict";

const GAMES = {};
const PLACES = {};
const FACES = {};

/** A game that brings nothing: its seats, whose turn it is, and in the end its scores. */
const ANY = { ended: "points", number: () => NaN, progress: () => "", facts: () => [], centre: () => [] };

/** A game's own script calls this; what it leaves out is as in any game. `texts` holds more texts, by language. */
function brings(name, { title, places = {}, texts = {}, view = () => ({}), ...face }) {
  GAMES[name] = title;
  Object.assign(PLACES, places);
  for (const [lang, more] of Object.entries(texts)) Object.assign(TEXTS[lang], more);
  KINDS.learn(name, view);
  FACES[name] = { ...ANY, ...face };
}

function faceOf(game) {
  return hasOwn(FACES, game) ? FACES[game] : ANY;
}
