// What people have chosen in a browser, and remember where it lets them: language and light. For board and desk.
"use strict";

const dark = matchMedia("(prefers-color-scheme: dark)");

const at = (id) => document.getElementById(id);

/** What people have chosen is remembered where the browser lets us. */
const memory = {
  get(key) {
    try { return localStorage.getItem(key); } catch { return null; }
  },
  set(key, value) {
    try { localStorage.setItem(key, value); } catch { /* a private window */ }
  },
};

function chooseLook() {
  document.documentElement.dataset.look = memory.get("look") || (dark.matches ? "dark" : "light");
}

/** Shows what is chosen. */
function showChoices() {
  at("lang").value = lang;
  at("lang").setAttribute("aria-label", say("language"));
  at("look").textContent = say(document.documentElement.dataset.look === "dark" ? "look_light" : "look_dark");
}

/** Listens to what people choose; everything is then drawn anew. */
function listenToChoices(render) {
  for (const [key, said] of Object.entries(LANGUAGES)) at("lang").append(el("option", { value: key, lang: key }, said));
  at("lang").addEventListener("change", () => { memory.set("lang", at("lang").value); render(); });
  at("look").addEventListener("click", () => {
    memory.set("look", document.documentElement.dataset.look === "dark" ? "light" : "dark");
    chooseLook();
    render();
  });
  dark.addEventListener("change", () => { chooseLook(); render(); });
}

/** Time that is left, as clocks show it. */
const minutesAndSeconds = (left) => `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
