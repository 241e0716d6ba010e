// Forms: what is written in one stays until its order is given or it is cancelled, also over a reload.
"use strict";

/** Every form by its name: from its arguments its title, its fields, and the order made of what is written. */
const FORMS = {};

const drafts = {
  all: {}, open: "",
  load() { try { Object.assign(drafts, JSON.parse(sessionStorage.getItem("drafts") || "{}")); } catch { /* nothing is kept */ } },
  save() { try { sessionStorage.setItem("drafts", JSON.stringify({ all: drafts.all, open: drafts.open })); } catch { /* nothing is kept */ } },
};

const draftKey = (name, args) => JSON.stringify([name, args]);

function keepDraft(name, args, values) {
  const kept = Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value !== "object"));
  drafts.open = draftKey(name, args);
  drafts.all[drafts.open] = { name, args, values: kept };
  drafts.save();
}

function dropDraft() {
  delete drafts.all[drafts.open];
  leaveDraft();
}

function leaveDraft() {
  drafts.open = "";
  drafts.save();
}

/** Opens the form again that was open before a reload. */
function reopenDraft() {
  const found = drafts.all[drafts.open];
  if (found && hasOwn(FORMS, found.name)) openForm(found.name, found.args);
  else leaveDraft();
}

/** Shows a form, then the preview of its order. A refused order leads back, with what is wrong. */
function openForm(name, args = {}, said = null) {
  const made = FORMS[name](args);
  if (!made) return leaveDraft();
  const names = made.fields.map((each) => each.name);
  const draft = drafts.all[draftKey(name, args)];
  const title = made.title.replace(/ ?…$/, "");
  const read = () => written(at("dialog"), names);
  const further = async (more = {}) => {
    const values = read();
    keepDraft(name, args, values);
    const order = await made.order(values, more);
    if (order) propose(title, order, { back: (wrong) => openForm(name, args, wrong), fields: made.besides || [], also: made.also, done: made.done });
  };
  const box = dialog(title,
    said ? el("div", { class: "told refused", role: "alert" }, lines(said)) : null,
    draft && !said ? el("p", { class: "muted row" }, say("kept_draft"), button(say("start_over"), () => { dropDraft(); openForm(name, args); })) : null,
    made.layout ? made.layout(made.fields) : made.fields.map(field),
    el("p", { class: "row" }, button(made.go || say("go_on"), () => further(), "main"),
      ...(made.more || []).map(([text, more]) => button(text, () => further(more))),
      button(say("cancel"), close)));
  drafts.open = draftKey(name, args);
  if (draft) for (const each of names) if (hasOwn(draft.values, each)) setValue(fieldOf(box, each), draft.values[each]);
  drafts.save();
  box.oninput = () => keepDraft(name, args, read());
  box.onkeydown = (event) => {
    if (event.key === "Enter" && event.target.tagName === "INPUT") { event.preventDefault(); further(); }
  };
  if (said) nameWrong(box, names, said);
}

/** Finds what the hall's words are about: the field, and the line of a list, whose text they contain. */
function nameWrong(box, names, said) {
  const words = said.join(" ").replace(/[\u2066-\u2069]/g, "").toLocaleLowerCase();
  const about = (text) => {
    const exact = text.trim().toLocaleLowerCase().replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return exact !== "" && new RegExp(`(^|[^\\p{L}\\p{N}])${exact}($|[^\\p{L}\\p{N}])`, "u").test(words);
  };
  for (const name of names) {
    const found = fieldOf(box, name);
    if (found.nodeName !== "TEXTAREA") continue;
    const all = found.value.split("\n");
    const wrong = all.map((text, i) => [text.trim(), i]).filter(([text]) => about(text)).sort(([one], [other]) => other.length - one.length)[0];
    if (!wrong) continue;
    const repeated = all.map((text, i) => [text.trim(), i]).filter(([text]) => text.toLocaleLowerCase() === wrong[0].toLocaleLowerCase()).pop()[1];
    markWrong(box, name, say("wrong_line", { number: figure(repeated + 1), text: isolated(wrong[0]) }));
    const start = all.slice(0, repeated).join("\n").length + (repeated ? 1 : 0);
    return found.setSelectionRange(start, start + all[repeated].length);
  }
  const filled = names.find((name) => { const found = fieldOf(box, name); return found.type === "text" && about(found.value); });
  const empty = names.includes("reason") && !fieldOf(box, "reason").value.trim() ? "reason" : null;
  return filled || empty ? markWrong(box, filled || empty) : undefined;
}

/** Marks a field as wrong and goes there. */
function markWrong(box, name, text = say("wrong_field")) {
  const found = fieldOf(box, name);
  const label = found.closest("label");
  for (const each of box.querySelectorAll(".wrong")) each.remove();
  found.setAttribute("aria-invalid", "true");
  found.setAttribute("aria-describedby", "wrong");
  (label || found).insertAdjacentElement("afterend", el("p", { class: "wrong", id: "wrong", dir: "auto" }, text));
  found.focus();
}
