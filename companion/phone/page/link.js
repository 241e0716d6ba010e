// The connection to the table: it comes back by itself, answers the table's clock at once, and keeps the seat's token and
// the table's key.

import { sealed } from "./sealing.js";

/** The table's version of what is sent: with another one, it has another page too. */
const VERSION = 1;
const FIRST_WAIT = 250;
const LONGEST_WAIT = 2000;
/** The table's clock comes every five seconds: a silent connection is a dead one. */
const SILENCE = 12000;
const UNREACHABLE = 10000;
const BLIP = 600;

const state = { socket: null, seal: null, wait: FIRST_WAIT, heard: 0, lost: performance.now(), open: false, paused: false, timer: 0, invitation: "" };

/**
 * Takes the picture's token and the table's key out of the address. With a token of the same table this phone may have a
 * seat there: that token is kept, and the picture's is sent beside it.
 */
function takeAddress() {
  const [token, key] = location.hash.slice(1).split(".");
  if (!token) return;
  if (memory.get("token") && memory.get("table_key") === key) state.invitation = token;
  else keepToken(token);
  memory.set("table_key", key || "");
  history.replaceState(null, "", location.pathname);
}

/** The table has let this phone in: if by the picture, its token is the one to keep. */
export function letIn() {
  if (state.invitation) keepToken(state.invitation);
}

/** Keeps the table's key. A token is for one table: where another key is kept, it is forgotten and not sent. */
function keepKey(key) {
  const kept = memory.get("table_key");
  if (kept && kept !== key) keepToken("");
  memory.set("table_key", key);
}

export function keepToken(given) {
  state.invitation = "";
  memory.set("token", given);
}

/** Sends a message; without a connection it is lost, and so it should be: the game may have moved. */
export function send(message) {
  if (!state.open) return false;
  state.socket.send(state.seal.seal(message));
  return true;
}

/** Ends the connection, which does not come back by itself. */
export function pause() {
  const { socket } = state;
  Object.assign(state, { socket: null, open: false, paused: true });
  socket.close();
}

/**
 * Connects, and from then on tells `heard` every message and `changed` the state: open, lost or unreachable. Returns what
 * connects anew.
 */
export function connect(heard, changed) {
  function tell() {
    const gone = performance.now() - state.lost;
    changed(state.open || state.paused ? "open" : gone > UNREACHABLE ? "unreachable" : gone > BLIP ? "lost" : "open");
  }

  function open() {
    clearTimeout(state.timer);
    const socket = new WebSocket(`ws://${location.host}/seat`);
    socket.binaryType = "arraybuffer";
    Object.assign(state, { socket, seal: null, heard: performance.now() });
    socket.onmessage = ({ data }) => {
      if (state.socket !== socket) return;
      if (!state.seal) {
        greet(JSON.parse(data));
        return;
      }
      const message = typeof data === "string" ? null : state.seal.open(data);
      if (!message) {
        drop();
        return;
      }
      state.heard = performance.now();
      state.wait = FIRST_WAIT;
      if ("clock" in message) send({ clock: [message.clock, performance.now()] });
      else heard(message);
    };
    socket.onclose = () => state.socket === socket && closed();
  }

  function greet({ version, key, salt }) {
    if (version !== VERSION) {
      location.reload();
      return;
    }
    takeAddress();
    keepKey(key);
    state.seal = sealed(key, salt);
    state.open = true;
    const invitation = state.invitation || undefined;
    send({ hello: 1, token: memory.get("token") || "", invitation, lang: memory.get("lang") || navigator.language.slice(0, 2) });
    tell();
  }

  function closed() {
    if (state.open) state.lost = performance.now();
    state.open = false;
    state.socket = null;
    state.timer = setTimeout(open, state.wait);
    state.wait = Math.min(state.wait * 2, LONGEST_WAIT);
    changed("closed");
    tell();
  }

  function drop() {
    const { socket } = state;
    if (!socket) return;
    socket.onclose = null;
    socket.close();
    closed();
  }

  function anew() {
    Object.assign(state, { wait: FIRST_WAIT, lost: performance.now(), paused: false });
    if (state.socket) drop();
    open();
  }

  setInterval(() => {
    if (state.socket && performance.now() - state.heard > SILENCE) drop();
    tell();
  }, 500);
  document.addEventListener("visibilitychange", () => { if (!document.hidden && !state.socket && !state.paused) anew(); });
  addEventListener("hashchange", () => { if (location.hash.length > 1) anew(); });
  open();
  return anew;
}
