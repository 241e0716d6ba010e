// What everybody sees: the seats with their figures, and the game's own drawing, as on the hall's board.

const loading = new Map();
const ready = new Set();

/** Loads a game's script once; a game without one is shown by its seats alone. */
function load(game) {
  if (!loading.has(game)) {
    loading.set(game, new Promise((done) => {
      const script = el("script", { src: `game-${game}.js` });
      script.addEventListener("load", done);
      script.addEventListener("error", done);
      document.head.append(script);
    }).then(() => ready.add(game)));
  }
  return loading.get(game);
}

/** Draws the public part; `again` is called once the game's script is there. */
export function showPublic(table, again) {
  const place = at("public");
  const { header, view } = table.public || {};
  place.hidden = !view;
  if (!view) return;
  at("public-title").textContent = [say("on_table"), word(GAMES, header.game)].join(" · ");
  if (!ready.has(header.game)) load(header.game).then(again);
  else fill(at("board"), JSON.stringify([lang, header, view]), () => drawn(header, view));
}

function drawn(header, view) {
  try {
    return board(header, view);
  } catch (error) {
    console.error(error);
    return [];
  }
}

function board(header, view) {
  const { game, seats } = header;
  const names = Object.fromEntries(seats.map((seat) => [seat, (header.players || {})[seat] || null]));
  const ended = view.over ? view.result : null;
  const face = faceOf(game);
  const stand = standing(face, view, seats, ended);
  const said = [phaseText(view), view.over ? "" : face.progress(view)].filter(Boolean).join(" · ");
  return [
    el("p", { class: "lead" }, said),
    el("ul", { class: "plates" }, ...seats.map((seat) => plate(seat, names, face, view, stand, ended))),
    el("div", { class: `centre ${game}` }, ...face.centre(view, { seats, names, header })),
  ];
}

export function forgetPublic() {
  fill(at("board"), "", () => []);
  at("public").hidden = true;
}
