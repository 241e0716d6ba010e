// What needs the organiser: each entry opens the table or the player that it is about, and has the one button that helps.
"use strict";

function needsPanel() {
  const { needs, faults } = desk.state;
  const [alarms, notes] = [needs.filter(({ alarm }) => alarm), needs.filter(({ alarm }) => !alarm)];
  return [
    el("h2", {}, say("needs"), alarms.length ? el("span", { class: "badge" }, figure(alarms.length)) : null),
    planningNow(),
    requestsNow(),
    alarms.length ? el("ul", { class: "needs" }, ...alarms.slice(0, shownNeeds()).map(need)) : desk.state.requests.length ? null : el("p", { class: "muted" }, say("needs_nothing")),
    folded(alarms.slice(shownNeeds())),
    notes.length ? el("details", { "data-key": "notes" }, el("summary", {}, count("notes", notes.length, { count: figure(notes.length) })), el("ul", { class: "needs calm" }, ...notes.map(need))) : null,
    faults.length ? el("details", { "data-key": "faults" }, el("summary", {}, count("fault_count", faults.length, { count: figure(faults.length) })),
      el("ul", { class: "faults" }, ...faults.map(({ table, text }) => el("li", { dir: "auto" }, table ? opening(text, { table }) : text))),
      button(say("aside"), () => give({ do: "aside" }))) : null,
  ].filter(Boolean);
}

const narrow = matchMedia("(max-width: 899.98px), (max-height: 479.98px)");

/** Returns how many entries are shown unfolded. */
const shownNeeds = () => (narrow.matches ? 2 : 5);

function folded(more) {
  if (!more.length) return null;
  return el("details", { "data-key": "more" }, el("summary", {}, say("more_needs", { count: figure(more.length) })), el("ul", { class: "needs" }, ...more.map(need)));
}

/** Draws an entry: its first line leads to what it is about; the others can be unfolded. */
function need(each) {
  const [first, ...more] = each.said;
  const key = [each.kind, each.table, each.round, each.player].join("/");
  return el("li", { "data-key": key, class: each.alarm ? "alarm" : null },
    el("span", { class: "since", title: say("since_label") }, timeOfDay(each.since)),
    each.table || each.player !== null ? opening(first, each) : el("span", { dir: "auto" }, first),
    more.length ? el("details", {}, el("summary", {}, say("details")), ...more.map((text) => el("p", { dir: "auto" }, text))) : null,
    remedy(each));
}

/** What is wrong with a device rather than with a game. */
const OF_DEVICES = ["ill", "behind", "clock", "version"];

const opening = (text, { kind = "", table = "", round = null, player = null }) => button(text, () => (player !== null && !table ? goToPlayer(player)
  : OF_DEVICES.includes(kind) ? go({ tab: "devices" }) : go({ tab: "hall", table, round: round !== null && round !== desk.state.round ? round : 0 })), "plain");

function goToPlayer(id) {
  desk.opened = id;
  desk.sought = "";
  go({ tab: "players" });
}

/** Returns the one button that helps, null where looking is all that helps. */
function remedy({ kind, table, round, player }) {
  const its = round === null ? openRoundOf(table) : round;
  const where = { table, round: its };
  switch (kind) {
    case "contested": case "otherwise": return entryOf(where) && isOpen(entryOf(where)) && entryOf(where).told ? button(say("approve"), () => approve(where)) : null;
    case "left": return button(say("absent_button"), () => propose(say("absent_title", { one: isolated(plainName(player)) }), { do: "absent", player: `#${player}`, round: its }));
    case "away": return its === null ? null : button(say("spare"), () => openForm("spare", where));
    default: return null;
  }
}

function entryOf({ table, round }) {
  const its = desk.state.rounds.find((each) => each.round === round);
  return (its && its.tables.find((each) => each.table === table)) || null;
}

/** Returns the first round with an open game at a table, null for none. */
function openRoundOf(table) {
  const found = desk.state.rounds.find(({ withdrawn, tables }) => withdrawn === null && tables.some((each) => each.table === table && isOpen(each)));
  return found ? found.round : null;
}

/** Draws what the hall is planning, for how long, and the way to stop it. */
function planningNow() {
  const { planning } = desk.state;
  if (!planning.length) return null;
  return el("ul", { class: "needs calm", "data-key": "planning" }, ...planning.map(({ number, round, last, since }) => el("li", { "data-key": number },
    el("span", { dir: "auto" }, say(round === last ? "planning_one" : "planning", { round: figure(round), last: figure(last), seconds: figure(Math.max(0, Math.round((hallNow() - Date.parse(since)) / 1000))) })),
    button(say("cancel"), () => give({ do: "cancel", number })))));
}

// -- the orders -----------------------------------------------------------------------------------------------------

function ordersPanel() {
  const { orders, undo, redo } = desk.state;
  const back = (kind, number) => button(say(`${kind}_order`, { number: figure(number) }),
    () => propose(say(`${kind}_order`, { number: figure(number) }), { do: kind, of: number }));
  const last = orders[orders.length - 1];
  return [
    el("h2", {}, say("orders")),
    desk.noted ? el("div", { class: "noted", role: "status" }, lines(desk.noted.slice(0, 12))) : null,
    el("p", { class: "row" }, undo ? back("undo", undo) : null, redo ? back("redo", redo) : null),
    last ? el("p", { class: "muted" }, ...orderText(last)) : null,
    orders.length > 1 ? el("details", { "data-key": "orders" }, el("summary", {}, say("earlier_orders")),
      el("ol", { class: "orders", reversed: "", start: last.number - 1 }, ...[...orders].reverse().slice(1).map((each) => el("li", { value: each.number, "data-key": each.number }, ...orderText(each))))) : null,
  ].filter(Boolean);
}

const orderText = ({ at: when, who: by, text }) => [el("span", { class: "muted" }, `${hour(when)} `), el("bdi", {}, text), el("span", { class: "muted" }, by ? ` (${by})` : "")];
