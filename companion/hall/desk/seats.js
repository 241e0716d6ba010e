// A round as a plan: who sits where and the results. Players are swapped by dragging, or by tapping one after the other.
"use strict";

const plan = { round: 0, chosen: null };

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
  return { table, game, seats: seats.map(([seat, id]) => ({ seat, id })), state: state === "open" ? "missing" : state, why: "", counts, told: null, against: [], lacking: [] };
}

/** Returns the round to show: the chosen one, else the one in progress, else the last. */
function shownRound() {
  const [rounds, { round }] = [allRounds(), desk.state];
  return rounds.find((each) => each.round === plan.round) || rounds.find((each) => each.round === round) || rounds[rounds.length - 1] || null;
}

// -- moving somebody ------------------------------------------------------------------------------------------------

/** Draws a player who can be dragged onto another. `seated` is false for players outside this round. */
function person(id, seated, before = []) {
  const made = el("button", { type: "button", class: "person", draggable: "true", "data-id": id }, ...before, fullName(id));
  made.classList.toggle("chosen", plan.chosen === id);
  made.setAttribute("aria-pressed", String(plan.chosen === id));
  made.dataset.seated = seated ? "yes" : "no";
  made.addEventListener("click", () => {
    if (plan.chosen === null || plan.chosen === id) { plan.chosen = plan.chosen === id ? null : id; return soon(true); }
    return exchange(plan.chosen, id);
  });
  made.addEventListener("dragstart", (event) => { event.dataTransfer.setData("text/plain", String(id)); event.dataTransfer.effectAllowed = "move"; shown.dragging = true; });
  made.addEventListener("dragend", () => { shown.dragging = false; soon(); });
  made.addEventListener("dragover", (event) => event.preventDefault());
  made.addEventListener("drop", (event) => { event.preventDefault(); exchange(Number(event.dataTransfer.getData("text/plain")), id); });
  return made;
}

/** Proposes to swap two players, or to seat a player outside this round in place of one in it. */
function exchange(one, other) {
  plan.chosen = null;
  const round = shownRound();
  const inside = new Set([...round.tables.flatMap(({ seats }) => seats.map(({ id }) => id)), ...round.byes]);
  if (one === other || !players().has(one) || !(inside.has(one) || inside.has(other))) return soon(true);
  soon(true);
  if (inside.has(one) && inside.has(other)) {
    return propose(say("swap_title", { one: isolated(plainName(one)), other: isolated(plainName(other)) }),
      { do: "swap", players: [`#${one}`, `#${other}`], round: round.round });
  }
  const [sits, comes] = inside.has(one) ? [one, other] : [other, one];
  return propose(say("stand_in_title", { one: isolated(plainName(sits)), other: isolated(plainName(comes)) }),
    { do: "absent", player: `#${sits}`, stand_in: `#${comes}`, round: round.round });
}

function goneAway(id) {
  plan.chosen = null;
  return propose(say("absent_title", { one: isolated(plainName(id)) }), { do: "absent", player: `#${id}`, round: shownRound().round });
}

// -- results --------------------------------------------------------------------------------------------------------

const SETTLED = ["counts", "void"];

/** Returns the columns of a table's scores: as reported, as official, or both if they differ. */
function versions(entry) {
  const kinds = [["told", "version_told"], ["counts", "version_counts"]].filter(([key]) => entry[key]);
  const same = kinds.length === 2 && entry.seats.every(({ seat }) => entry.told[seat] === entry.counts[seat]);
  return same ? [["counts", "version_counts"]] : kinds;
}

function seatRow(entry, { seat, id }, kinds) {
  const against = entry.against.includes(seat) && !SETTLED.includes(entry.state);
  return el("tr", { class: against ? "against" : null },
    el("td", {}, person(id, true, [sign(seat)])),
    ...kinds.map(([key]) => el("td", { class: "score" }, figure(entry[key][seat] || 0))),
    el("td", { class: "mark" }, against ? say("says_no") : entry.told && entry.lacking.includes(seat) && !SETTLED.includes(entry.state) ? "…" : ""));
}

