// What players ask the organiser from their phones: to check in, to come back, to leave. It is sent until the hall lists it.
"use strict";

const ASKING = { againMs: 15000, forgetMs: 6 * 3600 * 1000 };

/** What the page needs to ask: the broker's client, and what has been asked last. */
const asking = { client: null, sentAt: 0, leaves: false };

/** Returns a random word of small letters and digits. */
const randomWord = () => Array.from(crypto.getRandomValues(new Uint8Array(10)), (each) => each.toString(36).padStart(2, "0")).join("");

/** Returns the request made last on this phone, null for none of this evening. */
function requestKept(hall) {
  let kept = null;
  try { kept = JSON.parse(memory.get("asked")); } catch { /* none is kept */ }
  return kept && kept.id && kept.evening === markOf(hall) && Date.now() - kept.at < ASKING.forgetMs ? kept : null;
}

const markOf = (hall) => (hall.seating && hall.seating.evening) || null;

/** Returns what has become of a request: "sending" until the hall lists it. */
function stateOf(hall, kept) {
  const found = hall.requests && hall.requests.requests.find((each) => each.id === kept.id);
  return found ? found.state : kept.state || "sending";
}

/** Asks the hall for something, in place of what was asked before. */
function askHall(hall, wish) {
  memory.set("asked", JSON.stringify({ player: null, name: "", ...wish, id: randomWord(), evening: markOf(hall), at: Date.now() }));
  Object.assign(asking, { sentAt: 0, leaves: false });
  if (document.activeElement) document.activeElement.blur();
  sendRequest();
  render();
}

/** Sends the request while the hall does not list it, and keeps what became of it. */
function sendRequest() {
  const hall = chosenHall(halls, asked().hall);
  const kept = hall && requestKept(hall);
  if (!kept || kept.state) return;
  const found = hall.requests && hall.requests.requests.find((each) => each.id === kept.id);
  if (found) {
    if (found.state === "open") return;
    memory.set("asked", JSON.stringify({ ...kept, state: found.state }));
    if (found.state !== "done" || kept.do === "leave" || found.player === null) return;
    memory.set("me", String(found.player));
    if (asked().page === "checkin") location.hash = address("player", "", found.player);
    return;
  }
  if (!asking.client || !asking.client.connected || Date.now() - asking.sentAt < ASKING.againMs) return;
  if (!memory.get("phone-word")) memory.set("phone-word", randomWord());
  asking.sentAt = Date.now();
  const name = [...halls].find(([, each]) => each === hall)[0];
  const { id, do: what, player, name: called, evening } = kept;
  asking.client.publish(`tabularium-asked/2/${name}/request`, JSON.stringify({ id, phone: memory.get("phone-word"), do: what, player, name: called, evening }), { qos: 1 });
}

/** Returns whether the hall takes requests now. */
const takesRequests = ({ evening, requests }) => Boolean(evening && evening.state !== "over" && requests && requests.taking);

// -- drawing ----------------------------------------------------------------------------------------------------------

const press = (text, act, kind = null) => {
  const made = el("button", { type: "button", class: kind }, text);
  made.addEventListener("click", act);
  return made;
};

/** Draws what has become of the request, if there is one about this player, or about anybody. */
function requestTold(hall, id = null) {
  const kept = requestKept(hall);
  if (!kept || (id !== null && kept.do !== "join" && kept.player !== id)) return null;
  const state = stateOf(hall, kept);
  const key = state === "done" ? `asked_done_${kept.do === "leave" ? "leave" : "join"}` : `asked_${state}`;
  return el("p", { class: `asked is-${state}`, role: "status" }, say(key));
}

const isWaiting = (hall) => { const kept = requestKept(hall); return Boolean(kept) && ["sending", "open"].includes(stateOf(hall, kept)); };

/** Draws the button by which a player leaves or comes back; leaving is asked twice. */
function ownRequests(hall, id, row) {
  const told = requestTold(hall, id);
  if (!takesRequests(hall) || isWaiting(hall) || !row) return [told];
  if (row.left) return [told, el("p", { class: "own-ask" }, press(say("ask_back"), () => askHall(hall, { do: "back", player: id }), "main"))];
  const sure = el("details", { class: "leaving", ...(asking.leaves ? { open: "" } : {}) }, el("summary", {}, say("ask_leave")), el("p", {}, say("ask_leave_sure")), press(say("ask_leave_do"), () => askHall(hall, { do: "leave", player: id }), "main"));
  sure.addEventListener("toggle", () => { asking.leaves = sure.open; });
  return [told, sure];
}

/** Returns whether somebody is writing a name; then the page is left alone. */
const isWriting = () => Boolean(document.activeElement) && document.activeElement.id === "own-name";

/** Draws the page where somebody checks in: those on the list are found by name, others write theirs. */
function checkinPage(hall, sought = "") {
  if (!takesRequests(hall)) return [requestTold(hall), el("p", { class: "empty" }, say("ask_nobody"))].filter(Boolean);
  const rows = hall.standings ? hall.standings.rows : [];
  const byTheirName = new Intl.Collator(lang, { numeric: true, sensitivity: "base" }).compare;
  const called = ({ id, name }) => name || say("player", { id: String(id) });
  const found = rows.filter((each) => personWanted(sought, each)).sort((one, other) => byTheirName(called(one), called(other)));
  const field = el("input", { id: "own-name", maxlength: 80, autocomplete: "name", enterkeyhint: "send" });
  const ask = () => {
    const name = field.value.normalize("NFC").split(/\s+/).filter(Boolean).join(" ");
    if (name) askHall(hall, { do: "join", name });
    else field.focus();
  };
  field.addEventListener("keydown", (event) => { if (event.key === "Enter") ask(); });
  return [
    el("h2", {}, say("checkin")), requestTold(hall),
    isWaiting(hall) ? null : el("div", { class: "card checkin" }, el("label", { for: "own-name" }, say("own_name")), field, press(say("ask_join"), ask, "main"), el("p", { class: "muted" }, say("ask_how"))),
    rows.length ? el("h3", {}, say("on_the_list")) : null,
    rows.length ? el("ul", { class: "places" }, ...found.map((each) => el("li", { class: "sits" }, el("a", { href: address("player", "", each.id) }, personName(each), each.left ? el("span", { class: "muted" }, say("left")) : null)))) : null,
  ].filter(Boolean);
}
