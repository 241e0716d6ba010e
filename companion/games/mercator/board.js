// Mercator: the lot, the track with its pawns, and the ships.
"use strict";

brings("mercator", (() => {
  /** What its views hold besides what all have. */
  const view = ({ whole, none, list, seat, card, seats, bySeat }) => ({
    pile: whole(0, 50), lot: list(card, 3), flipper: none(seat), taking_part: seats, bids: bySeat(whole(0, 9999)),
    ships: bySeat(list(card, 6)), track: bySeat(whole(0, 99)),
  });

  const LONG = 10; // spaces in a row
  const [WIDE, HIGH] = [60, 40];

  const sum = (cards) => cards.reduce((all, each) => all + Number(each.split(" ")[1]), 0);

  /** Where a space lies: every other row runs back. */
  function spot(at) {
    const line = Math.floor(at / LONG);
    const along = at % LONG;
    return [(line % 2 ? LONG - 1 - along : along) * WIDE, line * HIGH];
  }

  function space(at, taken) {
    const [x, y] = spot(at);
    const tens = at % 10 === 0 ? " tens" : "";
    return [
      svg("rect", { class: `space${tens}`, x: x + 1.5, y: y + 1.5, width: WIDE - 3, height: HIGH - 3, rx: 4 }),
      taken ? null : letters(String(at), x + WIDE / 2, y + HIGH / 2, 20, { class: "space-number" }),
    ];
  }

  /** The pawns of one space side by side, as large as there is room. */
  function pawns(at, there) {
    const columns = there.length < 3 ? there.length : Math.ceil(there.length / 2);
    const lines = Math.ceil(there.length / columns);
    const side = Math.min((WIDE - 6) / columns, (HIGH - 4) / lines);
    const [x, y] = spot(at);
    return there.map((seat, i) => mark(seat,
      x + WIDE / 2 + ((i % columns) - (columns - 1) / 2) * side,
      y + HIGH / 2 + (Math.floor(i / columns) - (lines - 1) / 2) * side,
      side * 0.44,
    ));
  }

  function track(view, last) {
    const far = Math.max(last, ...Object.values(view.track));
    const there = {};
    for (const [seat, at] of Object.entries(view.track)) (there[at] = there[at] || []).push(seat);
    const spaces = Array.from({ length: far + 1 }, (_, at) => space(at, at in there));
    const found = Object.entries(there).map(([at, seats]) => pawns(Number(at), seats));
    const high = Math.ceil((far + 1) / LONG) * HIGH;
    return picture(LONG * WIDE, high, say("cargo"), { class: "track" }, ...spaces.flat(), ...found.flat());
  }

  function lot(view, names) {
    const cards = view.lot.length
      ? el("p", { class: "cards" }, ...view.lot.map((each) => cardSign(each)), el("b", { class: "big" }, figure(sum(view.lot))))
      : el("p", { class: "muted" }, say("no_lot"));
    const bids = view.taking_part.filter((seat) => seat in view.bids);
    const said = bids.length
      ? el("p", { class: "whos" }, el("span", { class: "muted" }, say("bids")), ...bids.map((seat) => el("span", { class: "pair" }, who(names, seat), el("b", {}, figure(view.bids[seat])))))
      : view.taking_part.length && el("p", {}, el("span", { class: "muted" }, say("taking_part")), " ", whos(names, view.taking_part));
    return part(say("lot"), cards, said || null, el("p", { class: "muted" }, say("pile", { count: figure(view.pile) })));
  }

  function ship(view, seat, names) {
    const cards = view.ships[seat] || [];
    const berths = Array.from({ length: 6 }, (_, at) => cardSign(cards[at]));
    return el("li", {}, who(names, seat), el("span", { class: "berths" }, ...berths),
      el("b", {}, cards.length === 6 ? say("full") : ""));
  }

  return {
    view,
    caption: "cargo",
    ended: "chips",
    number: (view, seat) => view.track[seat],
    progress: (view) => say("pile", { count: figure(view.pile) }),
    facts: (view, seat) => [["cargo", view.track[seat]], ["on_ship", `${(view.ships[seat] || []).length}/6`]],
    centre: (view, { seats, names, header }) => [
      el("div", { class: "half" }, view.over ? null : lot(view, names), track(view, header.options.colour_bonus === true ? 69 : 59)),
      el("div", { class: "half" }, part(say("ships"),
        el("ul", { class: "ships" }, ...seats.map((seat) => ship(view, seat, names))))),
    ],
  };
})());
