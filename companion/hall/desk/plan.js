// A round as a plan: who sits where and the results. Players are swapped by dragging, or by tapping one after the other.
"use strict";

const plan = { chosen: null };

// -- moving somebody ------------------------------------------------------------------------------------------------

/** Draws a player who can be dragged onto another. `seated` is false for players outside this round. */
function person(id, seated, before = []) {
  const made = el("button", { type: "button", class: "person", draggable: "true", "data-id": id, "data-key": `person-${id}` }, ...before, fullName(id));
  made.classList.toggle("chosen", plan.chosen === id);
  made.setAttribute("aria-pressed", String(plan.chosen === id));
  made.dataset.seated = seated ? "yes" : "no";
  return on(made, {
    click() {
      if (plan.chosen === null || plan.chosen === id) { plan.chosen = plan.chosen === id ? null : id; return soon(true); }
      return exchange(plan.chosen, id);
    },
    dragstart(event) { event.dataTransfer.setData("text/plain", String(id)); event.dataTransfer.effectAllowed = "move"; shown.dragging = true; },
    dragend() { shown.dragging = false; soon(); },
    dragover(event) { event.preventDefault(); },
    drop(event) { event.preventDefault(); exchange(Number(event.dataTransfer.getData("text/plain")), id); },
  });
}

/** Returns the round that is changed: that of the opened table, else the one that is shown. */
function planRound() {
  const found = shown.tab === "hall" && openedTable();
  return found ? found.round : shownRound();
}

/** Proposes to swap two players, or to seat a player outside this round in place of one in it. */
function exchange(one, other) {
  plan.chosen = null;
  const round = planRound();
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
  return propose(say("absent_title", { one: isolated(plainName(id)) }), { do: "absent", player: `#${id}`, round: planRound().round });
}

// -- the tables and the bench ---------------------------------------------------------------------------------------

function tableCard(round, entry) {
  const acts = actsOf(round, entry);
  return el("article", { class: `card plan-card is-${entry.state}`, "data-table": entry.table, "data-key": `card-${entry.table}` },
    el("h3", {}, el("span", {}, tableLabel(entry.table)), el("span", { class: "game" }, word(GAMES, entry.game))),
    stateLine(entry),
    seatTable(entry, versions(entry)),
    acts.length ? el("p", { class: "row" }, ...acts) : null);
}

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
  return on(drop, {
    dragover(event) { event.preventDefault(); },
    drop(event) { event.preventDefault(); goneAway(Number(event.dataTransfer.getData("text/plain"))); },
  });
}

function roundChoice(shown) {
  return el("p", { class: "row rounds" }, ...allRounds().map(({ round, withdrawn }) => {
    const made = button(say("round", { round: figure(round) }), () => { plan.chosen = null; go({ round }); }, withdrawn === null ? "" : "withdrawn");
    if (shown && round === shown.round) made.setAttribute("aria-current", "true");
    return made;
  }));
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
  const acts = [
    button(say("seat_next"), () => openForm("round", { again: false }), allIn() ? "" : "main"),
    last && !last.begun ? button(say("seat_anew"), () => openForm("round", { again: true })) : null,
    button(say("plan_ahead"), () => openForm("plan")),
    round && round.withdrawn === null
      ? button(say("withdraw"), () => propose(say("withdraw_title", { round: figure(round.round) }), { do: "withdraw", round: round.round })) : null,
  ];
  if (!round) return [el("p", { class: "row" }, ...acts), el("p", { class: "empty" }, say("no_seating")), plannedPart()];
  return [
    el("p", { class: "row" }, ...acts), roundChoice(round),
    el("p", { class: "muted" }, round.withdrawn === null ? say("plan_help") : say("withdrawn_why", { reason: isolated(round.withdrawn) })),
    el("div", { class: "plan-grid", "data-key": "plan" }, ...round.tables.map((entry) => tableCard(round, entry)), benchCard(round)), plannedPart(),
  ];
}
