// What counts for each seat of a game: in a line, and as a plate with all its facts.
"use strict";

/** What is being done, in a word or two. */
function phaseText(view) {
  if (view.over) return say("game_over");
  const key = view.phase === "loading" ? "loading_ship" : view.phase;
  return hasOwn(TEXTS, key) ? say(key) : view.phase;
}

/** What counts for each seat now: its figure, what that is called, and who is ahead by it. */
function standing(face, view, seats, ended) {
  const figures = Object.fromEntries(seats.map((seat) => [seat, ended ? ended.scores[seat] : face.number(view, seat)]));
  if (ended) return { figures, caption: face.ended, ahead: ended.winners };
  const best = Math.max(...Object.values(figures).filter(Number.isFinite));
  const ahead = seats.filter((seat) => figures[seat] === best);
  const told = (!face.leads || face.leads(view)) && ahead.length < seats.length;
  return { figures, caption: face.captionNow ? face.captionNow(view) : face.caption, ahead: told ? ahead : [] };
}

function scored(number) {
  return Number.isFinite(number) ? figure(number) : "";
}

/** Names by their first words, where that leaves them different: for two in a line. */
function short(names) {
  const first = Object.entries(names).map(([seat, name]) => [seat, name && name.split(/\s/)[0]]);
  const said = first.map(([, name]) => name).filter(Boolean);
  return new Set(said).size === said.length ? Object.fromEntries(first) : names;
}

function plate(seat, names, face, view, stand, ended) {
  const turn = !view.over && (view.turn === seat || view.waiting.includes(seat));
  const remark = face.remark ? face.remark(view, seat) : "";
  const chosen = (view.chosen || []).includes(seat) ? "chosen" : "";
  const facts = ended ? [[stand.caption, stand.figures[seat]]] : face.facts(view, seat);
  return el("li", { class: `plate${turn ? " awaited" : ""}${stand.ahead.includes(seat) ? " ahead" : ""}` },
    el("h3", {}, ended && ended.places[seat] ? el("b", { class: "rank" }, `${ended.places[seat]}.`) : null, who(names, seat)),
    el("dl", {}, ...facts.map(([key, value]) => el("div", {}, el("dt", {}, say(key)),
      el("dd", {}, typeof value === "string" ? value : scored(value))))),
    remark || chosen ? el("p", { class: "muted" }, [remark, chosen].filter(Boolean).map((key) => say(key)).join(" · ")) : null);
}
