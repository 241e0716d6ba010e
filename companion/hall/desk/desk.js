// The organiser's page: the key, the broker, and what is drawn anew. The hall decides; this only asks it.
"use strict";

const halls = new Map();
const PANELS = { hall: hallPanel, plan: roundPanel, players: playersPanel, standings: standingsPanel, devices: devicesPanel, evening: eveningPanel };
const TABS = Object.keys(PANELS);
const shown = { tab: "hall", table: null, round: 0, link: "connecting", drawing: false, dragging: false, held: false };

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

function render() {
  shown.drawing = false;
  if (shown.dragging || shown.held) return;  // what is in somebody's hand stays there; it is drawn when it has been let go
  chooseLanguage();
  const hall = chosenHall(halls, desk.hall);
  const { state } = desk;
  at("title").textContent = state ? state.evening.name : say("title");
  document.title = `${at("title").textContent} – ${say("organiser")}`;
  at("round").textContent = state ? [state.round ? say("round", { round: figure(state.round) }) : "", say(`state_${state.state === "open" && state.round ? "between" : state.state}`)].filter(Boolean).join(" · ") : "";
  at("who-label").textContent = say("who");
  at("tabs").setAttribute("aria-label", say("pages"));
  showChoices();
  const told = PHONE ? sessionTold() || (state ? "" : "connecting") : !desk.key ? "no_key" : shown.link === "refused" ? "wrong_key" : shown.link === "lost" ? "away_now" : state ? "" : "connecting";
  at("link").textContent = told ? say(told) : "";
  at("link").hidden = !told;
  missing();
  if (!state) return;
  const focused = document.activeElement;
  redraw(at("bar"), barPanel());
  redraw(at("clockwork"), clockPanel(hall));
  redraw(at("next"), nextPanel(hall));
  redraw(at("steps"), stepsPanel());
  at("steps").hidden = !at("steps").children.length;
  redraw(at("tabs"), TABS.map(tabButton));
  redraw(at("needs"), needsPanel());
  redraw(at("opened"), tablePanel(hall));
  redraw(at("orders"), ordersPanel());
  document.body.classList.toggle("table-open", Boolean(at("opened").children.length));
  at("tab").setAttribute("aria-label", say(`tab_${shown.tab}`));
  redraw(at("tab"), el("div", { class: `panel-${shown.tab}`, "data-key": shown.tab }, el("h2", { class: "spoken" }, say(`tab_${shown.tab}`)), ...PANELS[shown.tab](hall).flat().filter(Boolean)));
  const find = at("find-player");
  if (find && find !== document.activeElement) find.value = desk.sought;
  if (focused !== document.activeElement && focused.isConnected && focused !== document.body) focused.focus({ preventScroll: true });
  ticking();
}

function tabButton(each) {
  const made = button(say(`tab_${each}`), (event) => {
    go({ tab: each });
    if (each === "players" && event.detail && !narrow.matches) at("find-player").select();  // by a mouse: a name is typed next
  });
  if (each === shown.tab) made.setAttribute("aria-current", "page");
  return made;
}

function ticking() {
  const hall = chosenHall(halls, desk.hall);
  const left = hall ? secondsLeft(hall) : null;
  const place = at("clock");
  if (!place || left === null) return;
  const text = left ? minutesAndSeconds(left) : say("up_nothing");
  if (place.textContent !== text) place.textContent = text;
  place.classList.toggle("late", left <= 300);
}

/** Redraws soon, or at once after a touch. A dialog is never drawn over. */
function soon(now = false) {
  if (now) { shown.dragging = shown.held = false; return render(); }
  if (shown.drawing) return undefined;
  shown.drawing = true;
  return setTimeout(render, 100);
}

// -- the broker -------------------------------------------------------------------------------------------------------

const OF_HALL = ["evening", "standings", "clock", "seating", "rounds"];
const OF_TABLES = ["header", "view", "result"];

function connect() {
  if (!(PHONE ? phone.kept : desk.key) || !KINDS.tableName(desk.hall)) return;
  desk.page = ownNumber();
  desk.client = mqtt.connect(brokerAddress(), {
    protocolVersion: 5, ...(PHONE ? {} : { username: "organiser", password: desk.key }), clean: true, keepalive: 20, reconnectPeriod: 2000,
    connectTimeout: 8000, resubscribe: false, timerVariant: "native", queueQoSZero: false,
  });
  const top = `tabularium/2/${desk.hall}`;
  desk.client.on("connect", () => {
    shown.link = "open";
    const own = PHONE ? [sealedTopic(`answer/${phone.kept.id}`)] : [topic(`answer/${desk.page}`), topic("state")];
    desk.client.subscribe([...own, ...OF_HALL.map((each) => `${top}/hall/${each}`), ...OF_TABLES.map((each) => `${top}/table/+/${each}`)], { qos: 1 }, () => { if (PHONE) sayHello(true); });
    soon();
  });
  desk.client.on("close", () => { shown.link = shown.link === "refused" ? "refused" : "lost"; soon(); });
  desk.client.on("error", (error) => { if ([4, 5, 134, 135].includes(error.code)) { shown.link = "refused"; desk.client.end(true); } soon(); });
  desk.client.on("message", takeIn);
}

function takeIn(where, payload, packet) {
  if (PHONE && phone.kept && where === sealedTopic(`answer/${phone.kept.id}`)) return takeLetter(payload);
  const text = new TextDecoder().decode(payload);
  if (where === topic("state") || where === topic(`answer/${desk.page}`)) {
    let found;
    try { found = JSON.parse(text); } catch { return; }
    if (where === topic("state")) return takeState(found);
    const mark = packet.properties && packet.properties.correlationData;
    if (mark) answer(new TextDecoder().decode(mark), found);
    return;
  }
  if (!take(halls, where, text)) return;
  const moved = /\/table\/([^/]+)\/view$/.exec(where);
  if (moved && !packet.retain) halls.get(desk.hall).tables.get(moved[1]).heardAt = Date.now();
  soon();
}

function takeState(found) {
  const first = !desk.state;
  desk.state = found;
  noticeInvited();
  desk.skew = Math.min(desk.skew, Date.now() - Date.parse(found.at));
  if (first) { render(); reopenDraft(); } else soon();
}

/** Listens for a finger or a mouse that is down: until it is up again, nothing is redrawn below it. */
function listenToHolding() {
  addEventListener("pointerdown", () => { shown.held = true; }, true);
  const letGo = () => { if (shown.held) setTimeout(() => { shown.held = false; soon(); }, 60); };
  for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, letGo, true);
  addEventListener("blur", letGo);  // of the window: it bubbles from nothing else
}

function listen() {
  listenToChoices(render);
  listenToElements();
  listenToHolding();
  listenToDialog();
  listenToWay();
  at("who").value = memory.get("who") || "";
  at("who").addEventListener("change", () => memory.set("who", at("who").value.trim()));
  listenAsPhone();
  addEventListener("hashchange", () => { if (location.hash.includes("invite=")) location.reload(); });
  addEventListener("hashchange", () => { if (location.hash.includes("ticket=")) takeKey().then(() => location.reload()); });
  setInterval(() => { ticking(); missing(); if (desk.state && desk.state.planning.length) soon(); }, 500);
  setInterval(() => soon(), 20000);
}

chooseLook();
drafts.load();
listen();
(PHONE ? Promise.resolve(takeSession()) : takeKey()).then(() => { render(); connect(); });
