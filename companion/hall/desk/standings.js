// The standings, and why somebody is in a place.
"use strict";

/** Draws the standings; touching a player explains the place. */
function standingsPanel(hall) {
  const standings = hall && hall.standings;
  if (!standings || !standings.rows.length) return [el("p", { class: "empty" }, say("no_standings"))];
  const why = ({ id }) => showAnswer(say("why_title", { one: isolated(plainName(id)) }), { do: "why", player: `#${id}` });
  const row = (each) => el("tr", { class: each.left ? "gone" : null, "data-key": each.id },
    el("td", { class: "place" }, figure(each.place)), el("td", {}, button(plainName(each.id), () => why(each), "plain")),
    el("td", { class: "score" }, figure(each.score)), el("td", {}, figure(each.games)), el("td", {}, figure(each.wins)), el("td", {}, figure(each.byes)));
  const heads = ["#", say("name"), say(`score_${standings.by}`), say("games"), say("won"), say("bye")];
  return [standingsHead(standings),
    el("table", { class: "people" }, el("thead", {}, el("tr", {}, ...heads.map((each) => el("th", { scope: "col" }, each)))), el("tbody", {}, ...standings.rows.map(row))),
    corrected(standings)].filter(Boolean);
}
