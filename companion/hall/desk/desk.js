// The organiser's page: the key, the broker, and what is drawn anew. The hall decides; this only asks it.
"use strict";

const halls = new Map();
const TABS = ["plan", "players", "standings", "evening"];
const shown = { tab: "plan", link: "connecting", drawing: false };

/** The key stays in this tab. A ticket stands behind the address, leaves it at once, and is swapped for the key. */
async function takeKey() {
  const ticket = /^#ticket=(\d{1,5})-([\w-]{20,60})$/.exec(location.hash);
  if (location.hash) history.replaceState(null, "", location.pathname);
  let found = {};
  if (ticket) {
    try { found = await (await fetch(`http://127.0.0.1:${ticket[1]}/${ticket[2]}`, { cache: "no-store" })).json(); } catch { found = {}; }
  }
  try {
    if (found.key) { sessionStorage.setItem("hall", found.hall || ""); sessionStorage.setItem("key", found.key); }
    desk.hall = sessionStorage.getItem("hall") || "";
    desk.key = sessionStorage.getItem("key") || "";
  } catch { /* without a store the key is good for this once */
    desk.hall = found.hall || "";
    desk.key = found.key || "";
  }
}

function chooseLanguage() {
  const evening = desk.state ? desk.state.evening.lang : navigator.language.slice(0, 2);
  lang = [memory.get("lang"), evening, "en"].find((each) => hasOwn(LANGUAGES, each));
  document.documentElement.lang = lang;
}

// -- drawing ----------------------------------------------------------------------------------------------------------

const PANELS = { plan: roundPanel, players: playersPanel, standings: standingsPanel, evening: eveningPanel };

function render() {
  shown.drawing = false;
  if (shown.dragging) return;  // what is in somebody's hand stays there; it is drawn when it has been let go
  chooseLanguage();
  const hall = chosenHall(halls, desk.hall);
  const { state } = desk;
  at("title").textContent = state ? state.evening.name : say("title");
  document.title = `${at("title").textContent} – ${say("organiser")}`;
  at("round").textContent = state ? [state.round ? say("round", { round: figure(state.round) }) : "", say(`state_${state.state === "open" && state.round ? "between" : state.state}`)].filter(Boolean).join(" · ") : "";
  at("who-label").textContent = say("who");
  showChoices();
  const told = !desk.key ? "no_key" : shown.link === "refused" ? "wrong_key" : shown.link === "lost" ? "away_now" : state ? "" : "connecting";
  at("link").textContent = told ? say(told) : "";
  at("link").hidden = !told;
  missing();
  if (!state) return;
  refill(at("needs"), ...needsPanel());
  refill(at("orders"), ...ordersPanel());
  refill(at("clockwork"), ...clockPanel(hall).filter(Boolean));
  refill(at("tabs"), ...TABS.map((each) => {
    const made = button(say(`tab_${each}`), () => { shown.tab = each; soon(true); });
    if (each === shown.tab) made.setAttribute("aria-current", "page");
    return made;
  }));
  const finding = document.activeElement && document.activeElement.id === "find-player" ? [document.activeElement.selectionStart, document.activeElement.selectionEnd] : null;
  const where = document.activeElement && document.activeElement.dataset.id;
  refill(at("tab"), ...PANELS[shown.tab](hall).flat().filter(Boolean));
  if (finding && !at("dialog").open) {
    const find = at("find-player");
    if (find) { find.focus(); find.setSelectionRange(...finding); }
  }
  const again = where && !at("dialog").open && at("tab").querySelector(`[data-id="${where}"]`);
  if (again) again.focus();
  ticking();
}

/** Orders without an answer: said, and asked again under the same number if somebody wants. */
function missing() {
  const found = unanswered();
  at("unanswered").hidden = !found.length;
  if (!found.length) return;
  refill(at("unanswered"), el("span", {}, `${say("unanswered")} `),
    button(say("ask_again"), () => { found.forEach(([mark]) => send(mark)); soon(true); }));
}

function ticking() {
  const hall = chosenHall(halls, desk.hall);
  const left = hall ? secondsLeft(hall) : null;
  const place = at("clock");
  if (place && left !== null) place.textContent = left ? minutesAndSeconds(left) : say("up_nothing");
}

/** Redraws soon, or at once after a touch. A dialog is never drawn over. */
function soon(now = false) {
  if (now) { shown.dragging = false; return render(); }
  if (shown.drawing) return undefined;
  shown.drawing = true;
  return setTimeout(render, 100);
}

// -- the broker -------------------------------------------------------------------------------------------------------

function connect() {
  if (!desk.key || !KINDS.tableName(desk.hall)) return;
  desk.page = ownNumber();
  desk.client = mqtt.connect(brokerAddress(), {
    protocolVersion: 5, username: "organiser", password: desk.key, clean: true, keepalive: 20, reconnectPeriod: 2000,
    connectTimeout: 8000, resubscribe: false, timerVariant: "native", queueQoSZero: false,
  });
  desk.client.on("connect", () => {
    shown.link = "open";
    desk.client.subscribe([topic(`answer/${desk.page}`), topic("state"), ...["evening", "standings", "clock", "seating", "rounds"].map((each) => `tabularium/2/${desk.hall}/hall/${each}`)], { qos: 1 });
    soon();
  });
  desk.client.on("close", () => { shown.link = shown.link === "refused" ? "refused" : "lost"; soon(); });
  desk.client.on("error", (error) => { if ([4, 5, 134, 135].includes(error.code)) { shown.link = "refused"; desk.client.end(true); } soon(); });
  desk.client.on("message", takeIn);
}

function takeIn(where, payload, packet) {
  const text = new TextDecoder().decode(payload);
  if (where === topic("state") || where === topic(`answer/${desk.page}`)) {
    let found;
    try { found = JSON.parse(text); } catch { return; }
    if (where === topic("state")) { desk.state = found; soon(); return; }
    const mark = packet.properties && packet.properties.correlationData;
    if (mark) answer(new TextDecoder().decode(mark), found);
    return;
  }
  if (take(halls, where, text)) soon();
}

function listen() {
  listenToChoices(render);
  at("who").value = memory.get("who") || "";
  at("who").addEventListener("change", () => memory.set("who", at("who").value.trim()));
  addEventListener("hashchange", () => { if (location.hash.includes("ticket=")) takeKey().then(() => location.reload()); });
  setInterval(() => { ticking(); missing(); }, 500);
}

chooseLook();
listen();
takeKey().then(() => { render(); connect(); });
