// A table beside the hall: its players and scores, its times, the game as everybody sees it, and its buttons.
"use strict";

/** Returns the round and the entry of the opened table, null for none. */
function openedTable() {
  if (!shown.table) return null;
  const rounds = allRounds().filter(({ tables }) => tables.some(({ table }) => table === shown.table));
  const wanted = shown.round || desk.state.round;
  const round = rounds.find((each) => each.round === wanted) || rounds[rounds.length - 1];
  return round ? { round, entry: round.tables.find(({ table }) => table === shown.table) } : null;
}

/** The needs that the state and the scores of a table show already. */
const OF_RESULTS = ["contested", "otherwise"];

/** Draws a table's state and the reason for it; that of a reopened result begins with the state. */
function stateLine({ state, why }) {
  return el("p", { class: "state" }, state === "reopened" ? null : say(`state_of_${state}`), why ? el("span", { class: "why" }, ` ${why}`) : null);
}

function tablePanel(hall) {
  if (!shown.table || shown.tab !== "hall") return null;
  const found = openedTable();
  const closing = on(el("button", { type: "button", class: "closing", "aria-label": say("close") }, "×"), { click: closeTable });
  if (!found) return el("section", { class: "table-panel", "data-key": "table", "aria-label": tableLabel(shown.table) }, el("p", { class: "table-head" }, el("h2", {}, tableLabel(shown.table)), closing), el("p", { class: "muted" }, say("no_table")));
  const { round, entry } = found;
  const kinds = versions(entry);
  return el("section", { class: `table-panel is-${entry.state}`, "data-key": "table", "data-table": entry.table, "aria-label": tableLabel(entry.table) },
    el("div", { class: "table-head" }, el("h2", {}, tableLabel(entry.table)), el("span", { class: "muted" }, `${word(GAMES, entry.game)} · ${say("round", { round: figure(round.round) })}`), closing),
    stateLine(entry),
    ...needsOf(entry.table, round.round).filter(({ kind }) => !OF_RESULTS.includes(kind)).map((each) => el("ul", { class: "table-needs" }, ...each.said.map((text) => el("li", { dir: "auto" }, text)))),
    seatTable(entry, kinds),
    el("p", { class: "row" }, ...actsOf(round, entry)),
    timesOf(hall, found),
    el("p", { class: "muted fine" }, say("swap_help")),
    gameNow(hall, found));
}

function seatTable(entry, kinds) {
  return el("table", { class: "plan-seats" },
    kinds.length > 1 ? el("thead", {}, el("tr", {}, el("td", {}), ...kinds.map(([, key]) => el("th", { scope: "col" }, say(key))), el("td", {}))) : null,
    el("tbody", {}, ...entry.seats.map((each) => seatRow(entry, each, kinds))));
}

/** Returns the columns of a table's scores: as reported, as official, or both if they differ. */
function versions(entry) {
  const kinds = [["told", "version_told"], ["counts", "version_counts"]].filter(([key]) => entry[key]);
  const same = kinds.length === 2 && entry.seats.every(({ seat }) => entry.told[seat] === entry.counts[seat]);
  return same ? [["counts", "version_counts"]] : kinds;
}

function seatRow(entry, { seat, id }, kinds) {
  const against = entry.against.includes(seat) && isOpen(entry);
  return el("tr", { class: against ? "against" : null, "data-key": `seat-${seat}` },
    el("td", {}, person(id, true, [sign(seat)])),
    ...kinds.map(([key]) => el("td", { class: "score" }, figure(entry[key][seat] || 0))),
    el("td", { class: "mark" }, against ? say("says_no") : entry.told && entry.lacking.includes(seat) && isOpen(entry) ? say("lacks") : ""));
}

/** Returns the buttons of a table in a round. */
function actsOf(round, entry) {
  if (round.withdrawn !== null) return [];
  const where = { table: entry.table, round: round.round };
  if (!isOpen(entry)) return [button(say("correct"), () => openForm("score", { ...where, order: "amend" })), button(say("reopen"), () => reopen(where))];
  return [
    entry.told ? button(say("approve"), () => approve(where), "main") : null,
    button(say("settle"), () => openForm("score", { ...where, order: "result" })),
    button(say("spare"), () => openForm("spare", where)),
  ].filter(Boolean);
}

