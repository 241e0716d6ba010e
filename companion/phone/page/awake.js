// Keeps the screen on where the browser lets a page do so: by a video without sound that plays after the first touch, as
// a page without HTTPS has no wake lock. Once, a player is told to set the phone itself.

/** Begins with the first touch; `hint` says that the phone should not lock itself. */
export function stayAwake(hint) {
  addEventListener("click", () => {
    play();
    if (!memory.get("hinted")) {
      memory.set("hinted", "yes");
      hint();
    }
  }, { once: true });
}

function play() {
  const canvas = document.createElement("canvas");
  if (!canvas.captureStream) return;
  canvas.getContext("2d").fillRect(0, 0, 1, 1);
  const video = document.createElement("video");
  Object.assign(video, { muted: true, loop: true, playsInline: true, srcObject: canvas.captureStream(1) });
  video.play().catch(() => { /* the browser does not want it */ });
  document.addEventListener("visibilitychange", () => { if (!document.hidden) video.play().catch(() => {}); });
}
