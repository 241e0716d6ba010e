// What each game brings to the board: what its views hold, and how it is drawn.
"use strict";

const FACES = {};

/** A game that brings nothing: its seats, whose turn it is, and in the end its scores. */
const ANY = { ended: "points", number: () => NaN, progress: () => "", facts: () => [], centre: () => [] };

/** A game's own script calls this; what it leaves out is as in any game. `texts` holds more texts. */
function brings(name, { texts = {}, view = () => ({}), ...face }) {
  Object.assign(TEXTS, texts);
  KINDS.learn(name, view);
  FACES[name] = { ...ANY, ...face };
}

function faceOf(game) {
  return hasOwn(FACES, game) ? FACES[game] : ANY;
}
