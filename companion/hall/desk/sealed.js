// The organiser's page on a phone: orders, answers and the evening's state are sealed by TweetNaCl, as a page without
// HTTPS has no crypto.subtle (companion/hall/sessions.py is the other end, docs/hall/phones.md says how).
"use strict";

const PHONE = document.querySelector("meta[name=phone]").content === "yes";
const LETTER = { id: 8, nonce: 24, shortest: 4096, longest: 1005000, toPage: 0, fromPage: 1 };
const HELLO = { again: 3000, every: 30000 };

/** What is kept of the session; its numbers with the hall's process of this epoch; what each letter's mark is for. */
const phone = { kept: null, shared: null, epoch: "", sent: 0, heard: 0, marks: new Map(), asked: 0, claims: false, told: "" };

const sealedTopic = (last) => `tabularium-sealed/2/${desk.hall}/${last}`;

// -- the session --------------------------------------------------------------------------------------------------------

/** Takes the session of this phone: a new one where an invitation stands behind the address, which it leaves at once. */
function takeSession() {
  const found = /^#invite=([a-z0-9-]{1,32})\.([0-9a-f]{16})\.([\w-]{43})\.([\w-]{16,40})$/.exec(location.hash);
  if (location.hash) history.replaceState(null, "", location.pathname);
  if (found) {
    const [, hall, id, key, code] = found;
    keepSession({ hall, id, key, code, secret: Array.from(nacl.box.keyPair().secretKey) });
  } else {
    try { phone.kept = JSON.parse(memory.get("phone")); } catch { phone.kept = null; }
  }
  if (!phone.kept) return;
  desk.hall = phone.kept.hall;
  phone.own = nacl.box.keyPair.fromSecretKey(Uint8Array.from(phone.kept.secret));
  phone.shared = nacl.box.before(fromBase64(phone.kept.key), phone.own.secretKey);
}

function keepSession(kept) {
  phone.kept = kept;
  memory.set("phone", JSON.stringify(kept));
}

/** Forgets the session with its keys, and all that the page shows. */
function forgetSession(told) {
  try { localStorage.removeItem("phone"); } catch { /* it was not kept */ }
  Object.assign(phone, { kept: null, shared: null, own: null, epoch: "", told });
  phone.marks.clear();
  desk.waiting.clear();
  desk.state = null;
  desk.noted = null;
  Object.assign(drafts, { all: {}, open: "" });
  drafts.save();
  desk.client.end(true);
  if (at("dialog").open) close();
  for (const id of ["title", "round", "bar", "clockwork", "next", "steps", "tabs", "tab", "needs", "opened", "orders"]) redraw(at(id));
  soon(true);
}

/** Returns the key of what a phone without a state is told, null where all is well. */
function sessionTold() {
  if (!phone.kept) return phone.told || "no_session";
  if (shown.link === "lost") return "away_now";
  if (phone.epoch) return null;
  return phone.asked && Date.now() - phone.asked > PATIENCE ? "phone_silent" : "connecting";
}

// -- letters ------------------------------------------------------------------------------------------------------------

function seal(message) {
  const text = new TextEncoder().encode(JSON.stringify(message));
  let length = LETTER.shortest;
  while (length < text.length) length *= 2;
  const padded = new Uint8Array(Math.max(text.length, Math.min(length, LETTER.longest))).fill(32);
  padded.set(text);
  const nonce = nacl.randomBytes(LETTER.nonce);
  new DataView(nonce.buffer).setUint32(LETTER.nonce - 4, LETTER.fromPage);
  const parts = [phone.kept.id.match(/../g).map((each) => parseInt(each, 16)), phone.own.publicKey, nonce, nacl.box.after(padded, nonce, phone.shared)];
  const letter = new Uint8Array(parts.reduce((sum, { length: more }) => sum + more, 0));
  parts.reduce((start, part) => { letter.set(part, start); return start + part.length; }, 0);
  return letter;
}

/** Returns the message in a letter from the hall; null for anything else. */
function unseal(letter) {
  const [nonce, sealed] = [letter.slice(0, LETTER.nonce), letter.slice(LETTER.nonce)];
  if (nonce.length < LETTER.nonce || new DataView(nonce.buffer).getUint32(LETTER.nonce - 4) !== LETTER.toPage) return null;
  const text = nacl.box.open.after(sealed, nonce, phone.shared);
  return text && JSON.parse(new TextDecoder().decode(text));
}

/** Sends a letter; `purpose` is what its answer is for. */
function post(message, purpose) {
  const mark = ownNumber();
  phone.marks.set(mark, purpose);
  desk.client.publish(sealedTopic("order"), seal({ mark, ...message }), { qos: 1 });
}

/** Sends an order in its turn, once the hall has said which one that is. */
function postOrder(mark, order) {
  if (!phone.epoch || !desk.client.connected) return;  // it is sent once the hall has answered the hello
  phone.sent += 1;
  post({ epoch: phone.epoch, n: phone.sent, order }, { order: mark });
}

/** Says hello to the hall. Until it has answered, the code is shown as well: nobody knows whether it has arrived. */
function sayHello(want) {
  if (!phone.kept || !desk.client || !desk.client.connected) return;
  phone.asked = phone.asked || Date.now();
  phone.claims = Boolean(phone.kept.code) && !phone.claims;
  post(phone.claims ? { code: phone.kept.code } : { want }, { hello: want });
}

function takeLetter(payload) {
  const message = phone.kept && unseal(Uint8Array.from(payload));
  if (!message) return;
  if (message.ended) return forgetSession("session_ended");
  const purpose = phone.marks.get(message.mark);
  if (message.wrong) return purpose && phone.kept.code ? forgetSession("invite_wrong") : undefined;
  if (message.heard !== undefined) {
    if (purpose) takeGreeting(message, purpose);
    return;
  }
  if (message.epoch !== phone.epoch || message.n <= phone.heard) return;
  phone.heard = message.n;
  if (message.state) return takeState(message.state);
  phone.marks.delete(message.mark);
  if (purpose && purpose.order) answer(purpose.order, message.answer);
}

/** Continues with the hall's numbers. What waits is sent again where the hall may not have it: none is carried out twice. */
function takeGreeting({ mark, epoch, said, heard, name }, purpose) {
  const anew = epoch !== phone.epoch;
  phone.marks.delete(mark);
  Object.assign(phone, { epoch, sent: anew ? heard : Math.max(phone.sent, heard), heard: anew ? said : Math.max(phone.heard, said), asked: 0 });
  if (phone.kept.code) {
    const { code, ...kept } = phone.kept;
    keepSession({ ...kept, name });
  }
  if (anew && !purpose.hello) sayHello(true);  // another process of the hall: it may not show this phone the state
  if (anew || purpose.order || purpose.hello) [...desk.waiting.keys()].forEach(send);
  soon();
}

/** Keeps the session: the hall hears that the phone is there, and the page that the hall is. */
function listenAsPhone() {
  if (!PHONE) return;
  at("who").closest("label").hidden = true;
  setInterval(() => { if (phone.kept && !phone.epoch) { sayHello(true); soon(); } }, HELLO.again);
  setInterval(() => sayHello(false), HELLO.every);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) sayHello(true); });
}

/** Returns what Base64 of the kind for addresses stands for. */
const fromBase64 = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt(0));
