// The panels around the plan: what needs attention, the orders, the clock, the players, the standings, the evening.
"use strict";

// -- at the side ----------------------------------------------------------------------------------------------------

function needsPanel() {
  const { needs, faults } = desk.state;
  return [
    el("h2", {}, say("needs")),
    needs.length ? el("ul", { class: "needs" }, ...needs.map((each) => el("li", { dir: "auto" }, each))) : el("p", { class: "muted" }, say("needs_nothing")),
    ...(faults.length ? [el("h3", {}, say("faults")), el("ul", { class: "faults" }, ...faults.map((each) => el("li", { dir: "auto" }, each))),
      button(say("aside"), () => give({ do: "aside" }))] : []),
  ];
}

/** Returns the time of day of an act. */
const hour = (text) => (/T(\d\d:\d\d)/.exec(text) || ["", ""])[1];

function ordersPanel() {
  const { orders, undo, redo } = desk.state;
  const back = (kind, number) => button(say(`${kind}_order`, { number: figure(number) }),
    () => propose(say(`${kind}_order`, { number: figure(number) }), { do: kind, of: number }));
  return [
    el("h2", {}, say("orders")),
    desk.noted ? el("div", { class: "noted", role: "status" }, lines(desk.noted.slice(0, 12))) : null,
    el("p", { class: "row" }, undo ? back("undo", undo) : null, redo ? back("redo", redo) : null),
    el("ol", { class: "orders" }, ...[...orders].reverse().map(({ number, at: when, who: by, text }) =>
      el("li", { value: number }, el("span", { class: "muted" }, `${hour(when)} `), el("bdi", {}, text), el("span", { class: "muted" }, by ? ` (${by})` : "")))),
  ].filter(Boolean);
}

// -- the clock ------------------------------------------------------------------------------------------------------

function clockPanel(hall) {
  const clock = hall && hall.clock;
  const line = button(say("say_line"), () => form(say("say_line"), [{ name: "text", label: "line_label", most: 120, value: desk.state.evening.line }], (found) => ({ do: "say", ...found })));
  const start = button(say("clock_start"), () => form(say("clock_start"), [
    { name: "minutes", label: "minutes_label", type: "number", value: "60", min: 1, max: 600 },
    { name: "then", label: "then_label", list: ["act", "round", "nothing"].map((each) => [each, say(`then_choice_${each}`)]) },
  ], (found) => ({ do: "clock", minutes: Number(found.minutes), then: found.then })));
  if (!clock || clock.state === "none") return [start, line];
  const set = (text, order) => button(text, () => give({ do: "clock", ...order }));
  return [
    el("span", { id: "clock", role: "timer" }),
    clock.state === "running" ? set(say("clock_pause"), { set: "pause" }) : null,
    clock.state === "paused" ? set(say("clock_on"), { set: "on" }) : null,
    set(say("clock_more"), { more: 5 }), set(say("clock_off"), { set: "off" }), line,
  ];
}

// -- players --------------------------------------------------------------------------------------------------------

function playersPanel() {
  const acts = ({ id, name, here, came, at: fixed }) => {
    const who = [`#${id}`];
    const named = isolated(plainName(id));
    return [
      here ? button(say("leave"), () => propose(say("leave_title", { one: named }), { do: "leave", names: who }))
        : button(say(came ? "come_back" : "comes"), () => propose(say("back_title", { one: named }), { do: "back", names: who })),
      button(say("rename"), () => form(say("rename_title", { one: named }), [{ name: "name", label: "name", most: 80, value: name }], (found) => ({ do: "rename", player: `#${id}`, ...found }))),
      button(say("fix"), () => form(say("fix_title", { one: named }), [{ name: "table", label: "fix_table", value: fixed ? fixed[0] : "" },
        { name: "seat", label: "fix_seat", value: fixed && fixed[1] ? fixed[1] : "", list: [["", say("seat_any")], ...SEATS.map((each) => [each, word(COLOURS, each)])] }],
      (found) => ({ do: "fix", player: `#${id}`, table: found.table || null, seat: found.seat || null }))),
      button(say("penalty"), () => form(say("penalty_title", { one: named }), [{ name: "points", label: "penalty_points", inputmode: "decimal" }, REASON], (found) => ({ do: "penalty", player: `#${id}`, ...found }))),
      button(say("remove"), () => propose(say("remove_title", { one: named }), { do: "remove", names: who })),
    ];
  };
  const found = desk.state.players.filter(({ id, name }) => wanted(desk.sought, name, `#${id}`));
  const open = (id) => { desk.opened = desk.opened === id ? null : id; soon(true); };
  const row = (each) => el("tr", { class: each.here ? null : "gone", "data-id": each.id },
    el("td", { class: "number" }, `#${each.id}`), el("td", {}, button(isolated(each.name), () => open(each.id), "plain"),
      each.at ? el("span", { class: "muted" }, ` ${tableLabel(each.at[0])}${each.at[1] ? `, ${word(COLOURS, each.at[1])}` : ""}`) : null),
    el("td", {}, each.here ? "" : say(each.came ? "has_left" : "not_come")), el("td", { class: "acts" }, ...(desk.opened === each.id ? acts(each) : [])));
  const find = el("input", { id: "find-player", type: "search", autocomplete: "off", "aria-label": say("find_player"), placeholder: say("find_player") });
  find.value = desk.sought;
  find.addEventListener("input", () => { desk.sought = find.value; soon(true); });
  return [
    el("p", { class: "row" },
      button(say("join"), () => form(say("join"), [{ name: "names", label: "join_label", rows: 6 }],
        (text) => ({ do: "join", names: text.names.split(/[\n,;]+/).map((each) => each.trim()).filter(Boolean) })), "main"),
      el("span", { class: "muted" }, count("players_here", desk.state.players.filter(({ here }) => here).length, { count: figure(desk.state.players.filter(({ here }) => here).length) })), find),
    el("table", { class: "people" }, el("tbody", {}, ...found.map(row))),
  ];
}