function tableCard(round, entry) {
  const kinds = versions(entry);
  const open = !SETTLED.includes(entry.state) && round.withdrawn === null;
  const name = tableLabel(entry.table);
  const here = { table: entry.table, round: round.round };
  const acts = round.withdrawn !== null ? [] : open
    ? [entry.told ? button(say("approve"), () => propose(say("approve_title", { table: name }), { do: "result", ...here }), "main") : null,
      button(say("settle"), () => settleForm(round, entry, "result")),
      button(say("spare"), () => form(say("spare_title", { table: name }), [{ name: "to", label: "spare_to", most: 32 }, REASON], (found) => ({ do: "spare", ...here, ...found })))]
    : [button(say("correct"), () => settleForm(round, entry, "amend")),
      button(say("reopen"), () => propose(say("reopen_title", { table: name }), { do: "reopen", ...here }))];
  return el("article", { class: `card plan-card is-${entry.state}`, "data-table": entry.table },
    el("h3", {}, el("span", {}, name), el("span", { class: "game" }, word(GAMES, entry.game))),
    el("p", { class: "state" }, say(`state_of_${entry.state}`), entry.why ? el("span", { class: "why" }, ` ${entry.why}`) : null),
    el("table", { class: "plan-seats" },
      kinds.length > 1 ? el("thead", {}, el("tr", {}, el("th", {}), ...kinds.map(([, key]) => el("th", { scope: "col" }, say(key))), el("th", {}))) : null,
      el("tbody", {}, ...entry.seats.map((each) => seatRow(entry, each, kinds)))),
    acts.length ? el("p", { class: "row" }, ...acts) : null);
}

/** The form for a table's scores, to enter or correct, with the winners if the scores do not decide. */
function settleForm(round, entry, order) {
  const title = say(order === "amend" ? "correct_title" : "settle_title", { table: tableLabel(entry.table), round: figure(round.round) });
  const known = entry.counts || entry.told || {};
  const rows = entry.seats.map(({ seat, id }) => el("tr", {},
    el("td", {}, el("label", { for: `field-${seat}` }, sign(seat), " ", plainName(id))),
    el("td", {}, el("input", { id: `field-${seat}`, inputmode: "decimal", class: "points", autocomplete: "off" })),
    el("td", {}, el("input", { id: `field-won-${seat}`, type: "checkbox", "aria-label": say("has_won", { name: plainName(id) }) }))));
  const values = () => written(at("dialog"), entry.seats.flatMap(({ seat }) => [seat, `won-${seat}`]));
  const reason = () => written(at("dialog"), ["reason"]).reason;
  const send = (more) => propose(title, { do: order, table: entry.table, round: round.round, reason: reason(), ...more });
  const box = dialog(title,
    el("table", { class: "scores" }, el("thead", {}, el("tr", {}, el("th", {}, say("name")), el("th", {}, say("points_label")), el("th", {}, say("won_anyway")))), el("tbody", {}, ...rows)),
    field(REASON),
    el("p", { class: "row" },
      button(say("go_on"), () => {
        const found = values();
        send({ scores: Object.fromEntries(entry.seats.map(({ seat }) => [seat, found[seat]])), won: entry.seats.map(({ seat }) => seat).filter((seat) => found[`won-${seat}`]) });
      }, "main"),
      button(say("for_nobody"), () => send({ void: true })), button(say("cancel"), close)));
  box.onkeydown = null;
  for (const { seat } of entry.seats) box.querySelector(`#field-${seat}`).value = known[seat] === undefined || known[seat] === null ? "" : known[seat];
}

// -- the round ------------------------------------------------------------------------------------------------------

/** Returns the players who are here but not in this round, latecomers included. */
function bench(round) {
  const inside = new Set([...round.tables.flatMap(({ seats }) => seats.map(({ id }) => id)), ...round.byes]);
  return desk.state.players.filter(({ id, here }) => here && !inside.has(id));
}

function benchCard(round) {
  const [byes, others] = [round.byes, bench(round)];
  const drop = el("article", { class: "card plan-card bench" },
    el("h3", {}, say("bench")),
    el("p", { class: "muted" }, say("bench_text")),
    byes.length ? el("div", {}, el("h4", {}, say("byes")), ...byes.map((id) => person(id, true))) : null,
    others.length ? el("div", {}, el("h4", {}, say("not_seated")), ...others.map(({ id }) => person(id, false))) : null,
    plan.chosen !== null && byes.concat(round.tables.flatMap(({ seats }) => seats.map(({ id }) => id))).includes(plan.chosen)
      ? button(say("absent_here", { one: isolated(plainName(plan.chosen)) }), () => goneAway(plan.chosen)) : null);
  drop.addEventListener("dragover", (event) => event.preventDefault());
  drop.addEventListener("drop", (event) => {
    if (event.target.closest(".person")) return;
    event.preventDefault();
    goneAway(Number(event.dataTransfer.getData("text/plain")));
  });
  return drop;
}