const approve = (where) => propose(say("approve_title", { table: tableLabel(where.table) }), { do: "result", ...where });
const reopen = (where) => propose(say("reopen_title", { table: tableLabel(where.table) }), { do: "reopen", ...where });

/** Draws when the game began, when its last move was, and how long such games usually take. */
function timesOf(hall, each) {
  const { entry } = each;
  if (!entry.begun) return null;
  const since = minutesSinceMove(hall, each);
  const usual = desk.state.pace[entry.game];
  const facts = [
    ["begun_at", `${timeOfDay(entry.begun)} (${minutesText(minutesSince(entry.begun))})`],
    since === null ? null : ["last_move", say("since_move", { minutes: figure(since) })],
    entry.moves ? ["move_count", figure(entry.moves)] : null,
    usual ? ["usual", minutesText(Math.round(usual))] : null,
  ].filter(Boolean);
  return el("dl", { class: "times" }, ...facts.map(([key, text]) => el("div", {}, el("dt", {}, say(key)), el("dd", {}, text))));
}

const timeOfDay = (moment) => new Intl.DateTimeFormat(lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(new Date(moment));

/** Draws the game as everybody sees it, if the table has published it. */
function gameNow(hall, each) {
  const { table, view } = liveOf(hall, each);
  if (!view) return null;
  const ended = resultNow(table);
  const { seats } = table.header.header;
  const face = faceOf(view.game);
  const its = Object.fromEntries(each.entry.seats.map(({ seat, id }) => [seat, plainName(id)]));
  const drawn = guarded(() => [
    el("p", { class: "said" }, [phaseText(view), view.over ? "" : face.progress(view)].filter(Boolean).join(" · ")),
    el("ul", { class: "plates" }, ...seats.map((seat) => plate(seat, its, face, view, standing(face, view, seats, ended), ended))),
    el("div", { class: `centre ${view.game}` }, ...face.centre(view, { seats, names: its, header: table.header.header })),
  ], table);
  return el("details", { class: "game-now", "data-key": "game" }, el("summary", {}, say("game_now")), ...drawn);
}

/** The form for a table's scores, to enter or correct, with the winners if the scores do not decide. */
FORMS.score = ({ table, round, order }) => {
  const its = allRounds().find((each) => each.round === round);
  const entry = its && its.tables.find((each) => each.table === table);
  if (!entry) return null;
  const known = entry.counts || entry.told || {};
  const seats = entry.seats.map(({ seat }) => seat);
  return {
    title: say(order === "amend" ? "correct_title" : "settle_title", { table: tableLabel(table), round: figure(round) }),
    fields: [...seats.flatMap((seat) => [{ name: seat }, { name: `won-${seat}` }]), REASON],
    layout: () => [scoreTable(entry, known), field(REASON)],
    order: (found, { empty = false }) => ({
      do: order, table, round, reason: found.reason,
      ...(empty ? { void: true } : { scores: Object.fromEntries(seats.map((seat) => [seat, found[seat]])), won: seats.filter((seat) => found[`won-${seat}`]) }),
    }),
    more: [[say("for_nobody"), { empty: true }]],
  };
};

function scoreTable(entry, known) {
  const row = ({ seat, id }) => {
    const points = el("input", { id: `field-${seat}`, inputmode: "decimal", class: "points", autocomplete: "off" });
    points.value = known[seat] === undefined || known[seat] === null ? "" : known[seat];
    return el("tr", {}, el("td", {}, el("label", { for: `field-${seat}` }, sign(seat), " ", plainName(id))), el("td", {}, points),
      el("td", {}, el("input", { id: `field-won-${seat}`, type: "checkbox", "aria-label": say("has_won", { name: plainName(id) }) })));
  };
  return el("table", { class: "scores" }, el("thead", {}, el("tr", {}, ...["name", "points_label", "won_anyway"].map((key) => el("th", { scope: "col" }, say(key))))),
    el("tbody", {}, ...entry.seats.map(row)));
}