// -- standings ------------------------------------------------------------------------------------------------------

/** Draws the standings; touching a player explains the place. */
function standingsPanel(hall) {
  const standings = hall && hall.standings;
  if (!standings || !standings.rows.length) return [el("p", { class: "empty" }, say("no_standings"))];
  const why = async ({ id }) => {
    const title = say("why_title", { one: isolated(plainName(id)) });
    dialog(title, el("p", { class: "muted" }, say("asking")), el("p", { class: "row" }, button(say("close"), close, "main")));
    const found = await ask({ do: "why", player: `#${id}`, try: true });
    if (at("dialog").open) dialog(title, lines(found.said), el("p", { class: "row" }, button(say("close"), close, "main")));
  };
  const row = (each) => el("tr", { class: each.left ? "gone" : null },
    el("td", { class: "place" }, figure(each.place)), el("td", {}, button(plainName(each.id), () => why(each), "plain")),
    el("td", { class: "score" }, figure(each.score)), el("td", {}, figure(each.games)), el("td", {}, figure(each.wins)), el("td", {}, figure(each.byes)));
  const heads = ["#", say("name"), say(`score_${standings.by}`), say("games"), say("won"), say("bye")];
  return [standingsHead(standings),
    el("table", { class: "people" }, el("thead", {}, el("tr", {}, ...heads.map((each) => el("th", { scope: "col" }, each)))), el("tbody", {}, ...standings.rows.map(row))),
    corrected(standings)].filter(Boolean);
}

// -- the evening ----------------------------------------------------------------------------------------------------

const TIED = ["wins", "shares", "best", "opponents"];

function eveningPanel() {
  const [{ evening }, rounds] = [desk.state, allRounds()];
  const choice = (name, label, keys, text) => ({ name, label, value: evening[name], list: keys.map((key) => [key, text(key)]) });
  const share = (key) => say(`share_${key}`);
  const naming = [
    { name: "name", label: "evening_name", most: 80, value: evening.name },
    choice("names", "names_label", ["full", "first", "none"], (key) => say(`names_${key}`)),
    choice("lang", "language", Object.keys(LANGUAGES), (key) => LANGUAGES[key]),
  ];
  const scoring = [
    choice("by", "by_label", ["scores", "wins", "places"], (key) => say(`by_${key}`)),
    ...[0, 1, 2].map((i) => ({ name: `tie-${i}`, label: `tie_label_${i}`, value: evening.ties[i] || "", list: [["", say("names_none")], ...TIED.map((key) => [key, say(`tie_${key}`)])] })),
    ...["byes", "voids", "late"].map((name) => choice(name, `${name}_label`, ["half", "nothing", "full"], share)),
    choice("leavers", "leavers_label", ["stay", "last"], (key) => say(`leavers_${key}`)),
  ];
  const scored = (found) => ({
    do: "evening", by: found.by, ties: [...new Set([0, 1, 2].map((i) => found[`tie-${i}`]).filter(Boolean))],
    byes: found.byes, voids: found.voids, late: found.late, leavers: found.leavers,
  });
  return [
    el("p", { class: "row" },
      button(say("name_evening"), () => form(say("name_evening"), naming, (found) => ({ do: "evening", name: found.name, names: found.names, lang: found.lang }))),
      rounds.length ? null : button(say("score_evening"), () => form(say("score_evening"), scoring, scored)),
      evening.over ? button(say("open_again"), () => propose(say("open_again"), { do: "evening" }))
        : button(say("end_evening"), () => propose(say("end_evening"), { do: "end" }))),
    el("dl", { class: "facts" }, ...[
      ["evening_name", evening.name], ["names_label", say(`names_${evening.names}`)], ["by_label", say(`by_${evening.by}`)],
      ["ties_label", evening.ties.map((each) => say(`tie_${each}`)).join(", ") || say("names_none")],
      ...["byes", "voids", "late"].map((name) => [`${name}_label`, share(evening[name])]), ["leavers_label", say(`leavers_${evening.leavers}`)],
    ].map(([key, text]) => el("div", {}, el("dt", {}, say(key)), el("dd", { dir: "auto" }, text)))),
    ...boardCode(),
  ];
}

/** Draws the QR code that leads phones to the board. */
function boardCode() {
  const hall = chosenHall(halls, desk.hall);
  const board = hall && hall.evening && hall.evening.board;
  return board ? [el("h3", {}, say("the_board")), qr(board), el("p", {}, board.address)] : [];
}
