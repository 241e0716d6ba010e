// Sends orders and questions, and receives the answers. Every order has a unique id: sent again, it is carried out once.
"use strict";

const PATIENCE = 5000;

const desk = { hall: "", key: "", client: null, page: "", state: null, waiting: new Map(), sought: "", opened: null, skew: Infinity, whole: 0 };

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
  if (PHONE) { postOrder(mark, sent.full); return; }
  const properties = { responseTopic: topic(`answer/${desk.page}`), correlationData: new TextEncoder().encode(mark) };
  desk.client.publish(topic("order"), JSON.stringify(sent.full), { qos: 1, properties });
}

function answer(mark, found) {
  const sent = desk.waiting.get(mark);
  if (!sent) return;
  desk.waiting.delete(mark);
  sent.answered(found);
  missing();
  soon();
}

/** Returns what has had no answer for too long. An order among it may have been carried out; what is being planned takes its time. */
function unanswered() {
  const plans = desk.state && desk.state.planning.length > 0 && desk.client && desk.client.connected;
  return [...desk.waiting].filter(([, { since, full }]) => Date.now() - since > PATIENCE && !(plans && ["round", "plan"].includes(full.do)));
}

/** Shows what has had no answer, with the way to ask again: in the dialog while it is open, else above everything. */
function missing() {
  const found = unanswered();
  const inside = at("dialog").open && at("dialog").querySelector(".silence");
  for (const place of [at("unanswered"), inside]) {
    if (!place) continue;
    place.hidden = !found.length || (place !== inside && Boolean(inside));
    if (place.hidden) continue;
    const key = found.some(([, { full }]) => full.id) ? "unanswered" : "asleep";
    redraw(place, el("span", {}, `${say(key)} `), button(say("ask_again"), () => { found.forEach(([mark]) => send(mark)); missing(); }, "main"));
  }
}

/** Forgets questions whose answer nobody waits for any more; orders stay. */
function forgetQuestions() {
  for (const [mark, { full }] of [...desk.waiting]) if (full.try) desk.waiting.delete(mark);
}

/** Returns this browser's time in terms of the hall's clock. `skew` is the least difference seen so far. */
const hallNow = () => Date.now() - (Math.abs(desk.skew) < 120000 || desk.skew === Infinity ? 0 : desk.skew);

const minutesSince = (moment) => Math.max(0, Math.floor((hallNow() - Date.parse(moment)) / 60000));

/** Returns the time of day of a moment. */
const hour = (text) => (/T(\d\d:\d\d)/.exec(text) || ["", ""])[1];
