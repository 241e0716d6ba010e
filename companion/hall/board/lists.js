// Standings, seating, and the way to the board.
"use strict";

/** A QR code as the hall publishes it, with the border that cameras need. */
function qr({ address, code }) {
  const side = code.length + 8;
  const path = code.flatMap((row, y) => [...row].map((each, x) => (each === "1" ? `M${x + 4},${y + 4}h1v1h-1z` : ""))).join("");
  return picture(side, side, address, { class: "code", "shape-rendering": "crispEdges" }, svg("rect", { width: side, height: side, fill: "#fff" }), svg("path", { d: path, fill: "#000" }));
}

/** Somebody of the evening: the name, or the number where names are not shown. */
function personName({ id, name }) {
  if (!name) return el("bdi", { class: "name" }, say("player", { id: String(id) }));
  return el("span", { class: "name numbered" }, el("bdi", {}, name), el("span", { class: "number" }, `#${id}`));
}

/** The way to somebody's evening, on pages that have one. */
function linkTo(each) {
  return typeof address === "function" ? el("a", { href: address("player", "", each.id) }, personName(each)) : personName(each);
}

/** Whether somebody is who is looked for; everybody is where nothing is. */
function wanted(sought, ...said) {
  const low = sought.trim().toLocaleLowerCase();
  return !low || said.some((each) => each.toLocaleLowerCase().includes(low));
}

const personWanted = (sought, { id, name }) => wanted(sought, name || say("player", { id: String(id) }));

// -- standings ------------------------------------------------------------------------------------------------------

function standingsHead(standings) {
  const after = standings.after === 0 ? say("after_none") : count("after", standings.after, { rounds: figure(standings.after) });
  const open = standings.open ? [count("open", standings.open, { count: figure(standings.open) })] : [];
  const ties = standings.ties.map((each) => say(`tie_${each}`));
  const apart = ties.length ? [say("ties", { ties: ties.join(", ") })] : [];
  return el("p", { class: "lead" }, [after, say(`by_${standings.by}`), ...open, ...apart].join(" · "));
}

/** What tells somebody apart from others who are as good; nothing where nobody is. */
function tied(each, rows) {
  if (!each.ties.length || !rows.some((other) => other.id !== each.id && other.score === each.score)) return null;
  return el("span", { class: "muted ties" }, ` (${each.ties.map(figure).join(" · ")})`);
}

function row(each, rows) {
  return el("tr", { class: each.left ? "gone" : null },
    el("td", { class: "place" }, figure(each.place)),
    el("td", { class: "person" }, linkTo(each), each.left ? el("span", { class: "muted" }, ` (${say("left")})`) : null, tied(each, rows)),
    el("td", { class: "score" }, figure(each.score)),
    el("td", {}, figure(each.games)), el("td", {}, figure(each.wins)), el("td", { class: "byes" }, figure(each.byes)));
}

function rows(standings, some, all) {
  const heads = [["place", "place"], ["person", "name"], ["score", `score_${standings.by}`], ["", "games"], ["", "won"], ["byes", "bye"]];
  return el("table", { class: "standings" },
    el("thead", {}, el("tr", {}, ...heads.map(([kind, key]) => el("th", { class: kind || null, scope: "col", title: say(key) }, key === "place" ? "#" : say(key))))),
    el("tbody", {}, ...some.map((each) => row(each, all))));
}

/** Who has what by a result that counted or counts. */
function countedText(some) {
  if (!some) return say("settled_nobody");
  return some.map(({ id, name, score }) => `${isolated(name || say("player", { id: String(id) }))} ${figure(score)}`).join(", ");
}

function corrected(standings, some = standings.corrected) {
  if (!some.length) return null;
  return part(say("corrected"), el("ul", { class: "corrections" }, ...some.map((each) => el("li", {},
    el("bdi", {}, say("correction", { table: isolated(tableLabel(each.table)), round: figure(each.round), reason: isolated(each.reason) })),
    el("p", { class: "muted" }, say("correction_from", { before: countedText(each.before), after: countedText(each.after) }))))));
}

function standingsPage(hall, sought = "") {
  const { standings } = hall;
  if (!standings || !standings.rows.length) return [el("p", { class: "empty" }, say("no_standings"))];
  const found = standings.rows.filter((each) => personWanted(sought, each));
  if (!found.length) return [standingsHead(standings), el("p", { class: "empty" }, say("found_none"))];
  return [standingsHead(standings), el("div", { class: "columns" }, rows(standings, found, standings.rows)), corrected(standings)].filter(Boolean);
}

/** Some of the standings on a slide, in columns. */
function standingsSlide({ standings }, some, columns) {
  const size = Math.ceil(some.length / columns);
  const tables = Array.from({ length: columns }, (_, i) => some.slice(i * size, (i + 1) * size)).filter((each) => each.length);
  return [standingsHead(standings), el("div", { class: "columns fills" }, ...tables.map((each) => rows(standings, each, [])))];
}

// -- seating --------------------------------------------------------------------------------------------------------

function seatedTable(entry) {
  return el("article", { class: "card seated" },
    el("h2", {}, el("span", {}, tableLabel(entry.table)), el("span", { class: "game" }, word(GAMES, entry.game))),
    el("ul", { class: "seat-lines" }, ...entry.seats.map((each) =>
      el("li", { class: "seat-line" }, el("span", { class: "who" }, sign(each.seat), personName(each))))));
}

function byesCard(byes) {
  return el("article", { class: "card seated" }, el("h2", {}, el("span", {}, say("byes"))),
    el("ul", { class: "seat-lines" }, ...byes.map((each) => el("li", { class: "seat-line" }, personName(each)))));
}

/** The rounds of the seating that matter now: this one, and the next if it is known. */
function roundsNow(hall) {
  const now = hall.evening ? hall.evening.round : 0;
  return hall.seating ? hall.seating.rounds.filter(({ round }) => round === now || round === now + 1) : [];
}

/** Draws the cards of a round: its tables, then the byes. */
function seatedCards({ tables, byes }, sought = "") {
  const found = tables.filter((entry) =>
    wanted(sought, tableLabel(entry.table), word(GAMES, entry.game)) || entry.seats.some((each) => personWanted(sought, each)));
  const without = byes.filter((each) => personWanted(sought, each));
  return [...found.map((entry) => () => seatedTable(entry)), ...(without.length ? [() => byesCard(without)] : [])];
}

function roundTitle(hall, { round }) {
  const key = hall.evening && round === hall.evening.round ? "this_round" : "next_round";
  return el("h2", { class: "round" }, say(key, { round: figure(round) }));
}

function seatingPage(hall, sought = "") {
  const found = roundsNow(hall);
  if (!found.length) return [el("p", { class: "empty" }, say("no_seating"))];
  const rounds = found.flatMap((each) => {
    const made = seatedCards(each, sought).map((make) => make());
    return [roundTitle(hall, each), made.length ? el("div", { class: "cards-grid" }, ...made) : el("p", { class: "empty" }, say("found_none"))];
  });
  return [...rounds, roundLinks(hall)].filter(Boolean);
}
