// Keeps the newest payload of each topic, if it fits its shape; ignores others. Nothing in here knows the page.
"use strict";

const MOST = { halls: 20, tables: 1000, letters: 64 * 1024, lettersOfAll: 1000000 };

// -- what is kept ---------------------------------------------------------------------------------------------------

/** The topics that the page reads; events, approvals and health say nothing that it shows. */
const TOPICS = [
  ...Object.keys(KINDS.OF_TABLE).map((kind) => `tabularium/2/+/table/+/${kind}`),
  "tabularium/2/+/hall/have/+",
  ...Object.keys(KINDS.OF_HALL).map((kind) => `tabularium/2/+/hall/${kind}`),
];

/** Counts what is kept, so that no two states of anything have the same stamp. */
let clock = 0;

/** Reads a payload: its object, null where the topic has been cleared, undefined where it does not fit. */
function read(kind, payload, most) {
  if (payload === "") return null;
  if (payload.length > most) return undefined;
  try {
    const found = JSON.parse(payload);
    return kind(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps what a topic says now, and says whether anything has changed. `halls` maps names to what is known of each. */
function take(halls, topic, payload) {
  const [root, version, hallName, who, one, two, more] = topic.split("/");
  if (root !== "tabularium" || version !== "2" || !KINDS.tableName(hallName) || more !== undefined) return false;
  const table = who === "table" ? one : two;
  const key = who === "table" ? two : one;
  const kinds = who === "table" ? KINDS.OF_TABLE : table === undefined ? KINDS.OF_HALL : { have: KINDS.HAVE };
  if (!["table", "hall"].includes(who) || !hasOwn(kinds, key)) return false;
  if (table !== undefined && !KINDS.tableName(table)) return false;
  const found = read(kinds[key], payload, ["seating", "standings", "rounds", "requests"].includes(key) ? MOST.lettersOfAll : MOST.letters);
  if (found === undefined) return false;
  const hall = put(halls, hallName, MOST.halls, () => ({ stamp: 0, tables: new Map(), seating: null }));
  const kept = table === undefined ? hall : hall && put(hall.tables, table, MOST.tables, () => ({ id: table, stamp: 0 }));
  if (!kept) return false;
  kept[key] = found;
  if (key === "clock" && found) hall.clockHeard = performance.now();
  kept.stamp = clock += 1;
  return true;
}

/** What is in a map under this name, made if it is not, null if there are too many. */
function put(kept, key, most, make) {
  if (!kept.has(key)) {
    if (kept.size >= most) return null;
    kept.set(key, make());
  }
  return kept.get(key);
}

// -- what follows from it -------------------------------------------------------------------------------------------

const byName = new Intl.Collator("en", { numeric: true }).compare;

/** The hall that is shown: the one asked for, or the first that has an evening, or the first. */
function chosenHall(halls, asked) {
  if (asked) return halls.get(asked) || null;
  const names = [...halls.keys()].sort(byName);
  return halls.get(names.find((each) => halls.get(each).evening) || names[0]) || null;
}

/** The device that a table of the seating is on: its own, or a spare that has taken over. */
const deviceOf = ({ table, device }) => device || table;

/** The devices of tables that have said anything, and those that are seated and have not come; table-2 before table-10. */
function tablesOf(hall) {
  const round = hall.seating && hall.evening && hall.seating.rounds.find((each) => each.round === hall.evening.round);
  const awaited = new Set(round ? round.tables.map(deviceOf) : []);
  const unseated = (hall.evening && hall.evening.unseated) || [];
  for (const id of awaited) put(hall.tables, id, MOST.tables, () => ({ id, stamp: 0 }));
  const heard = [...hall.tables.values()].filter((table) => awaited.has(table.id) || ((table.status || table.header || table.view) && !unseated.includes(table.id)));
  return heard.sort((one, other) => byName(nameOf(hall, one.id), nameOf(hall, other.id)));
}

/** What the table on a device is called: a spare takes over the name. */
function nameOf(hall, id) {
  const table = hall.tables.get(id);
  const rounds = [table && table.header && table.header.round, hall.evening && hall.evening.round];
  const entry = rounds.map((round) => round && seated(hall, id, round)).find(Boolean) || (hall.seating && hall.seating.rounds.flatMap(({ tables }) => tables).find((each) => deviceOf(each) === id));
  return entry ? entry.table : id;
}

/** The device of a table by its name, in the round that is played or else in another one. */
function deviceNamed(hall, name) {
  const played = hall.evening ? hall.evening.round : 0;
  const entries = (hall.seating ? hall.seating.rounds : []).flatMap(({ round, tables }) => tables.filter(({ table }) => table === name).map((each) => [round, each]));
  const [, entry] = entries.find(([round]) => round === played) || entries[0] || [0, null];
  return entry ? deviceOf(entry) : name;
}

const same = (one, other) => Boolean(one && other && one.game === other.game && one.begun === other.begun);

/** A table's view of the game that its header names; what is retained of another game does not count. */
function viewNow(table) {
  return same(table.header, table.view) && table.header.header.game === table.view.view.game ? table.view.view : null;
}

/** How that game ended, by the organiser's word or as the table reports it; null while it goes on. */
function resultNow(table) {
  if (same(table.header, table.have) && table.have.counts) return table.have.counts;
  if (same(table.header, table.result)) return table.result.result;
  const now = viewNow(table);
  return now && now.over ? now.result : null;
}

/** The seconds that the round's clock has left, by this browser's own time since the hall said so; null without one. */
function secondsLeft({ clock, clockHeard }) {
  if (!clock || clock.state === "none") return null;
  return clock.state === "running" ? Math.max(0, Math.round(clock.left - (performance.now() - clockHeard) / 1000)) : clock.left;
}

/** What the hall says of the game: who says that its result is not right, who has still to approve it, and whether that is settled; null where it says nothing. */
function verdict(table) {
  const { header, have: kept, result: ended } = table;
  if (!same(header, kept)) return null;
  if (["organiser", "nobody"].includes(kept.settled)) return { against: [], missing: [], settled: kept.settled, reason: kept.reason || "" };
  if (!resultNow(table) || !ended || ended.crc === null || kept.result !== ended.crc) return null;
  const said = kept.approvals || {};
  const against = header.header.seats.filter((each) => said[each] === false);
  const missing = header.header.seats.filter((each) => !said[each]);
  return { against, missing, settled: kept.settled || null, reason: "" };
}

/** What the hall has seated on a device in a round: its entry, or null. */
function seated(hall, id, round) {
  const found = hall.seating && hall.seating.rounds.find((each) => each.round === round);
  return (found && found.tables.find((each) => deviceOf(each) === id)) || null;
}

/** The people of the game that a table plays, by seat: a name, or null where it is not to be shown. */
function people(hall, table) {
  const { header } = table;
  if (!header) return {};
  const shown = hall.evening ? hall.evening.names : "full";
  const tonight = !hall.seating || !hall.seating.evening || hall.seating.evening === header.header.evening;
  const entry = tonight ? seated(hall, table.id, header.round) : null;
  const found = {};
  for (const each of header.header.seats) {
    const there = entry && entry.game === header.header.game && entry.seats.find((one) => one.seat === each);
    const entered = shown === "full" && header.header.players && header.header.players[each];
    found[each] = (shown !== "none" && there && there.name) || entered || null;
  }
  return found;
}
