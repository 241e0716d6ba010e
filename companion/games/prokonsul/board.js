// Prokonsul: the majority target, the cards before everybody, the pawn row and the seven provinces.
"use strict";

brings("prokonsul", (() => {
  /** What its views hold besides what all have. */
  const view = ({ text, whole, none, list, map, object, many, seat, card, seats, bySeat, place }) => ({
    round: none(many), row: seats, province: none(place),
    provinces: map(place, object({ value: whole(0, 999), candidates: seats, governor: none(seat) }), 12),
    counters: bySeat(whole(0, 99)), chosen: seats, played: bySeat(card), holds: bySeat(list(card, 5)),
    total: none(whole(0, 999)), target: none(whole(0, 999)), pleader: none(seat), pleaded: seats,
    offer: none(object({ to: seat, chips: whole(0, 9999), promise: none(text(64 * 1024)) })),
  });

  /** The links of the shipped board; an owner's board comes with its header. */
  const LINKS = [
    ["sicilia", "sardinia"], ["sicilia", "africa"], ["hispania_citerior", "hispania_ulterior"], ["macedonia", "asia"],
  ];

  const sum = (cards) => cards.reduce((all, each) => all + Number(each.split(" ")[1]), 0);

  const pair = (x) => Array.isArray(x) && x.length === 2 && x.every((end) => typeof end === "string");

  function links(header) {
    const own = header.board && header.board.links;
    return Array.isArray(own) ? own.filter(pair) : LINKS;
  }

  const governed = (view, seat) =>
    Object.values(view.provinces).reduce((all, each) => all + (each.governor === seat ? each.value : 0), 0);

  /** What one player has gathered, on the way to the target. */
  function bar(held, target) {
    const wide = 400 * Math.min(1, held / Math.max(1, target));
    return picture(400, 28, `${held}/${target}`, { class: "bar" },
      svg("rect", { class: "bar-all", x: 0, y: 0, width: 400, height: 28, rx: 6 }),
      svg("rect", { class: "bar-held", x: 0, y: 0, width: wide, height: 28, rx: 6 }));
  }

  function target(view, names) {
    if (view.target === null) return null;
    const pleader = view.pleader;
    const held = pleader && sum(view.holds[pleader] || []);
    return part(say("target"),
      el("p", { class: "cards" }, el("b", { class: "big" }, figure(view.target)),
        el("span", { class: "muted" }, say("total", { total: figure(view.total === null ? 0 : view.total) }))),
      ...(pleader ? [el("p", {}, say("reached", {
        seat: isolated(called(names, pleader)), held: figure(held), target: figure(view.target),
      })), bar(held, view.target)] : []),
      view.offer && pleader && el("p", {}, count("offer", view.offer.chips, {
        pleader: isolated(called(names, pleader)), to: isolated(called(names, view.offer.to)), chips: figure(view.offer.chips),
      })));
  }

  function played(view, seats, names) {
    const holders = seats.filter((seat) => (view.holds[seat] || []).length);
    if (!holders.length) return null;
    return part(say("played"), el("ul", { class: "rows" }, ...holders.map((seat) =>
      el("li", {}, who(names, seat), el("span", { class: "cards small" }, ...view.holds[seat].map((each) => cardSign(each)))))));
  }

  function province(view, key, header, names) {
    const { value, candidates, governor } = view.provinces[key];
    const linked = links(header).filter((pairOf) => pairOf.includes(key)).map(([one, other]) => (one === key ? other : one));
    return el("li", { class: `tile${governor ? " closed" : ""}${view.province === key ? " here" : ""}` },
      el("h4", {}, el("bdi", {}, word(PLACES, key)), el("b", { class: "worth" }, figure(value))),
      view.province === key ? el("p", { class: "here-text" }, picture(24, 24, say("black_pawn"), { class: "sign" },
        svg("path", { class: "pawn", d: "M12,2 a5,5 0 0 1 3,9 L19,22 H5 L9,11 a5,5 0 0 1 3,-9 Z" })), say("black_pawn")) : null,
      governor
        ? el("p", {}, el("span", { class: "muted" }, say("governor")), " ", who(names, governor))
        : candidates.length
          ? el("p", {}, el("span", { class: "muted" }, say("candidates")), " ", whos(names, candidates))
          : null,
      linked.length ? el("p", { class: "muted fine" }, say("linked", { places: listed(linked.map((each) => word(PLACES, each))) })) : null,
    );
  }

  return {
    view,
    caption: "governed_short",
    ended: "chips",
    number: governed,
    progress: (view) =>
      listed([view.province && word(PLACES, view.province), view.round && say("round", { round: figure(view.round) })]),
    facts: (view, seat) => [["governed", governed(view, seat)], ["counters_left", view.counters[seat]]],
    centre: (view, { seats, names, header }) => [
      el("div", { class: "half" }, target(view, names), played(view, seats, names),
        view.row.length ? part(say("pawn_row"), el("ol", { class: "pawns" }, ...view.row.map((seat, at) => el("li", {}, `${at + 1}. `, who(names, seat))))) : null),
      el("div", { class: "half" }, part(say("provinces"),
        el("ul", { class: "tiles" }, ...Object.keys(view.provinces).map((key) => province(view, key, header, names))))),
    ],
  };
})());
