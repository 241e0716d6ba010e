// The connection to the table: it comes back by itself, answers the table's clock at once, and keeps the seat's token.

const FIRST_WAIT = 250;
const LONGEST_WAIT = 2000;
/** The table's clock comes every five seconds: a silent connection is a dead one. */
const SILENCE = 12000;
const UNREACHABLE = 10000;
const BLIP = 600;

const state = { socket: null, wait: FIRST_WAIT, heard: 0, lost: performance.now(), open: false, timer: 0 };

/** Returns the token of the address, which is taken out of it, else the one that is kept; "" for none. */
function token() {
  const given = location.hash.slice(1);
  if (given) {
    memory.set("token", given);
    history.replaceState(null, "", location.pathname);
  }
  return memory.get("token") || "";
}

export function keepToken(given) {
  memory.set("token", given);
}

/** Sends a message; without a connection it is lost, and so it should be: the game may have moved. */
export function send(message) {
  if (!state.open) return false;
  state.socket.send(JSON.stringify(message));
  return true;
}

/** Connects, and from then on tells `heard` every message and `changed` the state: open, lost or unreachable. */
export function connect(heard, changed) {
  function tell() {
    const gone = performance.now() - state.lost;
    changed(state.open ? "open" : gone > UNREACHABLE ? "unreachable" : gone > BLIP ? "lost" : "open");
  }

  function open() {
    clearTimeout(state.timer);
    const socket = new WebSocket(`ws://${location.host}/seat`);
    state.socket = socket;
    state.heard = performance.now();
    socket.onopen = () => {
      if (state.socket !== socket) return;
      state.open = true;
      send({ hello: 1, token: token(), lang: memory.get("lang") || navigator.language.slice(0, 2) });
      tell();
    };
    socket.onmessage = ({ data }) => {
      if (state.socket !== socket) return;
      const message = JSON.parse(data);
      state.heard = performance.now();
      state.wait = FIRST_WAIT;
      if ("clock" in message) send({ clock: [message.clock, performance.now()] });
      else heard(message);
    };
    socket.onclose = () => state.socket === socket && closed();
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
    state.wait = FIRST_WAIT;
    if (state.socket) drop();
    open();
  }

  setInterval(() => {
    if (state.socket && performance.now() - state.heard > SILENCE) drop();
    tell();
  }, 500);
  document.addEventListener("visibilitychange", () => { if (!document.hidden && !state.socket) anew(); });
  addEventListener("hashchange", () => { if (location.hash.length > 1) anew(); });
  open();
}
