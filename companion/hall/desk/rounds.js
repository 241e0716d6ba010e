// The evening's rounds and people as the organiser sees them, from the organiser's state and what is published.
"use strict";

const players = () => new Map(desk.state.players.map((each) => [each.id, each]));

/** Draws a player's name with the number, as the organiser sees it. */
function fullName(id) {
  const known = players().get(id);
  return el("span", { class: "name numbered" }, el("bdi", {}, known ? known.name : "–"), el("span", { class: "number" }, `#${id}`));
}

const plainName = (id) => { const known = players().get(id); return known ? `${known.name} #${id}` : `#${id}`; };

/** Returns every round: current ones from the organiser's state, earlier ones from what is published. */
function allRounds() {
  const hall = chosenHall(halls, desk.hall);
  const known = new Map((hall && hall.rounds ? hall.rounds.rounds : []).map((each) => [each.round, { ...each, begun: true, absent: [], withdrawn: each.withdrawn ? "–" : null, tables: each.tables.map(before) }]));
  for (const each of desk.state.rounds) known.set(each.round, each);
  return [...known.values()].sort((one, other) => one.round - other.round);
}

/** Converts a table of an earlier, published round to the plan's format. */
function before({ table, game, seats, state, scores }) {
  const counts = scores.length ? Object.fromEntries(seats.map(([seat], i) => [seat, scores[i]])) : null;
  return {
    table, game, seats: seats.map(([seat, id]) => ({ seat, id })), state: state === "open" ? "missing" : state, why: "", counts, told: null,
    against: [], lacking: [], begun: null, last: null, moves: 0,
  };
}

/** Returns the round to show: the chosen one, else the one in progress, else the last. */
function shownRound() {
  const [rounds, { round }] = [allRounds(), desk.state];
  return rounds.find((each) => each.round === shown.round) || rounds.find((each) => each.round === round) || rounds[rounds.length - 1] || null;
}

const SETTLED = ["counts", "void", "withdrawn"];

const isOpen = (entry) => !SETTLED.includes(entry.state);

/** Returns the round in progress, null before any. */
const currentRound = () => desk.state.rounds.find((each) => each.round === desk.state.round) || null;

/** Returns the tables to show at a glance, each with its round: those of the current round, and any whose game is still open. */
function tablesNow() {
  const found = new Map();
  for (const round of desk.state.rounds) {
    if (round.withdrawn !== null || round.round > desk.state.round) continue;
    for (const entry of round.tables) if (round.round === desk.state.round || isOpen(entry)) found.set(`${round.round}/${entry.table}`, { round, entry });
  }
  const tables = [...found.values()];
  return tables.sort((one, other) => Number(isOpen(other.entry)) - Number(isOpen(one.entry)) || byName(one.entry.table, other.entry.table) || one.round.round - other.round.round);
}

const isHere = (table) => { const found = desk.state.devices.find((each) => each.table === table); return Boolean(found && found.here); };

const needsOf = (table, round) => desk.state.needs.filter((each) => each.table === table && (each.round === null || each.round === round));

/** Returns the minutes that games like this one usually take tonight, if this one has taken half as long again. */
function slowness(entry) {
  const usual = desk.state.pace[entry.game];
  return entry.state === "playing" && entry.begun && usual && minutesSince(entry.begun) > 1.5 * usual ? usual : 0;
}

/** Returns what is heard of the game at a table live, if it is the game of this round: its view, and when it last changed. */
function liveOf(hall, { round, entry }) {
  const table = hall && hall.tables.get(deviceOf(entry));
  if (!table || !table.header || table.header.round !== round.round) return {};
  return { table, view: viewNow(table), last: table.heardAt };
}

/** Returns the minutes since a game's last move, null where none is known. */
function minutesSinceMove(hall, each) {
  const { last } = liveOf(hall, each);
  const known = [each.entry.last ? minutesSince(each.entry.last) : null, last ? Math.floor((Date.now() - last) / 60000) : null].filter((minutes) => minutes !== null);
  return known.length ? Math.min(...known) : null;
}
