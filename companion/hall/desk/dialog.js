// The dialog, its buttons and fields.
"use strict";

const REASON = { name: "reason", label: "reason_label", most: 200 };

/** Shows the dialog with a title and contents. */
function dialog(title, ...inside) {
  const box = at("dialog");
  box.oninput = null;
  box.onkeydown = null;
  refill(box, el("h2", { id: "dialog-title" }, title), ...inside.flat().filter(Boolean), el("p", { class: "silence", role: "status", hidden: "" }));
  if (!box.open) {
    box.showModal();
    enterDialog();
  }
  const first = box.querySelector("[aria-invalid], input, select, textarea, button.main") || box.querySelector("button");
  if (first) first.focus();
  missing();
  return box;
}

/** Closes the dialog and puts away what was written in it: at once, as the browser reports later that it is closed. */
function close() {
  dropDraft();
  at("dialog").close("done");
}

/** Listens to the dialog: however it is closed, the history knows, and what was written is kept unless it was put away. */
function listenToDialog() {
  at("dialog").addEventListener("close", () => {
    const box = at("dialog");
    if (box.returnValue !== "done") leaveDraft();
    box.returnValue = "";
    forgetQuestions();
    leaveDialog();
    soon();
  });
}

function button(text, act, kind = "") {
  return on(el("button", { type: "button", class: kind || null }, text), { click: act });
}

const lines = (said) => el("ul", { class: "lines" }, ...said.map((each) => el("li", { dir: "auto" }, each)));

function field({ name, label, text, most, value = "", type = "text", rows = 0, list = null, ...rest }) {
  const id = `field-${name}`;
  const made = rows ? el("textarea", { id, rows, ...rest }) : list
    ? el("select", { id, ...rest }, ...list.map(([key, text]) => el("option", { value: key }, text)))
    : el("input", { id, type, maxlength: most || null, autocomplete: "off", ...rest });
  setValue(made, value);
  return el("label", { class: type === "checkbox" ? "check" : "field", for: id }, el("span", {}, text || say(label)), made);
}

function setValue(made, value) {
  if (made.type === "checkbox") made.checked = Boolean(value);
  else if (made.type !== "file" && (made.nodeName !== "SELECT" || [...made.options].some((each) => each.value === String(value)))) made.value = value;
}

const fieldOf = (box, name) => box.querySelector(`#field-${CSS.escape(name)}`);

/** Returns the values of the dialog's fields. */
function written(box, names) {
  return Object.fromEntries(names.map((name) => {
    const found = fieldOf(box, name);
    return [name, found.type === "checkbox" ? found.checked : found.type === "file" ? found.files : found.value.trim()];
  }));
}
