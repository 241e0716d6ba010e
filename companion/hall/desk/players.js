// The players: who is here, and what can be done for one.
"use strict";

FORMS.join = () => ({
  title: say("join"),
  fields: [{ name: "names", label: "join_label", rows: 6 }],
  order: (found) => ({ do: "join", names: found.names.split(/[\n,;]+/).map((each) => each.trim()).filter(Boolean) }),
});

/** A form about one player: from its title's key, its fields and its order. */
const playerForm = (title, fields, order) => ({ id }) => {
  const known = players().get(id);
  return known && { title: say(title, { one: isolated(plainName(id)) }), fields: fields(known), order: (found) => ({ player: `#${id}`, ...order(found) }) };
};

FORMS.rename = playerForm("rename_title", ({ name }) => [{ name: "name", label: "name", most: 80, value: name }], (found) => ({ do: "rename", ...found }));

FORMS.fix = playerForm("fix_title", ({ at: fixed }) => [
  { name: "table", label: "fix_table", value: fixed ? fixed[0] : "" },
  { name: "seat", label: "fix_seat", value: fixed && fixed[1] ? fixed[1] : "", list: [["", say("seat_any")], ...SEATS.map((each) => [each, word(COLOURS, each)])] },
], (found) => ({ do: "fix", table: found.table || null, seat: found.seat || null }));

FORMS.penalty = playerForm("penalty_title", () => [{ name: "points", label: "penalty_points", inputmode: "decimal" }, REASON], (found) => ({ do: "penalty", ...found }));

function playerActs({ id, here: present, came }) {
  const its = [`#${id}`];
  const named = isolated(plainName(id));
  return [
    present ? button(say("leave"), () => propose(say("leave_title", { one: named }), { do: "leave", names: its }))
      : button(say(came ? "come_back" : "comes"), () => propose(say("back_title", { one: named }), { do: "back", names: its })),
    button(say("rename"), () => openForm("rename", { id })),
    button(say("fix"), () => openForm("fix", { id })),
    button(say("penalty"), () => openForm("penalty", { id })),
    button(say("remove"), () => propose(say("remove_title", { one: named }), { do: "remove", names: its })),
  ];
}

/** Returns where a player sits in the current round, "" for nowhere. */
function seatNow(id) {
  const round = currentRound();
  const found = round && round.tables.find(({ seats }) => seats.some((each) => each.id === id));
  return found ? found.table : "";
}

/** Returns the button that checks in somebody whose name was looked for in vain. */
function comesNow(name) {
  if (!name || name.startsWith("#")) return null;
  const title = say("back_title", { one: isolated(name) });
  return button(title, () => propose(title, { do: "join", names: [name] }));
}

function playersPanel() {
  const found = desk.state.players.filter(({ id, name }) => wanted(desk.sought, name, `#${id}`));
  const opened = desk.sought && found.length === 1 ? found[0].id : desk.opened;
  const open = (id) => { desk.opened = desk.opened === id ? null : id; soon(true); };
  const row = (each) => {
    const sits = seatNow(each.id);
    const named = button(isolated(each.name), () => open(each.id), "plain");
    named.setAttribute("aria-expanded", String(opened === each.id));
    return el("tr", { class: each.here ? null : "gone", "data-id": each.id, "data-key": each.id },
      el("td", { class: "number" }, `#${each.id}`),
      el("td", {}, named, each.at ? el("span", { class: "muted" }, ` ${say("fixed", { table: tableLabel(each.at[0]) })}${each.at[1] ? `, ${word(COLOURS, each.at[1])}` : ""}`) : null),
      el("td", {}, sits ? button(tableLabel(sits), () => go({ tab: "hall", table: sits }), "plain") : each.here ? "" : say(each.came ? "has_left" : "not_come")),
      el("td", { class: "acts" }, ...(opened === each.id ? playerActs(each) : [])));
  };
  const find = el("input", { id: "find-player", type: "search", autocomplete: "off", "aria-label": say("find_player"), placeholder: say("find_player") });
  find.value = desk.sought;
  on(find, { input: (event) => { desk.sought = event.target.value; soon(true); } });
  const present = desk.state.players.filter((each) => each.here).length;
  return [
    el("p", { class: "row" }, button(say("join"), () => openForm("join"), "main"), find, found.length ? null : comesNow(desk.sought.trim()),
      el("span", { class: "muted" }, count("players_here", present, { count: figure(present) }))),
    el("table", { class: "people", "data-key": "people" }, el("tbody", {}, ...found.map(row))),
  ];
}
