// What turns by itself where nobody touches anything: where everybody sits until a round has begun; then all tables, the
// seating, the standings, and one table in full.
"use strict";

const A_SLIDE = 12;
const ALL_TABLES = 55;
/** So many cards on a slide that names are read from the back of the room: twelve hold five lines each, six hold nine. */
const CARDS = { many: 12, few: 6 };
const LINES = 5;
const LETTERS = 15;
const ROWS = 14;
const NAMES_ON_A_SLIDE = 48;
const CORRECTIONS = 8;

/** What is shown on as few pages as there must be, each as full as the others: 15 as 8 and 7. */
function parts(all, size) {
  const pages = Math.ceil(all.length / size);
  const least = Math.floor(all.length / pages);
  const more = all.length - least * pages;
  return Array.from({ length: pages }, (_, at) => all.slice(at * least + Math.min(at, more), (at + 1) * least + Math.min(at + 1, more)));
}

/** How cards are laid out so that they fill a wide screen: columns and rows. */
function grid(many) {
  if (many <= 2) return [2, 1];
  if (many <= 4) return [2, 2];
  if (many <= 6) return [3, 2];
  if (many <= 8) return [4, 2];
  if (many <= 9) return [3, 3];
  return [4, 3];
}

function gridOf(children, kind) {
  const [columns, lines] = grid(children.length);
  return el("div", { class: `slide-grid ${kind} by-${columns}-${lines}` }, ...children);
}

/** How many cards go on a slide, by the names that stand on each. */
function cardsOn(cards) {
  const lines = (names) => names.reduce((sum, name) => sum + Math.ceil((name || "").length / LETTERS || 1), 0);
  return cards.every((names) => lines(names) <= LINES) ? CARDS.many : CARDS.few;
}

/** Who stands on a table's card. */
function namesOn(hall, table) {
  if (table.header) return table.header.header.seats.map((seat) => people(hall, table)[seat]);
  const entry = hall.evening && seated(hall, table.id, hall.evening.round);
  return entry ? entry.seats.map(({ name }) => name) : [];
}

const seenBefore = new Map();
let order = { time: -1, pages: [] };

/** The pages of all tables; what has changed since it was shown comes first, and stays so for one time round. */
function tablePages(hall, time) {
  const tables = tablesOf(hall);
  const pages = parts(tables, cardsOn(tables.map((table) => namesOn(hall, table))));
  if (order.time !== time || order.pages.length !== pages.length) {
    const fresh = (some) => some.some((table) => seenBefore.get(table.id) !== table.stamp);
    const all = pages.map((_, at) => at);
    order = { time, pages: [...all.filter((at) => fresh(pages[at])), ...all.filter((at) => !fresh(pages[at]))] };
    tables.forEach((table) => seenBefore.set(table.id, table.stamp));
  }
  return order.pages.map((at) => pages[at]);
}

/** How long a slide stays: the pages of all tables come round within a minute. */
function lasting(seconds) {
  return Math.min(seconds, Math.max(3, ALL_TABLES / Math.max(1, order.pages.length)));
}

/** The slides of one time round, each a function that draws it; the table in full is another each time. */
function slides(hall, time) {
  const rounds = roundsNow(hall);
  const found = [];
  const seating = rounds.flatMap((each) => {
    const made = seatedCards(each);
    const names = [...each.tables.map(({ seats }) => seats), each.byes].map((some) => some.map(({ name, id }) => `${name} #${id}`));
    return parts(made, cardsOn(names)).map((some) => ({ page: "seating", draw: () => [roundTitle(hall, each), gridOf(some.map((make) => make()), "seats")] }));
  });
  if (rounds.length && hall.evening && hall.evening.state === "seated") {
    const where = parts(places(rounds[0]), NAMES_ON_A_SLIDE).map((some) => ({ page: "where", draw: () => whereSlide(hall, rounds[0], some) }));
    return [...where, ...seating];
  }
  found.push(...tablePages(hall, time).map((some) => ({
    page: "tables", draw: () => [gridOf(some.map((table) => cardOf(hall, table, true)), "glance")],
  })));
  found.push(...seating);
  const rows = hall.standings ? hall.standings.rows : [];
  const columns = rows.length > ROWS ? 2 : 1;
  found.push(...parts(rows, ROWS * columns).map((some) => ({ page: "standings", draw: () => standingsSlide(hall, some, columns) })));
  const mended = hall.standings ? hall.standings.corrected : [];
  found.push(...parts(mended, CORRECTIONS).map((some) => ({ page: "standings", draw: () => [corrected(hall.standings, some)] })));
  const here = tablesOf(hall).filter((table) => viewNow(table) && (!table.status || table.status.here));
  const going = here.filter((table) => !viewNow(table).over);
  const playing = going.length ? going : here;
  if (playing.length) {
    const name = nameOf(hall, playing[time % playing.length].id);
    found.push({ page: "table", draw: () => tablePage(hall, name) });
  }
  return found;
}
