// Sends orders: preview, confirm, send under a unique id, show the answer. No order is ever carried out twice.
"use strict";

const PATIENCE = 8000;

const desk = { hall: "", key: "", client: null, page: "", state: null, waiting: new Map(), sought: "", opened: null };

const topic = (last) => `tabularium-desk/2/${desk.hall}/${last}`;

/** Returns a random id. */
function ownNumber() {
  return Array.from(crypto.getRandomValues(new Uint8Array(9)), (each) => each.toString(36).padStart(2, "0")).join("");
}

/** Sends an order, and resends it under the same id if the connection was lost; resolves to the answer. */
function ask(order) {
  const mark = ownNumber();
  const id = order.try ? {} : { id: ownNumber() };
  const full = { lang, who: at("who").value.trim() || "organiser", ...id, ...order };
  return new Promise((answered) => {
    desk.waiting.set(mark, { full, answered, since: Date.now() });
    send(mark);
    soon();
  });
}

function send(mark) {
  const sent = desk.waiting.get(mark);
  if (!sent || !desk.client) return;
  sent.since = Date.now();
  const properties = { responseTopic: topic(`answer/${desk.page}`), correlationData: new TextEncoder().encode(mark) };
  desk.client.publish(topic("order"), JSON.stringify(sent.full), { qos: 1, properties });
}

function answer(mark, found) {
  const sent = desk.waiting.get(mark);
  if (!sent) return;
  desk.waiting.delete(mark);
  sent.answered(found);
  soon();
}

/** Returns the orders without an answer. Each may have been carried out; sent again, it still happens only once. */
function unanswered() {
  return [...desk.waiting].filter(([, { since }]) => Date.now() - since > PATIENCE);
}

// -- the dialog -----------------------------------------------------------------------------------------------------

const REASON = { name: "reason", label: "reason_label", most: 200 };

/** Shows the dialog with a title and contents. */
function dialog(title, ...inside) {
  const box = at("dialog");
  refill(box, el("h2", {}, title), ...inside.flat().filter(Boolean));
  if (!box.open) box.showModal();
  const first = box.querySelector("input, select, textarea, button.main");
  if (first) first.focus();
  return box;
}

const close = () => at("dialog").close();

function button(text, act, kind = "") {
  const made = el("button", { type: "button", class: kind || null }, text);
  made.addEventListener("click", act);
  return made;
}

const lines = (said) => el("ul", { class: "lines" }, ...said.map((each) => el("li", { dir: "auto" }, each)));

function field({ name, label, text, most, value = "", type = "text", rows = 0, list = null, ...rest }) {
  const id = `field-${name}`;
  const made = rows ? el("textarea", { id, rows, ...rest }) : list
    ? el("select", { id, ...rest }, ...list.map(([key, text]) => el("option", { value: key }, text)))
    : el("input", { id, type, maxlength: most || null, autocomplete: "off", ...rest });
  if (type === "checkbox") made.checked = Boolean(value);
  else if (!list || list.some(([key]) => key === value)) made.value = value;
  return el("label", { class: type === "checkbox" ? "check" : "field", for: id }, el("span", {}, text || say(label)), made);
}

/** Returns the values of the dialog's fields. */
function written(box, names) {
  return Object.fromEntries(names.map((name) => {
    const found = box.querySelector(`#field-${CSS.escape(name)}`);
    return [name, found.type === "checkbox" ? found.checked : found.value.trim()];
  }));
}

/** Shows a form, then the preview of the order made from its fields. */
function form(named, fields, order) {
  const title = named.replace(/ ?…$/, "");
  const box = dialog(title, ...fields.map(field), el("p", { class: "row" },
    button(say("go_on"), () => propose(title, order(written(box, fields.map(({ name }) => name)))), "main"),
    button(say("cancel"), close)));
  box.onkeydown = (event) => {
    if (event.key === "Enter" && event.target.tagName === "INPUT") { event.preventDefault(); box.querySelector("button.main").click(); }
  };
}

/** Shows what an order would change, and gives it once confirmed; asks for a reason if the order may need one. */
async function propose(title, order) {
  const box = dialog(title, el("p", { class: "muted" }, say("asking")), el("p", { class: "row" }, button(say("cancel"), close)));
  box.onkeydown = null;
  const tried = await ask({ ...order, try: true });
  let asOf = tried.as_of;
  if (!box.open) return;
  const wants = WITH_REASON.includes(order.do) && !order.reason;
  const reason = wants ? field(REASON) : null;
  const told = el("div", { class: "told", role: "status" }, lines(tried.said));
  const agree = button(say("do_it"), async () => {
    agree.disabled = true;
    const why = wants ? written(box, ["reason"]).reason : "";
    const found = await ask({ ...order, as_of: asOf, ...(why ? { reason: why } : {}) });
    agree.disabled = false;
    if (found.as_of !== undefined) asOf = found.as_of;  // another order came first: the next confirmation is of the new preview
    if (!found.ok) return refill(told, el("div", { class: "refused" }, lines(found.said)));
    if (box.open) close();
    return note(found.said);
  }, "main");
  const can = tried.ok || wants;
  dialog(title, told, reason, el("p", { class: "row" }, can ? agree : null, button(say(can ? "cancel" : "close"), close)));
  if (!tried.ok) told.classList.add("refused");
}

/** Gives an order at once, without a preview. */
async function give(order) {
  const found = await ask(order);
  if (found.ok) return note(found.said);
  dialog(say("refused"), el("div", { class: "told refused" }, lines(found.said)), el("p", { class: "row" }, button(say("close"), close, "main")));
  return false;
}

/** Shows the last answer above the orders. */
function note(said) {
  desk.noted = said;
  soon();
  return true;
}
