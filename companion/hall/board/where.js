// "Where do I sit?": everybody in order with table and seat; and one player's evening.
"use strict";

/** Where everybody sits in a round, in the order of names. */
function places(round) {
  const seats = round.tables.flatMap(({ table, game, seats: some }) => some.map((each) => ({ ...each, table, game })));
  const all = [...seats, ...round.byes.map((each) => ({ ...each, table: null, game: null, seat: null }))];
  const byTheirName = new Intl.Collator(lang, { numeric: true, sensitivity: "base" }).compare;
  const called = ({ name, id }) => name || say("player", { id: String(id) });
  return all.sort((one, other) => byTheirName(called(one), called(other)) || one.id - other.id);
}

/** The round whose seats are asked for: the one that is played, or the first that is known. */
function roundOfSeats(hall) {
  return roundsNow(hall)[0] || null;
}

function place(each, choose) {
  const where = each.table
    ? [el("b", {}, tableLabel(each.table)), el("span", { class: "seat-word" }, sign(each.seat), choose ? word(COLOURS, each.seat) : null)]
    : [el("b", {}, say("bye"))];
  const inside = [personName(each), el("span", { class: "at" }, ...where)];
  return el("li", { class: "sits" }, choose ? el("a", { href: address("player", "", each.id) }, ...inside) : inside);
}

/** Everybody and their seats; on a phone each is a link to one's own page. */
function wherePage(hall, sought = "") {
  const round = roundOfSeats(hall);
  if (!round) return [el("p", { class: "empty" }, say("no_seating"))];
  const found = places(round).filter((each) => personWanted(sought, each) || (each.table && wanted(sought, tableLabel(each.table))));
  return [roundTitle(hall, round), found.length ? el("ul", { class: "places" }, ...found.map((each) => place(each, true)))
    : el("p", { class: "empty" }, say("found_none"))];
}

/** Part of the list for a slide, with the way to the board for telephones. */
function whereSlide(hall, round, some) {
  const { board } = hall.evening;
  return [el("div", { class: "where-head" }, el("h2", { class: "round" }, say("where"), " ", el("span", { class: "muted" }, say("round", { round: figure(round.round) }))),
    board ? el("div", { class: "to-board" }, el("span", {}, say("scan")), qr(board)) : null),
  el("ul", { class: "places fills slide-places" }, ...some.map((each) => place(each, false)))];
}

// -- one player's evening -------------------------------------------------------------------------------------------

/** What is known of somebody: from the standings, else from the seating. */
function personOf(hall, id) {
  const row = hall.standings && hall.standings.rows.find((each) => each.id === id);
  const sits = hall.seating && hall.seating.rounds.flatMap(({ tables, byes }) => [...tables.flatMap(({ seats }) => seats), ...byes]).find((each) => each.id === id);
  return row || sits ? { id, name: (row || sits).name, row } : null;
}

/** Who has what at a table that counts, and whose evening this is. */
function countedAt(hall, { seats, scores }, whose) {
  return el("ul", { class: "counted" }, ...seats.map(([seat, id], i) => {
    const known = personOf(hall, id) || { id, name: null };
    return el("li", { class: id === whose ? "mine" : null }, sign(seat), el("a", { href: address("player", "", id) }, personName(known)), el("b", { class: "figure" }, scores.length ? figure(scores[i]) : ""));
  }));
}

function eveningOf(hall, id) {
  const rounds = hall.rounds ? hall.rounds.rounds.filter(({ withdrawn }) => !withdrawn) : [];
  return rounds.flatMap(({ round, tables, byes }) => {
    const of = tables.find(({ seats }) => seats.some(([, each]) => each === id));
    const head = el("h3", {}, say("round", { round: figure(round) }), of ? ` · ${word(GAMES, of.game)} · ${tableLabel(of.table)}` : byes.includes(id) ? ` · ${say("bye")}` : "");
    if (!of && !byes.includes(id)) return [];
    const more = !of ? [] : of.state === "void" ? [el("p", { class: "muted" }, say("settled_nobody"))] : of.state === "open" ? [el("p", { class: "muted" }, say("not_counted"))] : [];
    return [el("section", { class: "part" }, head, ...more, of ? countedAt(hall, of, id) : null)];
  });
}

/** One's own page: where to go now, where next, how it stands, and every game so far. */
function playerPage(hall, id) {
  const known = personOf(hall, id);
  if (!known) return [el("p", { class: "empty" }, say("found_none"))];
  const mine = memory.get("me") === String(id);
  const choose = el("button", { type: "button", class: mine ? null : "main" }, say(mine ? "not_me" : "thats_me"));
  choose.addEventListener("click", () => { memory.set("me", mine ? "" : String(id)); render(); });
  const seats = roundsNow(hall).flatMap((round) => places(round).filter((each) => each.id === id).map((each) => [round, each]));
  const { row } = known;
  return [
    el("h2", { class: "person-head" }, personName(known)), el("p", {}, choose),
    ...seats.map(([round, each]) => el("div", { class: "card own-seat" }, roundTitle(hall, round),
      each.table ? el("a", { class: "own-table", href: address("table", each.table) }, el("b", {}, tableLabel(each.table)), el("span", { class: "seat-word" }, sign(each.seat), word(COLOURS, each.seat)), el("span", {}, word(GAMES, each.game)))
        : el("p", {}, say("bye")))),
    ...(mine ? ownRequests(hall, id, row) : []),
    row ? el("p", {}, say("stands", { place: figure(row.place), score: figure(row.score) }), row.left ? ` (${say("left")})` : "") : null,
    ...eveningOf(hall, id).reverse(),
  ].filter(Boolean);
}

