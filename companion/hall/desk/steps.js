// What comes next: the first steps of an evening, the next round, and the round's clock.
"use strict";

/** Draws the first steps of an evening, until its first round is seated. */
function stepsPanel() {
  const { evening, named, players: known, devices, rounds } = desk.state;
  if (evening.over || rounds.length || allRounds().length) return [];
  const [come, ready] = [known.filter((each) => each.here).length, devices.filter((each) => each.here && each.table !== null).length];
  const steps = [
    [named, say("step_name"), named ? evening.name : "", () => openForm("naming"), true],
    [come >= 2, say("step_players"), come ? count("players_here", come, { count: figure(come) }) : "", () => openForm("join"), true],
    [ready > 0, say("step_tables"), ready ? count("tables_here", ready, { count: figure(ready) }) : say("step_tables_none"), null, false],
    [false, say("step_round"), "", () => openForm("round", { again: false }), come >= 2],
  ];
  const next = steps.findIndex(([done, , , act]) => !done && act);
  return [el("h2", { class: "spoken" }, say("first_steps")), el("ol", { class: "steps" }, ...steps.map(([done, text, more, act, can], i) => el("li", { class: done ? "done" : null },
    el("span", { class: "step-mark", "aria-hidden": "true" }, done ? "✓" : figure(i + 1)),
    act && can ? button(text, act, i === next ? "main" : "") : el("b", {}, text),
    done ? el("span", { class: "spoken" }, say("step_done")) : null,
    more ? el("span", { class: "muted" }, el("bdi", {}, more)) : null)))];
}

/** Returns whether everything that was seated counts, so that the next round can be seated. */
const allIn = () => desk.state.state === "open" && desk.state.round > 0 && !desk.state.evening.over;

/** Draws the one button for the next round, as the last one was. A clock may start with it. */
function nextPanel(hall) {
  if (!allIn()) return [];
  const number = Math.max(0, ...allRounds().map(({ round }) => round)) + 1;
  return [button(say("seat_after", { round: figure(number) }), () => {
    const order = { do: "round", seed: newSeed() };
    propose(say("seat_title", { round: figure(number) }), order, { fields: [clockField(hall)], also: clockOrder });
  }, "main next")];
}

/** The field of a clock that starts with the round, as long as the last one was, also that of a round that is void. */
const clockField = (hall) => ({ name: "clock", label: "clock_with", type: "number", min: 1, max: 600, value: lastClock(hall) ? Math.round(lastClock(hall) / 60) : "" });

function lastClock(hall) {
  if (hall && hall.clock && hall.clock.whole) desk.whole = hall.clock.whole;
  return desk.whole;
}

const clockOrder = ({ clock }) => (clock ? { do: "clock", minutes: Number(clock), then: memory.get("then") || "act" } : null);

/** Draws how many results of the round are in. */
function barPanel() {
  const round = currentRound();
  if (!round || round.withdrawn !== null) return [];
  const done = round.tables.filter((entry) => !isOpen(entry)).length;
  const text = say("results_in", { count: figure(done), all: figure(round.tables.length) });
  return [el("progress", { value: done, max: round.tables.length, "aria-label": text }), el("span", {}, text)];
}

// -- the clock ------------------------------------------------------------------------------------------------------

const THEN = () => ["act", "round", "nothing"].map((each) => [each, say(`then_choice_${each}`)]);

FORMS.clock = () => ({
  title: say("clock_start"),
  fields: [{ name: "minutes", label: "minutes_label", type: "number", value: "60", min: 1, max: 600 }, { name: "then", label: "then_label", list: THEN(), value: memory.get("then") || "act" }],
  order: (found) => { memory.set("then", found.then); return { do: "clock", minutes: Number(found.minutes), then: found.then }; },
});

FORMS.say = () => ({
  title: say("say_line"),
  fields: [{ name: "text", label: "line_label", most: 120, value: desk.state.evening.line }],
  order: (found) => ({ do: "say", ...found }),
});

function clockPanel(hall) {
  const clock = hall && hall.clock;
  lastClock(hall);
  const line = button(say("say_line"), () => openForm("say"));
  if (desk.state.evening.over) return [line];
  if (!clock || clock.state === "none") return [button(say("clock_start"), () => openForm("clock")), line];
  const set = (text, order) => button(text, () => give({ do: "clock", ...order }));
  return [
    el("span", { id: "clock", role: "timer" }, at("clock") ? at("clock").textContent : ""),
    clock.state === "running" ? set(say("clock_pause"), { set: "pause" }) : null,
    clock.state === "paused" ? set(say("clock_on"), { set: "on" }) : null,
    set(say("clock_more"), { more: 5 }), set(say("clock_off"), { set: "off" }), line,
  ].filter(Boolean);
}
