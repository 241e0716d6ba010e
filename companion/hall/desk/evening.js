// The evening: its name and scoring, its end, what is kept of it, and the way to the board.
"use strict";

const TIED = ["wins", "shares", "best", "opponents"];

const choice = (name, label, keys, text) => ({ name, label, value: desk.state.evening[name], list: keys.map((key) => [key, text(key)]) });
const share = (key) => say(`share_${key}`);

FORMS.naming = () => ({
  title: say("name_evening"),
  fields: [
    { name: "name", label: "evening_name", most: 80, value: desk.state.named ? desk.state.evening.name : "" },
    choice("names", "names_label", ["full", "first", "none"], (key) => say(`names_${key}`)),
    choice("lang", "language", Object.keys(LANGUAGES), (key) => LANGUAGES[key]),
  ],
  order: (found) => ({ do: "evening", name: found.name, names: found.names, lang: found.lang }),
});

FORMS.scoring = () => ({
  title: say("score_evening"),
  fields: [
    choice("by", "by_label", ["scores", "wins", "places"], (key) => say(`by_${key}`)),
    ...[0, 1, 2].map((i) => ({ name: `tie-${i}`, label: `tie_label_${i}`, value: desk.state.evening.ties[i] || "", list: [["", say("names_none")], ...TIED.map((key) => [key, say(`tie_${key}`)])] })),
    ...["byes", "voids", "late"].map((name) => choice(name, `${name}_label`, ["half", "nothing", "full"], share)),
    choice("leavers", "leavers_label", ["stay", "last"], (key) => say(`leavers_${key}`)),
  ],
  order: (found) => ({
    do: "evening", by: found.by, ties: [...new Set([0, 1, 2].map((i) => found[`tie-${i}`]).filter(Boolean))],
    byes: found.byes, voids: found.voids, late: found.late, leavers: found.leavers,
  }),
});

function eveningPanel() {
  const { evening } = desk.state;
  return [
    el("p", { class: "row" },
      button(say("name_evening"), () => openForm("naming")),
      allRounds().length ? null : button(say("score_evening"), () => openForm("scoring")),
      evening.over ? button(say("open_again"), () => propose(say("open_again"), { do: "evening" }))
        : button(say("end_evening"), () => propose(say("end_evening"), { do: "end" })),
      button(say("download"), download), button(say("season"), () => openForm("season")), button(say("new_evening"), () => openForm("anew"))),
    el("dl", { class: "facts" }, ...[
      ["evening_name", evening.name], ["names_label", say(`names_${evening.names}`)], ["by_label", say(`by_${evening.by}`)],
      ["ties_label", evening.ties.map((each) => say(`tie_${each}`)).join(", ") || say("names_none")],
      ...["byes", "voids", "late"].map((name) => [`${name}_label`, share(evening[name])]), ["leavers_label", say(`leavers_${evening.leavers}`)],
    ].map(([key, text]) => el("div", {}, el("dt", {}, say(key)), el("dd", { dir: "auto" }, text)))),
    ...phonesPanel(),
    ...boardCode(),
  ];
}

/** Begins a new evening; this one is kept on the hall's computer, and its export is saved in this browser too. */
FORMS.anew = () => ({
  title: say("new_evening"),
  fields: [{ name: "name", label: "evening_name", most: 80 }, { name: "keep", label: "keep_numbers", type: "checkbox", value: true }],
  order: (found) => ({ do: "new", ...found }),
  done: ({ file, said }) => { if (file) save(file); note(said); },
});

async function download() {
  const found = await ask({ do: "download", try: true });
  if (!found.file) return dialog(say("refused"), el("div", { class: "told refused" }, lines(found.said)), el("p", { class: "row" }, button(say("close"), close, "main")));
  save(found.file);
  return note([say("downloaded", { file: isolated(found.file.name) })]);
}

/** Saves an export as a file in this browser. */
function save({ name, data }) {
  el("a", { href: `data:application/zip;base64,${data}`, download: name }).click();
}

FORMS.season = () => ({
  title: say("season"),
  fields: [{ name: "files", label: "season_files", type: "file", multiple: "", accept: ".zip" }],
  async order({ files }) {
    const sent = await Promise.all([...files].map(async (file) => ({ name: file.name, data: await inBase64(file) })));
    showAnswer(say("season").replace(/ ?…$/, ""), { do: "season", files: sent });
    return null;
  },
});

/** Returns a file's content in Base64, in pieces that the wire takes. */
const inBase64 = (file) => new Promise((done) => {
  const reader = new FileReader();
  reader.onload = () => done(reader.result.slice(reader.result.indexOf(",") + 1).match(/.{1,2000}/g) || []);
  reader.readAsDataURL(file);
});

/** Draws the QR code that leads phones to the board. */
function boardCode() {
  const hall = chosenHall(halls, desk.hall);
  const board = hall && hall.evening && hall.evening.board;
  return board ? [el("h3", {}, say("the_board")), qr(board), el("p", {}, board.address)] : [];
}
