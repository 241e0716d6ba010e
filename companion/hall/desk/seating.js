// The forms that seat a round, or plan several.
"use strict";

/** The form fields for seating a round: games, options, tables. */
const ROUND_FIELDS = () => [
  ...desk.state.games.map(({ game }) => ({ name: `game-${game}`, text: word(GAMES, game), type: "checkbox" })),
  { name: "options", label: "options_label", placeholder: "halves=down" },
  { name: "tables", label: "tables_label", placeholder: "1-12" },
  { name: "size", label: "size_label", list: [["", say("size_any")], ...[2, 3, 4, 5, 6, 7].map((each) => [String(each), figure(each)])] },
  { name: "swiss", label: "swiss_label", type: "checkbox" },
];

const newSeed = () => Math.floor(Math.random() * 1e9);

/** Returns the order that these fields make. It names the search's seed, so that the preview and the order seat alike. */
function seating(found) {
  const options = found.options.split(/[,\s]+/).filter(Boolean).map((each) => each.split("="));
  const value = (text) => (text === "true" ? true : text === "false" ? false : text);
  return {
    games: desk.state.games.map(({ game }) => game).filter((game) => found[`game-${game}`]),
    options: Object.fromEntries(options.map(([name, text = ""]) => [name, value(text)])),
    tables: found.tables.split(",").map((each) => each.trim()).filter(Boolean),
    size: found.size ? Number(found.size) : null, swiss: found.swiss, seed: newSeed(),
  };
}

FORMS.round = ({ again }) => ({
  title: say(again ? "seat_anew" : "seat_next"),
  fields: ROUND_FIELDS(),
  order: (found) => ({ do: "round", ...seating(found), ...(again ? { again: true } : {}) }),
  besides: again ? [] : [clockField(chosenHall(halls, desk.hall))],
  also: again ? null : clockOrder,
});

FORMS.plan = () => ({
  title: say("plan_ahead"),
  fields: [{ name: "rounds", label: "rounds_label", type: "number", value: "3", min: 1, max: 50 }, ...ROUND_FIELDS()],
  order: (found) => ({ do: "plan", rounds: Number(found.rounds), ...seating(found) }),
});
