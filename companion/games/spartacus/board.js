// Spartacus: the trick in order of play with its lowest number, and who is out of it.
"use strict";

brings("spartacus", (() => {
  /** What its views hold besides what all have. */
  const view = ({ whole, number, none, list, object, seat, card, seats, bySeat }) => ({
    trick: list(object({ seat, card }), 60), lowest: none(object({ seat, card })), passed: seats,
    hand_sizes: bySeat(whole(0, 12)), tricks: bySeat(whole(0, 99)), points: bySeat(number),
  });

  const shown = (view) => Object.keys(view.points).length > 0;

  function trick(view, names) {
    if (!view.trick.length) return el("p", { class: "muted" }, say("no_trick"));
    return el("ol", { class: "trick" }, ...view.trick.map((each) => {
      const lowest = view.lowest !== null && each.card === view.lowest.card;
      return el("li", { class: lowest ? "lowest" : null }, cardSign(each.card, lowest),
        el("bdi", { class: "name" }, called(short(names), each.seat)),
        lowest ? el("b", { class: "lowest-text" }, say("lowest")) : null);
    }));
  }

  return {
    view,
    caption: "points",
    ended: "points",
    /** Points, or tricks while points are covered. */
    number: (view, seat) => (shown(view) ? view.points[seat] : view.tricks[seat]),
    captionNow: (view) => (shown(view) ? "points" : "tricks"),
    progress: () => "",
    facts: (view, seat) => [
      ...(shown(view) ? [["points", view.points[seat]]] : []),
      ["tricks", view.tricks[seat]], ["hand", view.hand_sizes[seat]],
    ],
    remark: (view, seat) => (view.passed.includes(seat) ? "passed" : ""),
    centre: (view, { names }) => (view.over ? [] : [el("div", { class: "whole" }, part(say("the_trick"), trick(view, names)))]),
  };
})());
