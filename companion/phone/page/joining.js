// Before this phone has a seat: the six-digit code, the free seats, and what the table says meanwhile.

import { send } from "./link.js";
import { calm, marked } from "./speech.js";

/** Asks for the code that the table shows and reads out. */
export function askCode() {
  const input = el("input", { id: "code", inputmode: "numeric", autocomplete: "one-time-code", pattern: "[0-9]*", maxlength: 9, required: "", "aria-describedby": "code-hint" });
  const form = el("form", { novalidate: "" },
    el("label", { for: "code" }, say("code")), input, el("p", { id: "code-hint", class: "muted" }, say("code_hint")),
    el("button", { type: "submit", class: "main" }, say("join")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const code = input.value.replace(/\D/g, "");
    input.setAttribute("aria-invalid", String(code.length !== 6));
    if (code.length !== 6) input.focus();
    else if (send({ code })) calm();
  });
  show("code", say("join_title"), () => [form]);
}

/** Offers the free seats; those that are taken are named too, as one may wonder. */
export function offerSeats(seats) {
  show(JSON.stringify(seats), say("choose_seat"), () => [el("ul", { class: "seats" }, ...seats.map(({ seat, name, free }) => {
    const label = [sign(seat, !name), el("bdi", {}, ...marked(name || word(COLOURS, seat)))];
    if (!free) return el("li", { class: "taken" }, ...label, el("span", { class: "muted" }, ` – ${say("taken")}`));
    const button = el("button", { type: "button" }, ...label);
    button.addEventListener("click", () => { calm(); send({ sit: seat }); });
    return el("li", {}, button);
  }))]);
}

/** Says that the table must agree. */
export function wait(text) {
  show(text, text, () => []);
}

/** Says that another tab of this phone has the seat; `goOn` has it here instead. */
export function leaveTo(text, goOn) {
  const button = el("button", { type: "button", class: "main" }, say("go_on_here"));
  button.addEventListener("click", goOn);
  show(text, text, () => [button]);
}

function show(key, title, build) {
  at("joining").hidden = false;
  fill(at("head"), `${lang} ${title}`, () => marked(title));
  document.title = title;
  fill(at("joining"), `${lang} ${key}`, build);
}

export function joined() {
  at("joining").hidden = true;
  fill(at("joining"), "", () => []);
}
