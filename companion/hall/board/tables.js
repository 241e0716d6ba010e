// A table at a glance, and one in full.
"use strict";

/** "Table 3" for table-3; any other table by the name it has. */
function tableLabel(id) {
  const found = /^(?:table-?)?(\d{1,6})$/.exec(id);
  return found ? say("table", { number: String(Number(found[1])) }) : id;
}

// -- at a glance ----------------------------------------------------------------------------------------------------

/** People where there is little room: more than two are their shapes alone. */
function briefly(names, seatsOf) {
  return seatsOf.length > 2 ? el("span", { class: "signs" }, ...seatsOf.map((each) => sign(each))) : whos(names, seatsOf);
}

/** One seat of a table: shape, name and figure. */
function seatLine(seat, names, { figures, ahead }, view) {
  const turn = !view.over && (view.turn === seat || view.waiting.includes(seat));
  return el("li", { class: `seat-line${turn ? " awaited" : ""}` }, who(names, seat),
    el("b", { class: `figure${ahead.includes(seat) ? " ahead" : ""}` }, scored(figures[seat])));
}

/** What has to be said below: who is missing, who has won, whose approval is missing. */
function foot(table, view, names, ended, some = whos) {
  const told = approval(verdict(table), (missing) => some(names, missing));
  if (!ended) {
    if (told.length) return told;
    if (!view.waiting.length && view.phase === "choosing") return [say("reveal_now")];
    const awaited = view.waiting.length ? some(names, view.waiting) : say("everybody");
    return [el("span", { class: "muted" }, say("waiting")), " ", awaited];
  }
  const won = ended.winners.length
    ? [el("span", { class: "muted" }, say(ended.winners.length === 1 ? "wins" : "shared")), " ", some(names, ended.winners)]
    : [say("draw")];
  return [...won, ...told];
}

/** Whether the result counts, and if not yet, who is missing. */
function approval(told, people) {
  if (!told) return [];
  const { against, settled, missing } = told;
  if (settled === "organiser" || settled === "nobody") return [el("span", { class: "line muted" }, say(`settled_${settled}`))];
  if (against.length) return [el("span", { class: "line" }, say("contested"), " ", people(against))];
  return missing.length
    ? [el("span", { class: "line muted" }, say("to_approve"), " ", people(missing))]
    : [el("span", { class: "line muted" }, say("approved"))];
}

/** A table's view; a game whose result the organiser has said is over, wherever the table stands. */
function viewSaid(table, ended) {
  const view = viewNow(table);
  return view && ended ? { ...view, over: true } : view;
}

/** The inside of a table's card; of one on a slide the names are what matters, and one line says what has to be said. */
function glance(hall, table, slide = false) {
  const { header, status } = table;
  const badge = !status && !header ? el("span", { class: "badge" }, say("not_come")) : status && !status.here ? el("span", { class: "badge" }, say("away")) : null;
  const head = (what) => el("h2", {}, el("span", {}, tableLabel(nameOf(hall, table.id))), badge, el("span", { class: "game" }, what));
  if (!header) {
    const entry = hall.evening && seated(hall, table.id, hall.evening.round);
    if (!entry) return [head(""), el("p", { class: "muted" }, say("no_game"))];
    const names = Object.fromEntries(entry.seats.map((each) => [each.seat, each.name]));
    const lines = Object.keys(names).map((seat) => el("li", { class: "seat-line" }, who(names, seat)));
    return [head(word(GAMES, entry.game)), el("p", { class: "sub" }, say("no_game")), el("ul", { class: "seat-lines" }, ...lines)];
  }
  const { game, seats } = header.header;
  const ended = resultNow(table);
  const view = viewSaid(table, ended);
  const names = people(hall, table);
  if (!view) return [head(word(GAMES, game)), el("p", { class: "muted" }, say("loading")), whos(names, seats)];
  const face = faceOf(game);
  const stand = standing(face, view, seats, ended);
  const two = seats.length > 4 && !slide;
  const old = hall.evening && header.round && header.round !== hall.evening.round;
  const round = old ? say("round", { round: figure(header.round) }) : "";
  const said = [round, phaseText(view), view.over ? "" : face.progress(view)].filter(Boolean);
  const told = ended || approval(verdict(table), () => "").length;
  return [
    head(word(GAMES, game)),
    slide && told ? null : el("p", { class: "sub" }, el("span", {}, said.join(" · ")), el("span", { class: "caption" }, stand.caption ? say(stand.caption) : "")),
    el("ul", { class: `seat-lines${two ? " two" : ""}` }, ...seats.map((seat) => seatLine(seat, two ? short(names) : names, stand, view))),
    slide && !told ? null : el("div", { class: "foot" }, ...foot(table, view, names, ended, briefly)),
  ].filter(Boolean);
}

