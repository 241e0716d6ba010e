// The fist: a large area to hold, and a real button for everybody who cannot hold. It opens only when a player lifts a
// finger or presses the button; a hidden page, a cancelled touch or a lost connection leave it closed.

import { send } from "./link.js";

const state = { can: false, closed: false, known: true, pointer: 0, called: false, cards: false, told: false };
/** What is said where chips are in fists, and where cards lie on the table. */
const FIST = { title: "your_fist", hold: "fist_hold", lift: "fist_lift", tap: "fist_tap", lost: "fist_unknown", closed: "fist_closed" };
const CARDS = { title: "your_button", hold: "button_hold", lift: "button_lift", tap: "button_tap", lost: "button_unknown", closed: "button_closed" };

/** Takes the table's word for it; while a finger holds, only once it changes, as the table may not have heard of it yet. */
export function showFist(fist) {
  const closed = Boolean(fist && fist.closed);
  state.can = Boolean(fist && fist.can);
  state.called = Boolean(fist && fist.called);
  state.cards = Boolean(fist && fist.cards);
  if (!state.can) state.pointer = 0;
  if (!state.pointer || closed !== state.told) {
    if (!closed) state.known = true;
    state.closed = closed;
  }
  state.told = closed;
  drawFist();
}

export function drawFist() {
  at("fist").hidden = !state.can;
  at("fist").className = [state.closed ? "closed" : "", state.called ? "called" : ""].join(" ").trim();
  const words = state.cards ? CARDS : FIST;
  at("hold").textContent = say(words[!state.closed ? "hold" : !state.known ? "lost" : state.pointer ? "lift" : "tap"]);
  at("toggle").textContent = say(words.closed);
  at("fist-title").textContent = say(words.title);
  at("toggle").setAttribute("aria-pressed", String(state.closed));
}

function close(event) {
  if (!state.can || state.pointer || event.button > 0) return;
  if (!state.closed && !send({ fist: "closed", t: event.timeStamp })) return;
  at("hold").setPointerCapture(event.pointerId);
  Object.assign(state, { pointer: event.pointerId + 1, closed: true, known: true });
  drawFist();
}

function lift(event) {
  if (state.pointer !== event.pointerId + 1) return;
  state.pointer = 0;
  state.closed = !send({ fist: "open", t: event.timeStamp });
  state.known = !state.closed;
  drawFist();
}

/** The finger is no longer known: the fist stays as it is, and the table hears that this phone sleeps. */
export function lose() {
  if (!state.pointer && !state.closed) return;
  state.pointer = 0;
  state.known = false;
  send({ fist: "unknown" });
  drawFist();
}

function toggle(event) {
  if (state.pointer) return;
  const opens = state.closed;
  const message = { fist: opens ? "open" : "closed", t: event.timeStamp };
  if (!send(opens ? message : { ...message, timed: false })) return;
  Object.assign(state, { closed: !opens, known: true });
  drawFist();
}

export function listenToFist() {
  const hold = at("hold");
  hold.addEventListener("pointerdown", close);
  hold.addEventListener("pointerup", lift);
  hold.addEventListener("pointercancel", (event) => state.pointer === event.pointerId + 1 && lose());
  hold.addEventListener("lostpointercapture", (event) => state.pointer === event.pointerId + 1 && lose());
  hold.addEventListener("contextmenu", (event) => event.preventDefault());
  hold.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
  at("toggle").addEventListener("click", toggle);
  document.addEventListener("visibilitychange", () => document.hidden && lose());
  addEventListener("pagehide", lose);
}