// -- rounds that are over, a sheet for a table without a device, and all of it in words ----------------------------

/** An old round: who sat where, and what counted. */
function roundPage(hall, number) {
  const one = hall.rounds && hall.rounds.rounds.find(({ round }) => round === number);
  if (!one) return [el("p", { class: "empty" }, say("no_seating"))];
  return [
    el("h2", { class: "round" }, say("round", { round: figure(number) })), one.withdrawn ? el("p", { class: "correction" }, say("withdrawn")) : null,
    el("div", { class: "cards-grid" }, ...one.tables.map((of) => el("article", { class: "card seated" },
      el("h2", {}, el("span", {}, tableLabel(of.table)), el("span", { class: "game" }, word(GAMES, of.game))),
      of.state === "counts" ? null : el("p", { class: "muted" }, say(of.state === "void" ? "settled_nobody" : "not_counted")), countedAt(hall, of, 0))),
    one.byes.length ? byesCard(one.byes.map((id) => personOf(hall, id) || { id, name: null })) : null),
  ].filter(Boolean);
}

/** Links to the rounds before. */
function roundLinks(hall) {
  const rounds = hall.rounds ? hall.rounds.rounds.filter(({ round }) => !hall.evening || round < hall.evening.round) : [];
  if (!rounds.length) return null;
  return el("p", { class: "rounds-before" }, el("span", { class: "muted" }, say("rounds_before")), ...rounds.map(({ round }) => el("a", { href: address("round", "", round) }, figure(round))));
}

/** A sheet to print, for a table that plays by hand: names, and room for points. */
function sheetPage(hall, name) {
  const entry = hall.evening && seated(hall, deviceNamed(hall, name), hall.evening.round);
  if (!entry) return [el("p", { class: "empty" }, say("no_seating"))];
  const print = el("button", { type: "button", class: "no-print" }, say("print"));
  print.addEventListener("click", () => window.print());
  const heads = [say("name"), ...Array.from({ length: 8 }, () => ""), say("score_scores"), say("signed")];
  return [
    el("h2", {}, `${tableLabel(name)} · ${word(GAMES, entry.game)} · ${say("round", { round: figure(hall.evening.round) })}`), print,
    el("table", { class: "sheet" }, el("thead", {}, el("tr", {}, ...heads.map((each) => el("th", { scope: "col" }, each)))),
      el("tbody", {}, ...entry.seats.map((each) => el("tr", {}, el("th", { scope: "row" }, sign(each.seat), " ", personName(each)), ...heads.slice(1).map(() => el("td", {}))))))];
}

const upper = (text) => text.slice(0, 1).toLocaleUpperCase(lang) + text.slice(1);

/** A table in a sentence or two, for those who hear the page. */
function tableInWords(hall, table) {
  const { header } = table;
  const view = header ? viewSaid(table, resultNow(table)) : null;
  if (!header || !view) return say(header ? "loading" : "no_game");
  const names = people(hall, table);
  const ended = resultNow(table);
  const stand = standing(faceOf(header.header.game), view, header.header.seats, ended);
  const scores = header.header.seats.map((seat) => `${isolated(called(names, seat))} ${scored(stand.figures[seat])}`.trim());
  const told = el("span", {}, ...foot(table, view, names, ended)).textContent.trim();
  const caption = stand.caption ? `${upper(say(stand.caption))}: ` : "";
  return `${word(GAMES, header.header.game)}, ${phaseText(view)}. ${told}. ${caption}${listed(scores)}.`;
}

/** All of it in words: headings, lists, and no drawing. What changes is said politely, a table at a time. */
function textPage(hall) {
  const round = roundOfSeats(hall);
  const known = document.getElementById("in-words");
  const list = known || el("ul", { id: "in-words", "aria-live": "polite", "aria-relevant": "additions text" });
  const wantedItems = tablesOf(hall).map((table) => {
    const text = `${tableLabel(nameOf(hall, table.id))}: ${guarded(() => tableInWords(hall, table), table)}`;
    const item = [...list.children].find((each) => each.dataset.table === table.id) || el("li", { "data-table": table.id });
    if (item.textContent !== text) item.textContent = text;
    return item;
  });
  line(list, wantedItems);
  return [
    el("h2", {}, say("tables")), list,
    el("h2", {}, say("where")), round ? el("ul", {}, ...places(round).map((each) => el("li", {}, personName(each), ": ", each.table ? `${tableLabel(each.table)}, ${word(COLOURS, each.seat)}` : say("bye")))) : el("p", {}, say("no_seating")),
    el("h2", {}, say("standings")), ...standingsPage(hall),
  ];
}