const cards = new Map();

/** A table's card; it stays the same element, and is filled anew when something about it has changed. */
function cardOf(hall, table, slide = false) {
  if (!cards.has(table.id)) cards.set(table.id, el("a"));
  const found = cards.get(table.id);
  const away = table.status && !table.status.here;
  found.className = `card${away || (!table.status && !table.header) ? " away" : ""}`;
  found.setAttribute("href", address("table", nameOf(hall, table.id)));
  found.dataset.table = table.id;
  found.dataset.number = table.view ? table.view.number : "";
  fill(found, `${lang} ${slide} ${table.stamp} ${hall.told}`, () => guarded(() => glance(hall, table, slide), table));
  return found;
}

/** What no check has foreseen costs one table its picture, and nobody else anything. */
function guarded(build, table) {
  try {
    return build();
  } catch (error) {
    console.error(table.id, error);
    return [el("h2", {}, tableLabel(table.id)), el("p", { class: "muted" }, say("unreadable"))];
  }
}

// -- in full --------------------------------------------------------------------------------------------------------

/** What the organiser has said of this game's result: why it was settled, and every correction. */
function corrections(hall, table) {
  const its = (each) => each.table === nameOf(hall, table.id) && each.round === table.header.round && each.game === table.header.game;
  const found = hall.standings ? hall.standings.corrected.filter(its) : [];
  const { reason } = verdict(table) || {};
  const said = found.map((each) => say("correction_here", { reason: isolated(each.reason) }));
  if (reason && !found.some((each) => each.reason === reason)) said.unshift(say("reason", { reason: isolated(reason) }));
  return said.map((each) => el("p", { class: "correction" }, each));
}

function inFull(hall, table) {
  const { header, status } = table;
  const badge = status && !status.here ? el("span", { class: "badge" }, say("away")) : null;
  const head = (what) => el("h2", { class: "full-head" }, el("span", {}, tableLabel(nameOf(hall, table.id))), badge, el("span", { class: "game" }, what));
  const ended = resultNow(table);
  const view = viewSaid(table, ended);
  if (!header || !view) return [head(header ? word(GAMES, header.header.game) : ""), el("p", { class: "muted" }, say(header ? "loading" : "no_game"))];
  const { game, seats } = header.header;
  const names = people(hall, table);
  const face = faceOf(game);
  const stand = standing(face, view, seats, ended);
  const said = [phaseText(view), view.over ? "" : face.progress(view)].filter(Boolean).join(" · ");
  return [el("div", { class: "full" },
    head(word(GAMES, game)),
    el("div", { class: "full-foot" }, el("span", { class: "said" }, said), el("span", {}, ...foot(table, view, names, ended))),
    ...corrections(hall, table),
    el("ul", { class: `plates${seats.length > 5 ? " many" : ""}` }, ...seats.map((seat) => plate(seat, names, face, view, stand, ended))),
    el("div", { class: `centre ${game}` }, ...face.centre(view, { seats, names, header: header.header })),
  )];
}

/** The page of one table. */
function tablePage(hall, name) {
  const table = hall.tables.get(deviceNamed(hall, name));
  if (!table) return [el("p", { class: "empty" }, say("no_table"))];
  return guarded(() => inFull(hall, table), table);
}
