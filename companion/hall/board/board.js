// The page: what the address asks for, the broker, and when something is drawn anew. It reads; only checkin.js sends.
"use strict";

const halls = new Map();
const wide = matchMedia("(min-width: 1000px) and (min-height: 500px)");
const state = { link: "connecting", lost: null, slide: 0, time: 0, due: 0, sought: "" };

const PAGES = ["tables", "table", "where", "seating", "standings", "player", "round", "sheet", "text", "checkin"];
const TABS = ["where", "tables", "seating", "standings"];

/** The address: page, table, number of a player or a round, hall, and turn, the seconds of a slide. */
function asked() {
  const found = new URLSearchParams(location.hash.slice(1));
  const page = PAGES.find((each) => each === found.get("page"));
  const seconds = Number(found.get("turn"));
  return {
    page, table: found.get("table") || "", number: Number(found.get("number")) || 0, hall: found.get("hall") || "",
    turns: found.has("turn") || (!page && wide.matches), seconds: seconds > 0 ? seconds : A_SLIDE,
  };
}

/** Where a page is, or a table; the hall that was asked for stays the one. */
function address(page, table, number) {
  const { hall } = asked();
  return `#${new URLSearchParams({ page, ...(table ? { table } : {}), ...(number ? { number } : {}), ...(hall ? { hall } : {}) })}`;
}

// -- language and light -----------------------------------------------------------------------------------------------

function chooseLanguage(hall) {
  const own = [memory.get("lang"), ...(wide.matches ? [] : navigator.languages.map((each) => each.slice(0, 2)))];
  const evening = hall && hall.evening ? hall.evening.lang : navigator.language.slice(0, 2);
  lang = [...own, evening, "en"].find((each) => hasOwn(LANGUAGES, each));
  document.documentElement.lang = lang;
}

/** Returns the default page: the player's own, else the seats until a round has begun, then the tables. */
function first(hall) {
  const me = Number(memory.get("me"));
  if (hall && me && personOf(hall, me)) return { page: "player", number: me };
  return { page: hall && hall.evening && hall.evening.state === "seated" && roundOfSeats(hall) ? "where" : "tables" };
}

// -- drawing ----------------------------------------------------------------------------------------------------------

function render() {
  state.drawing = false;
  const want = asked();
  const hall = chosenHall(halls, want.hall);
  Object.assign(want, want.page ? {} : first(hall));
  chooseLanguage(hall);
  frame(hall, want);
  if (hall) {
    hall.told = `${hall.stamp} ${want.hall}`;
    want.turns ? turned(hall, want) : paged(hall, want);
  } else {
    fill(at("page"), `none ${lang}`, () => [el("p", { class: "empty" }, say(state.link === "open" ? "no_tables" : "connecting"))]);
  }
}

/** Everything around the page: title, round, menu, and whether we are connected. */
function frame(hall, want) {
  document.body.classList.toggle("turns", want.turns);
  const evening = hall && hall.evening;
  at("title").textContent = evening ? evening.name : say("title");
  document.title = at("title").textContent;
  const round = evening && evening.round ? [say("round", { round: figure(evening.round) })] : [];
  const doing = evening && (evening.state === "open" && evening.round ? "between" : evening.state);
  at("round").textContent = evening ? [...round, say(`state_${doing}`)].join(" · ") : "";
  at("line").textContent = evening ? evening.line : "";
  at("line").hidden = !at("line").textContent;
  timed(hall);
  for (const each of TABS) {
    at(each).textContent = say(each);
    at(each).setAttribute("href", address(each));
    const here = want.page === each || (want.page === "table" && each === "tables");
    here && !want.turns ? at(each).setAttribute("aria-current", "page") : at(each).removeAttribute("aria-current");
  }
  at("find").placeholder = say("find");
  at("find").setAttribute("aria-label", say("find"));
  at("find").hidden = want.turns || ![...TABS, "checkin"].includes(want.page);
  at("checkin").hidden = want.turns || !hall || !takesRequests(hall);
  at("checkin").textContent = say("checkin");
  at("checkin").setAttribute("href", address("checkin"));
  want.page === "checkin" ? at("checkin").setAttribute("aria-current", "page") : at("checkin").removeAttribute("aria-current");
  showChoices();
  at("turn").textContent = say("turn_on");
  at("text").textContent = say("as_text");
  at("text").setAttribute("href", address("text"));
  at("link").textContent = state.link === "lost" ? say("lost", { time: state.lost }) : "";
  at("link").hidden = state.link !== "lost";
  at("slide").textContent = "";
}

/** The clock of the round, every second. */
function timed(hall) {
  const left = hall ? secondsLeft(hall) : null;
  at("clock").hidden = left === null;
  if (left === null) return;
  const then = say(`then_${hall.clock.then}`);
  const said = left === 0 ? [say(`up_${hall.clock.then}`)] : [minutesAndSeconds(left), hall.clock.state === "paused" ? say("paused") : then];
  const text = said.filter(Boolean).join(" · ");
  if (at("clock").textContent !== text) at("clock").textContent = text;
  at("clock").classList.toggle("late", left <= 300);
}

