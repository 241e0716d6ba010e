// Which payloads are read: each kind says whether a value has the shape that docs/hall/schemas gives it, as far as the page
// uses it. What is larger than any game makes it does not fit either.
"use strict";

const SEATS = ["red", "blue", "green", "yellow", "purple", "black", "white"];

const KINDS = (() => {
  const oneOf = (...values) => (x) => values.includes(x);
  const text = (most) => (x) => typeof x === "string" && x.length <= 2 * most && [...x].length <= most;
  const whole = (least, most) => (x) => Number.isInteger(x) && x >= least && x <= most;
  const number = (x) => typeof x === "number" && Number.isFinite(x);
  const truth = (x) => typeof x === "boolean";
  const none = (kind) => (x) => x === null || kind(x);
  const list = (kind, most) => (x) => Array.isArray(x) && x.length <= most && x.every(kind);
  const record = (x) => typeof x === "object" && x !== null && !Array.isArray(x);
  const map = (key, kind, most) => (x) =>
    record(x) && Object.keys(x).length <= most && Object.entries(x).every(([name, value]) => key(name) && kind(value));
  const object = (needed, rest = {}) => (x) =>
    record(x) &&
    Object.entries(needed).every(([key, kind]) => hasOwn(x, key) && kind(x[key])) &&
    Object.entries(rest).every(([key, kind]) => !hasOwn(x, key) || kind(x[key]));

  const many = whole(0, 1e9);
  const crc = whole(0, 2 ** 32 - 1);
  const seat = oneOf(...SEATS);
  const owner = oneOf(...SEATS, "neutral");
  const name = none((x) => text(80)(x) && x.length > 0);
  const card = (x) => typeof x === "string" && /^(red|blue|green|yellow|purple) ([1-9]|10|12|flag)$/.test(x);
  const tableName = (x) => typeof x === "string" && /^[a-z0-9][a-z0-9-]{0,31}$/.test(x);
  const place = (x) => text(60)(x) && x.length > 0;
  const game = (x) => typeof x === "string" && /^[a-z][a-z0-9_]{0,31}$/.test(x);
  const when = none(text(40));
  const seats = list(seat, 7);
  const bySeat = (kind) => map(seat, kind, 7);

  const result = object({
    winners: seats, scores: bySeat(number), places: bySeat(whole(1, 7)), unconfirmed_board: truth,
  });
  const anyView = {
    game, phase: text(20), turn: none(seat), waiting: seats, over: truth, result: none(result),
  };
  const viewOf = (needed) => object({ ...anyView, ...needed }, { private: () => false });

  const VIEWS = {};
  const KINDS_OF_VIEWS = { oneOf, text, whole, number, truth, none, list, map, object, many, seat, owner, card, seats, bySeat, place };
  /** A game's own view has these keys besides; of one that brings nothing only those are looked at that all views have. */
  const learn = (name, needed) => { VIEWS[name] = viewOf(needed(KINDS_OF_VIEWS)); };
  const view = (x) => record(x) && game(x.game) && (hasOwn(VIEWS, x.game) ? VIEWS[x.game] : viewOf({}))(x);

  const which = { game: many, begun: when };
  const options = map(text(40), (x) => text(80)(x) || truth(x) || Number.isInteger(x), 40);
  const person = object({ id: many, name });

  const OF_TABLE = {
    status: object({ here: truth }),
    header: object({
      ...which,
      header: object(
        { game, seats: (x) => seats(x) && x.length >= 2, options },
        { players: bySeat((x) => name(x) && x !== null), board: none(record) },
      ),
    }, { round: none(many) }),
    view: object({ ...which, number: many, view }),
    result: object({ ...which, number: many, result: none(result), crc: none(crc) }),
  };
  const HAVE = object({ ...which, number: many }, {
    result: none(crc), approvals: bySeat(truth), settled: none(oneOf("all", "organiser", "nobody")), reason: text(200),
    counts: result,
  });
  const counted = list(object({ id: many, name, score: number }), 7);
  const OF_HALL = {
    evening: object({
      name: (x) => text(80)(x) && x.length > 0, round: many, state: oneOf("open", "seated", "playing", "over"),
      lang: oneOf("en", "de", "ja"), names: oneOf("full", "first", "none"), by: oneOf("scores", "wins", "places"), line: text(120),
    }, {
      unseated: list(tableName, 1000),
      board: object({ address: text(200), code: list((x) => typeof x === "string" && /^[01]{21,57}$/.test(x), 57) }),
    }),
    requests: object({
      taking: truth,
      requests: list(object({ id: text(40), state: oneOf("open", "done", "refused", "taken"), player: none(many) }), 2000),
    }),
    rounds: object({
      rounds: list(object({
        round: whole(1, 1e9), withdrawn: truth, byes: list(many, 5000),
        tables: list(object({
          table: tableName, game, state: oneOf("open", "counts", "void"), scores: list(number, 7),
          seats: list((x) => Array.isArray(x) && x.length === 2 && seat(x[0]) && many(x[1]), 7),
        }), 1000),
      }), 200),
    }),
    clock: object({
      round: many, state: oneOf("none", "running", "paused", "up"), left: whole(0, 1e6), whole: whole(0, 1e6),
      then: oneOf("act", "round", "nothing"),
    }),
    seating: object({
      rounds: list(object({
        round: whole(1, 1e9), byes: list(person, 5000),
        tables: list(object({
          table: tableName, game, options, seats: list(object({ seat, id: many, name }), 7),
        }, { device: tableName }), 1000),
      }), 200),
    }),
    standings: object({
      by: oneOf("scores", "wins", "places"), after: many, open: many,
      rows: list(object({
        id: many, name, place: whole(1, 1e9), score: number, games: many, wins: many, byes: many, left: truth,
        ties: list(number, 4),
      }), 5000),
      ties: list(oneOf("wins", "shares", "best", "opponents"), 4),
      corrected: list(object({
        round: many, table: tableName, game: many, reason: text(200), at: text(40), before: none(counted), after: none(counted),
      }), 1000),
    }),
  };

  return { OF_TABLE, OF_HALL, HAVE, learn, tableName };
})();
