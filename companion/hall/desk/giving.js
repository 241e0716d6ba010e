// Gives orders: what one would change is shown first, and it is given once confirmed.
"use strict";

/** Asks what an order would change; resolves to the answer. An order that always needs a reason is asked with one. */
function tryOrder(order) {
  const reason = WITH_REASON[order.do] === "always" && !order.reason ? { reason: "…" } : {};
  return ask({ ...order, ...reason, try: true });
}

/**
 * Shows what an order would change, and gives it once confirmed; asks for a reason if the order may need one.
 *
 * `back` returns to the form that made the order, with what is wrong. `fields` are asked besides, and `also` returns the
 * order to give after this one, by what is written in them. `done` gets the answer.
 */
async function propose(title, order, { back = null, fields = [], also = null, done = ({ said }) => note(said) } = {}) {
  const box = dialog(title, el("p", { class: "muted" }, say("asking")), el("p", { class: "row" }, button(say("cancel"), close)));
  const tried = await tryOrder(order);
  if (!box.open) return;
  if (!tried.ok && back) return back(tried.said);
  const wants = hasOwn(WITH_REASON, order.do) && !order.reason;
  const asked = [...fields, ...(wants ? [REASON] : [])];
  let asOf = tried.as_of;
  const told = el("div", { class: "told", role: "status" }, lines(tried.said));
  const agree = button(say("do_it"), async () => {
    const { reason = "", ...more } = written(box, asked.map(({ name }) => name));
    if (wants && WITH_REASON[order.do] === "always" && !reason) return markWrong(box, "reason");
    agree.disabled = true;
    const found = await ask({ ...order, as_of: asOf, ...(reason ? { reason } : {}) });
    agree.disabled = false;
    if (found.as_of !== undefined) asOf = found.as_of;  // another order came first: the next confirmation is of the new preview
    if (!found.ok) { told.classList.add("refused"); return refill(told, el("div", { class: "refused", role: "alert" }, lines(found.said))); }
    if (box.open) close();
    done(found);
    const next = also && also(more);
    return next ? give(next) : undefined;
  }, "main");
  const can = tried.ok || wants;
  if (!tried.ok) told.classList.add("refused");
  dialog(title, told, ...(can ? asked.map(field) : []),
    el("p", { class: "row" }, can ? agree : null, back ? button(say("edit"), () => back(null)) : null, button(say(can ? "cancel" : "close"), close)));
  box.onkeydown = (event) => {
    if (event.key === "Enter" && event.target.tagName === "INPUT") { event.preventDefault(); agree.click(); }
  };
}

/** Gives an order at once, without a preview. */
async function give(order) {
  const found = await ask(order);
  if (found.ok) return note(found.said);
  dialog(say("refused"), el("div", { class: "told refused" }, lines(found.said)), el("p", { class: "row" }, button(say("close"), close, "main")));
  return false;
}

/** Asks a question and shows the answer. */
async function showAnswer(title, question) {
  dialog(title, el("p", { class: "muted" }, say("asking")), el("p", { class: "row" }, button(say("close"), close, "main")));
  const found = await ask({ ...question, try: true });
  if (at("dialog").open) dialog(title, lines(found.said), el("p", { class: "row" }, button(say("close"), close, "main")));
}

/** Shows the last answer above the orders. */
function note(said) {
  desk.noted = said;
  soon();
  return true;
}
