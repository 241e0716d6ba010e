// What only this player may see is covered until it is asked for: shown while the button is held, or from one tap to
// the next, as a screen reader can do no other. Hidden pages cover themselves.

const HOLD = 350;

const state = { held: 0, pinned: false, since: 0, skip: false };

export function isShown() {
  return state.pinned || state.held !== 0;
}

/** Covers everything again. */
export function cover() {
  Object.assign(state, { held: 0, pinned: false });
}

/** Listens to the button; `changed` draws anew. */
export function listenToCover(changed) {
  const button = at("show");
  button.addEventListener("pointerdown", (event) => {
    Object.assign(state, { held: event.pointerId + 1, since: event.timeStamp, skip: false });
    button.setPointerCapture(event.pointerId);
    changed();
  });
  const lifted = (event) => {
    if (state.held !== event.pointerId + 1) return;
    state.skip = event.timeStamp - state.since > HOLD;
    if (state.skip) state.pinned = false;
    state.held = 0;
    changed();
  };
  for (const kind of ["pointerup", "pointercancel", "lostpointercapture"]) button.addEventListener(kind, lifted);
  button.addEventListener("click", () => {
    if (!state.skip) state.pinned = !state.pinned;
    state.skip = false;
    changed();
  });
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  const hide = () => {
    const focused = document.activeElement;
    cover();
    changed();
    if (focused && !focused.isConnected && !button.hidden) button.focus();
  };
  document.addEventListener("visibilitychange", () => document.hidden && hide());
  addEventListener("pagehide", hide);
}
