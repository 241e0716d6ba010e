// The hall at one glance: a tile for each table.
"use strict";

const MARKS = { contested: "!", otherwise: "!", reopened: "!", waiting: "…", counts: "✓", void: "–", playing: "▸", missing: "" };

function hallPanel(hall) {
  const tables = tablesNow();
  if (!tables.length) return [el("p", { class: "empty" }, say("no_seating")), freeTables(hall)];
  const many = tables.length > 30 ? " many" : tables.length > 18 ? " some" : "";
  return [
    el("div", { class: `hall-tiles${many}`, "data-key": "tiles" }, ...tables.map((each) => tile(hall, each))),
    seatedNext(), benchNow(),
  ].filter(Boolean);
}

/** Draws a table's tile: name and game, state, minutes, how far the game is, and what it needs. */
function tile(hall, each) {
  const { round, entry } = each;
  const asked = needsOf(entry.table, round.round).filter(({ alarm }) => alarm);
  const away = isOpen(entry) && !isHere(entry.table);
  const usual = slowness(entry);
  const older = round.round !== desk.state.round;
  const made = el("button", {
    type: "button", "data-key": older ? `${entry.table}/${round.round}` : entry.table,
    class: `hall-tile is-${entry.state}${asked.length ? " asks" : ""}${away ? " away" : ""}${usual ? " slow" : ""}`,
    "aria-pressed": String(shown.table === entry.table && (shown.round || desk.state.round) === round.round),
  },
  el("span", { class: "tile-head" }, el("strong", {}, tableLabel(entry.table)), el("span", { class: "game" }, older ? say("round", { round: figure(round.round) }) : word(GAMES, entry.game))),
  el("span", { class: "tile-state" }, MARKS[entry.state] ? el("span", { class: "tile-mark", "aria-hidden": "true" }, MARKS[entry.state]) : null, stateText(entry)),
  el("span", { class: "tile-time" }, ...timeText(hall, each)),
  el("span", { class: "tile-far" }, farText(hall, each)),
  el("span", { class: "tile-need" }, asked.length ? say(`need_${asked[0].kind}`) : away ? say("need_away") : usual ? say("slow", { minutes: figure(Math.round(usual)) }) : ""));
  return on(made, { click: () => go({ table: entry.table, round: older ? round.round : 0 }) });
}

/** Returns a table's state in a word or two. */
function stateText(entry) {
  if (entry.state === "waiting") return say("tile_waiting", { count: figure(entry.lacking.length) });
  return say(`tile_${entry.state}`);
}

/** Returns how long a game has taken, and how long ago its last move was. */
function timeText(hall, each) {
  const { entry } = each;
  if (!isOpen(entry) || !entry.begun) return [];
  const since = entry.state === "playing" ? minutesSinceMove(hall, each) : null;
  return [
    el("span", {}, minutesText(minutesSince(entry.begun))),
    since === null ? null : el("span", { title: say("last_move") }, el("span", { class: "tile-label" }, `${say("quiet")} `), minutesText(since)),
  ].filter(Boolean);
}

const minutesText = (minutes) => say("minutes_long", { minutes: figure(minutes) });

/** Returns how far a game is: what its view says, the scores once it is over, or how many are seated. */
function farText(hall, each) {
  const { entry } = each;
  const scores = entry.counts || entry.told;
  if (scores) return entry.seats.map(({ seat }) => figure(scores[seat] || 0)).join(" · ");
  const { view } = liveOf(hall, each);
  if (view && !view.over) return [faceOf(view.game).progress(view) || phaseText(view), count("moves", entry.moves, { count: figure(entry.moves) })].filter(Boolean).join(" · ");
  return entry.moves ? count("moves", entry.moves, { count: figure(entry.moves) }) : count("seated", entry.seats.length, { count: figure(entry.seats.length) });
}

/** Says that a later round is seated already, and leads there. */
function seatedNext() {
  const next = desk.state.rounds.find((each) => each.round > desk.state.round && each.withdrawn === null);
  return next ? el("p", { class: "row", "data-key": "next-seated" }, button(say("seated_next", { round: figure(next.round) }), () => go({ tab: "plan", round: next.round }), "plain")) : null;
}

/** Draws who is here and sits nowhere in the current round. */
function benchNow() {
  const round = currentRound();
  if (!round || round.withdrawn !== null) return null;
  const [byes, others] = [round.byes, bench(round).map(({ id }) => id)];
  if (!byes.length && !others.length) return null;
  return el("div", { class: "bench-now", "data-key": "bench" },
    byes.length ? el("p", {}, el("span", { class: "muted" }, `${say("byes")}: `), ...names(byes)) : null,
    others.length ? el("p", {}, el("span", { class: "muted" }, `${say("not_seated")}: `), ...names(others)) : null);
}

const names = (ids) => ids.flatMap((id, i) => [i ? ", " : "", el("bdi", {}, plainName(id))]);

/** Draws the tables that have reported, before anybody is seated. */
function freeTables() {
  const free = desk.state.devices.filter(({ table }) => table !== null).sort((one, other) => byName(one.table, other.table));
  if (!free.length) return null;
  return el("div", { class: "hall-tiles" }, ...free.map(({ table, here: present }) =>
    el("div", { class: `hall-tile${present ? "" : " away"}`, "data-key": table }, el("span", { class: "tile-head" }, el("strong", {}, tableLabel(table))),
      el("span", { class: "tile-state" }, say(present ? "table_ready" : "away")))));
}
