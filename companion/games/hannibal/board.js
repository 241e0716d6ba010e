// Hannibal gegen Rom: the map of regions and sea routes with the pieces on them.
"use strict";

brings("hannibal", (() => {
  /** What its views hold besides what all have. */
  function view({ whole, truth, none, map, object, seat, seats, bySeat, place }) {
    const pieces = object({ blue: whole(0, 99), red: whole(0, 99) }, { hannibal: truth });
    return {
      regions: map(place, pieces, 20), routes: map(place, pieces, 20), chosen: seats, hand_sizes: bySeat(whole(0, 9)),
      battle: none(object({ place, mover: seat, hannibal: none(truth) })), chips: none(bySeat(whole(0, 9))),
    };
  }

  const [WIDE, HIGH] = [370, 290];

  /** Where the regions lie, as around the western Mediterranean. */
  const REGIONS = {
    gallia: [110, 29], rome: [275, 29], cannae: [324, 94], hispania_n: [44, 76], hispania_s: [44, 158],
    mauretania: [89, 254], carthago: [204, 254], zama: [318, 254], corsica: [172, 98], sardinia: [148, 173], sicilia: [248, 168],
  };
  const LAND = [
    ["rome", "gallia"], ["gallia", "hispania_n"], ["hispania_n", "hispania_s"], ["hispania_s", "mauretania"],
    ["mauretania", "carthago"], ["carthago", "zama"], ["rome", "cannae"],
  ];
  const NEAR = 36;

  const known = (key) => hasOwn(REGIONS, key);

  function land(header) {
    const own = header.board && header.board.land;
    const found = Array.isArray(own) ? own : LAND;
    return found.filter((pair) => Array.isArray(pair) && pair.length === 2 && pair.every((end) => typeof end === "string" && known(end)));
  }

  /** The middle of each route, beside it where something else lies there. */
  function routes(view) {
    const taken = Object.values(REGIONS);
    const found = {};
    for (const route of Object.keys(view.routes)) {
      const ends = route.split("-");
      if (ends.length !== 2 || !ends.every(known)) continue;
      const [[x, y], [u, v]] = ends.map((end) => REGIONS[end]);
      const tries = [0, 1, -1, 2, -2, 3, -3, 4, -4].map((step) => [(x + u) / 2 + (step * (v - y)) / 10, (y + v) / 2 + (step * (x - u)) / 10]);
      const clear = tries.filter(([a, b]) => taken.every(([c, d]) => Math.hypot(a - c, b - d) >= NEAR));
      found[route] = { at: clear[0] || tries[0], ends };
      taken.push(found[route].at);
    }
    return found;
  }

  /** Who stands there: a shape and a number for each side, and Hannibal as a shape with an H. */
  function pieces(there, x, y) {
    const found = ["blue", "red"].filter((side) => there[side]).map((side) => ({ side, said: String(there[side]) }));
    if (there.hannibal) found.push({ side: "red", said: "H" });
    const left = x - ((found.length - 1) * 28) / 2;
    return found.flatMap(({ side, said }, i) => [
      mark(side, left + i * 28, y, 13),
      letters(said, left + i * 28, y, 15, { class: `on ${side}` }),
    ]);
  }

  function region(key, there, fights) {
    const [x, y] = REGIONS[key];
    const capital = ["rome", "carthago"].includes(key) ? " capital" : "";
    return [
      svg("rect", { class: `region${capital}${fights ? " fights" : ""}`, x: x - 40, y: y - 24, width: 80, height: 48, rx: 9 }),
      letters(word(PLACES, key), x, y - 13, 12.5, { class: `region-name${capital}` }),
      ...pieces(there, x, y + 9),
    ];
  }

  const lane = ([x, y], [u, v]) => svg("line", { class: "lane", x1: x, y1: y, x2: u, y2: v });

  function route([x, y], there, fights) {
    const full = there.blue || there.red;
    return [
      svg("rect", full || fights
        ? { class: `route${fights ? " fights" : ""}`, x: x - 28, y: y - 14, width: 56, height: 28, rx: 14 }
        : { class: "buoy", x: x - 5, y: y - 5, width: 10, height: 10, rx: 5 }),
      ...pieces(there, x, y),
    ];
  }

  function sea(view, header) {
    const fought = view.battle && view.battle.place;
    const found = Object.entries(routes(view));
    const lanes = found.flatMap(([, { at, ends }]) => ends.map((end) => lane(at, REGIONS[end])));
    const fleets = found.map(([key, { at }]) => route(at, view.routes[key], key === fought));
    const regions = Object.entries(view.regions).filter(([key]) => known(key));
    return picture(WIDE, HIGH, null, { class: "map" },
      svg("rect", { class: "sea", x: 0, y: 0, width: WIDE, height: HIGH, rx: 10 }),
      ...land(header).map(([one, other]) => svg("line", {
        class: "land", x1: REGIONS[one][0], y1: REGIONS[one][1], x2: REGIONS[other][0], y2: REGIONS[other][1],
      })),
      ...lanes, ...regions.flatMap(([key, there]) => region(key, there, key === fought)), ...fleets.flat());
  }

  const said = (at) => at.split("-").map((end) => word(PLACES, end)).join("–");

  /** The map as lists, for players who listen to it: where each side stands, and what is empty. */
  function lists(view, names) {
    const places = { ...view.regions, ...view.routes };
    const held = (side) => Object.entries(places).filter(([, there]) => there[side] || (side === "red" && there.hannibal)).map(([key, there]) =>
      [said(key), there[side] ? figure(there[side]) : "", side === "red" && there.hannibal ? "Hannibal" : ""].filter(Boolean).join(" "));
    const empty = Object.entries(places).filter(([, there]) => !there.blue && !there.red && !there.hannibal).map(([key]) => said(key));
    const list = (heading, some) => part(heading, el("ul", {}, ...some.map((each) => el("li", {}, each))));
    return el("div", { class: "spoken" }, ...["blue", "red"].map((side) => list(called(names, side), held(side))), list(say("empty"), empty));
  }

  const all = (places, side) => Object.values(places).reduce((sum, there) => sum + there[side], 0);

  /** A side's legions; Hannibal counts as one. */
  const legions = (view, side) =>
    all(view.regions, side) + (side === "red" && Object.values(view.regions).some((there) => there.hannibal) ? 1 : 0);

  return {
    view,
    caption: "legions",
    ended: "wins_1",
    captionNow: (view) => (view.chips ? "chips" : "legions"),
    number: (view, side) => (view.chips ? view.chips[side] : legions(view, side)),
    /** Legions alone say nothing of who is ahead. */
    leads: (view) => Boolean(view.chips),
    progress: (view) => (view.battle ? said(view.battle.place) : ""),
    facts: (view, side) => [
      ["legions", legions(view, side)], ["fleets", all(view.routes, side)], ["hand", view.hand_sizes[side]],
      ...(view.chips ? [["chips", view.chips[side]]] : []),
    ],
    remark: (view, side) => (side === "blue" ? "rome" : "carthage"),
    centre: (view, { names, header }) => [
      el("div", { class: "whole" },
        view.battle ? el("p", { class: "lead" }, say("battle", { place: said(view.battle.place) })) : null, sea(view, header), lists(view, names)),
    ],
  };
})());
