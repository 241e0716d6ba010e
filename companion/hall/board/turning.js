// What turns by itself where nobody touches anything: all tables, the seating, the standings, and one table in full.
"use strict";

const A_SLIDE = 12;
const CARDS = 12;
const ROWS = 14;
const CORRECTIONS = 8;

const parts = (many, size) => Array.from({ length: Math.ceil(many / size) }, (_, at) => at);

/** How cards are laid out so that they fill a wide screen: columns and rows. */
function grid(many) {
  if (many <= 2) return [2, 1];
  if (many <= 4) return [2, 2];
  if (many <= 6) return [3, 2];
  if (many <= 9) return [3, 3];
  return [4, 3];
}

function gridOf(children, kind) {
  const [columns, lines] = grid(children.length);
  return el("div", { class: `slide-grid ${kind} by-${columns}-${lines}` }, ...children);
}

/** The slides of one time round, each a function that draws it; the table in full is another each time. */
function slides(hall, time) {
  const tables = tablesOf(hall);
  const found = parts(tables.length, CARDS).map((at) => ({
    page: "tables",
    draw: () => [gridOf(tables.slice(at * CARDS, (at + 1) * CARDS).map((table) => cardOf(hall, table)), "glance")],
  }));
  for (const each of roundsNow(hall)) {
    const made = seatedCards(each);
    found.push(...parts(made.length, CARDS).map((at) => ({
      page: "seating",
      draw: () => [roundTitle(hall, each), gridOf(made.slice(at * CARDS, (at + 1) * CARDS).map((make) => make()), "seats")],
    })));
  }
  const many = hall.standings ? hall.standings.rows.length : 0;
  const columns = many > ROWS ? 2 : 1;
  found.push(...parts(many, ROWS * columns).map((at) => ({
    page: "standings", draw: () => standingsPage(hall, "", at, ROWS, columns),
  })));
  const mended = hall.standings ? hall.standings.corrected : [];
  found.push(...parts(mended.length, CORRECTIONS).map((at) => ({
    page: "standings", draw: () => [corrected(hall.standings, mended.slice(at * CORRECTIONS, (at + 1) * CORRECTIONS))],
  })));
  const here = tables.filter((table) => viewNow(table) && (!table.status || table.status.here));
  const going = here.filter((table) => !viewNow(table).over);
  const playing = going.length ? going : here;
  if (playing.length) {
    const { id } = playing[time % playing.length];
    found.push({ page: "table", draw: () => tablePage(hall, id) });
  }
  return found;
}