function paged(hall, want) {
  const key = `${want.page} ${want.table} ${want.number} ${lang} ${state.sought} ${memory.get("me")} ${memory.get("asked")}`;
  const page = at("page");
  if (want.page === "tables") return tables(hall, page, key);
  if (want.page === "table") {
    const table = hall.tables.get(deviceNamed(hall, want.table));
    return fill(page, `${key} ${hall.told} ${table ? table.stamp : ""}`, () => [
      el("p", {}, el("a", { class: "back", href: address("tables") }, `‹ ${say("back")}`)),
      ...tablePage(hall, want.table),
    ]);
  }
  if (want.page === "text") return fill(page, `${key} ${hall.told} ${tablesOf(hall).map((table) => table.stamp)}`, () => textPage(hall));
  if (want.page === "checkin" && isWriting()) return undefined;
  const draw = {
    where: () => wherePage(hall, state.sought), seating: () => seatingPage(hall, state.sought),
    standings: () => standingsPage(hall, state.sought), checkin: () => checkinPage(hall, state.sought), player: () => playerPage(hall, want.number),
    round: () => roundPage(hall, want.number), sheet: () => sheetPage(hall, want.table),
  }[want.page];
  return fill(page, `${key} ${hall.told}`, draw);
}

/** All tables; a card that has not changed is left alone. */
function tables(hall, page, key) {
  const all = tablesOf(hall);
  const found = all.filter((table) => wanted(state.sought, tableLabel(nameOf(hall, table.id)), nameOf(hall, table.id),
    ...(table.header ? [word(GAMES, table.header.header.game)] : []), ...Object.values(people(hall, table)).filter(Boolean)));
  if (!found.length) return fill(page, `${key} none ${all.length}`, () => [el("p", { class: "empty" }, say(all.length ? "found_none" : "no_tables"))]);
  fill(page, "all tables", () => [el("div", { class: "cards-grid" })]);
  return line(page.firstElementChild, found.map((table) => cardOf(hall, table)));
}

/** The slide that is on now; the clock moves it on, and what arrives changes what it shows. */
function turned(hall, want) {
  let found = slides(hall, state.time);
  if (state.slide >= found.length) {
    state.slide = 0;
    state.time += 1;
    found = slides(hall, state.time);
  }
  const page = at("page");
  const slide = found[state.slide];
  if (!slide) return fill(page, `none ${lang}`, () => [el("p", { class: "empty" }, say("no_tables"))]);
  const stamps = tablesOf(hall).map((table) => table.stamp).join(" ");
  page.dataset.slide = slide.page;
  for (const each of TABS) at(each).classList.toggle("on", slide.page === each);
  at("slide").textContent = say("page_of", { page: figure(state.slide + 1), pages: figure(found.length) });
  fill(page, `${state.slide} ${state.time} ${lang} ${hall.told} ${stamps} ${want.hall} ${innerWidth} ${innerHeight}`, slide.draw);
  return fillSlide(page);
}

/** Draws soon: what arrives within a tenth of a second is drawn together. */
function soon() {
  if (state.drawing) return;
  state.drawing = true;
  setTimeout(render, 100);
}

// -- the broker -------------------------------------------------------------------------------------------------------

function lost() {
  if (state.link === "open") state.lost = new Intl.DateTimeFormat(lang, { hour: "2-digit", minute: "2-digit" }).format(new Date());
  state.link = state.lost ? "lost" : "connecting";
  soon();
}

/** Everything retained comes anew with each connection; what is on the page stays until it is here. */
function connected(client) {
  halls.clear();
  state.link = "open";
  state.lost = null;
  client.subscribe(TOPICS, { qos: 1 });
  state.drawing = true;
  setTimeout(render, 400);
}

function connect() {
  const client = mqtt.connect(brokerAddress(), {
    clean: true, keepalive: 20, reconnectPeriod: 2000, connectTimeout: 8000, resubscribe: false, timerVariant: "native",
  });
  asking.client = client;
  client.on("connect", () => connected(client));
  client.on("close", lost);
  client.on("error", lost);
  client.on("message", (topic, payload) => {
    if (take(halls, topic, new TextDecoder().decode(payload))) soon();
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && !client.connected) client.reconnect();
  });
}

// -- what people do ---------------------------------------------------------------------------------------------------

function listen() {
  listenToChoices(render);
  at("turn").addEventListener("click", () => { location.hash = ["turn", asked().hall && `hall=${asked().hall}`].filter(Boolean).join("&"); });
  at("find").addEventListener("input", () => { state.sought = at("find").value; render(); });
  addEventListener("hashchange", () => { state.slide = 0; state.due = Date.now() + asked().seconds * 1000; scrollTo(0, 0); render(); });
  wide.addEventListener("change", render);
}

/** A wide screen that nobody has touched for three minutes turns by itself again. */
function watch() {
  let touched = Date.now();
  for (const kind of ["pointerdown", "pointermove", "keydown", "wheel"]) addEventListener(kind, () => { touched = Date.now(); }, { passive: true });
  setInterval(() => {
    const want = asked();
    timed(chosenHall(halls, want.hall));
    sendRequest();
    if (!want.turns && wide.matches && Date.now() - touched > 180000) location.hash = want.hall ? `hall=${want.hall}` : "";
    if (want.turns && Date.now() >= state.due) {
      if (state.due) state.slide += 1;
      state.due = Date.now() + lasting(want.seconds) * 1000;
      render();
    }
  }, 250);
}

chooseLook();
listen();
watch();
render();
connect();
