// Caesar: the five by five squares with their groups, and the duel.
"use strict";

brings("caesar", (() => {
  /** What its views hold besides what all have. */
  function view({ whole, none, map, object, seat, owner, seats, bySeat }) {
    const square = (x) => typeof x === "string" && /^[a-e][1-5]$/.test(x);
    return {
      board: map(square, object({ owner, size: whole(1, 25) }), 25), to_place: bySeat(whole(0, 25)),
      hand_sizes: bySeat(whole(0, 12)), chosen: seats, out: seats,
      duel: none(object({ attacker: seat, defender: seat, from: square, to: square })),
    };
  }

  const SIDE = 60;
  const EDGE = 24;

  const spot = (at) => [EDGE + "abcde".indexOf(at[0]) * SIDE, (5 - Number(at[1])) * SIDE];
  const middle = (at) => spot(at).map((x) => x + SIDE / 2);

  const owned = (view, seat) =>
    Object.values(view.board).reduce((all, group) => all + (group.owner === seat ? group.size : 0), 0);

  function square(at, view) {
    const [x, y] = spot(at);
    const fights = view.duel && [view.duel.from, view.duel.to].includes(at) ? " fights" : "";
    return svg("rect", { class: `square${fights}`, x: x + 1.5, y: y + 1.5, width: SIDE - 3, height: SIDE - 3, rx: 4 });
  }

  function group(at, { owner, size }) {
    const [x, y] = middle(at);
    const dip = owner === "green" ? 6 : 0; // the middle of a triangle lies lower
    return [mark(owner, x, y, owner === "neutral" ? 15 : 24), letters(figure(size), x, y + dip, owner === "neutral" ? 17 : 20, { class: `on ${owner}` })];
  }

  function arrow({ from, to }) {
    const [[x, y], [u, v]] = [middle(from), middle(to)];
    const far = Math.hypot(u - x, v - y) || 1;
    const [dx, dy] = [(u - x) / far, (v - y) / far];
    const [tx, ty] = [u - dx * 27, v - dy * 27];
    const head = [[tx, ty], [tx - dx * 12 - dy * 8, ty - dy * 12 + dx * 8], [tx - dx * 12 + dy * 8, ty - dy * 12 - dx * 8]];
    return [
      svg("line", { class: "arrow", x1: x + dx * 26, y1: y + dy * 26, x2: tx - dx * 10, y2: ty - dy * 10 }),
      svg("polygon", { class: "arrow-head", points: head.map((p) => p.join(",")).join(" ") }),
    ];
  }

  function board(view) {
    const squares = [..."abcde"].flatMap((column) => [..."12345"].map((row) => column + row));
    const labels = [
      ...[..."12345"].map((row) => letters(row, EDGE / 2, (5 - Number(row)) * SIDE + SIDE / 2, 15, { class: "label" })),
      ...[..."abcde"].map((column, i) => letters(column, EDGE + i * SIDE + SIDE / 2, 5 * SIDE + 12, 15, { class: "label" })),
    ];
    const groups = Object.entries(view.board).map(([at, found]) => group(at, found));
    return picture(EDGE + 5 * SIDE, 5 * SIDE + EDGE, null, { class: "squares" },
      ...squares.map((at) => square(at, view)), ...labels, ...groups.flat(), ...(view.duel ? arrow(view.duel) : []));
  }

  /** The board as a table, for players who listen to it. */
  function table(view, names) {
    const stands = ({ owner, size }) => `${owner === "neutral" ? say("neutral") : called(names, owner)} ${figure(size)}`;
    return el("div", { class: "spoken" }, el("table", {}, el("caption", {}, word(GAMES, "caesar")),
      el("thead", {}, el("tr", {}, el("td", {}), ...[..."abcde"].map((column) => el("th", { scope: "col" }, column)))),
      el("tbody", {}, ...[..."54321"].map((row) => el("tr", {}, el("th", { scope: "row" }, row),
        ...[..."abcde"].map((column) => el("td", {}, hasOwn(view.board, column + row) ? stands(view.board[column + row]) : "–")))))));
  }

  function duel(view, names) {
    const { attacker, defender, from, to } = view.duel;
    const seats = { attacker: isolated(called(names, attacker)), defender: isolated(called(names, defender)) };
    return el("p", { class: "lead" }, say("duel", { ...seats, from, to }));
  }

  return {
    view,
    caption: "counters",
    ended: "counters",
    number: owned,
    progress: () => "",
    facts: (view, seat) => [
      ...(view.to_place[seat] ? [["to_place", view.to_place[seat]]] : []),
      ["counters", owned(view, seat)], ["hand", view.hand_sizes[seat]],
    ],
    remark: (view, seat) => (view.out.includes(seat) ? "out" : ""),
    centre: (view, { names }) => [el("div", { class: "whole" }, view.duel ? duel(view, names) : null, board(view), table(view, names))],
  };
})());