function roundChoice(shown) {
  return el("p", { class: "row rounds" }, ...allRounds().map(({ round, withdrawn }) => {
    const made = button(say("round", { round: figure(round) }), () => { plan.round = round; plan.chosen = null; soon(true); }, withdrawn === null ? "" : "withdrawn");
    if (shown && round === shown.round) made.setAttribute("aria-current", "true");
    return made;
  }));
}

/** The form fields for seating a round: games, options, tables. */
const ROUND_FIELDS = () => [
  ...desk.state.games.map(({ game }) => ({ name: `game-${game}`, text: word(GAMES, game), type: "checkbox" })),
  { name: "options", label: "options_label", placeholder: "halves=down" },
  { name: "tables", label: "tables_label", placeholder: "1-12" },
  { name: "size", label: "size_label", list: [["", say("size_any")], ...[2, 3, 4, 5, 6, 7].map((each) => [String(each), figure(each)])] },
  { name: "swiss", label: "swiss_label", type: "checkbox" },
];

/** Returns the order that these fields make. It names the search's seed, so that the preview and the order seat alike. */
function seating(found) {
  const options = found.options.split(/[,\s]+/).filter(Boolean).map((each) => each.split("="));
  const value = (text) => (text === "true" ? true : text === "false" ? false : text);
  return {
    games: desk.state.games.map(({ game }) => game).filter((game) => found[`game-${game}`]),
    options: Object.fromEntries(options.map(([name, text = ""]) => [name, value(text)])),
    tables: found.tables.split(",").map((each) => each.trim()).filter(Boolean),
    size: found.size ? Number(found.size) : null, swiss: found.swiss, seed: Math.floor(Math.random() * 1e9),
  };
}

/** Draws the planned rounds, ready to print. */
function plannedPart() {
  const { planned } = desk.state;
  if (!planned.length) return null;
  const table = (of) => el("td", {}, el("b", {}, `${tableLabel(of.table)}, ${word(GAMES, of.game)}`), el("ul", {}, ...of.seats.map(([seat, id]) => el("li", {}, sign(seat), " ", fullName(id)))));
  return el("section", { class: "part planned" },
    el("p", { class: "row" }, el("h3", {}, say("planned")), button(say("print"), () => window.print())),
    ...planned.map(({ round, tables, byes }) => el("table", { class: "plan-printed" }, el("caption", {}, say("round", { round: figure(round) })),
      el("tbody", {}, el("tr", {}, ...tables.map(table), byes.length ? el("td", {}, el("b", {}, say("byes")), el("ul", {}, ...byes.map((id) => el("li", {}, fullName(id))))) : null)))));
}

function roundPanel() {
  const round = shownRound();
  const last = allRounds().slice(-1)[0];
  const seat = (more) => (found) => ({ do: "round", ...seating(found), ...more });
  const acts = [
    button(say("seat_next"), () => form(say("seat_next"), ROUND_FIELDS(), seat({})), "main"),
    last && !last.begun ? button(say("seat_anew"), () => form(say("seat_anew"), ROUND_FIELDS(), seat({ again: true }))) : null,
    button(say("plan_ahead"), () => form(say("plan_ahead"), [{ name: "rounds", label: "rounds_label", type: "number", value: "3", min: 1, max: 50 }, ...ROUND_FIELDS()],
      (found) => ({ do: "plan", rounds: Number(found.rounds), ...seating(found) }))),
    round && round.withdrawn === null
      ? button(say("withdraw"), () => propose(say("withdraw_title", { round: figure(round.round) }), { do: "withdraw", round: round.round })) : null,
  ];
  if (!round) return [el("p", { class: "row" }, ...acts), el("p", { class: "empty" }, say("no_seating")), plannedPart()];
  return [
    el("p", { class: "row" }, ...acts), roundChoice(round),
    el("p", { class: "muted" }, round.withdrawn === null ? say("plan_help") : say("withdrawn_why", { reason: isolated(round.withdrawn) })),
    el("div", { class: "plan-grid" }, ...round.tables.map((entry) => tableCard(round, entry)), benchCard(round)), plannedPart(),
  ];
}
