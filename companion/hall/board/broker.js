"use strict";

/** Where the broker's websockets are: by the door of the page itself, or so many ports above it. */
function brokerAddress() {
  const apart = Number(document.querySelector("meta[name=websockets]").content);
  const host = apart ? `${location.hostname}:${Number(location.port) + apart}` : location.host;
  return `${location.protocol === "https:" ? "wss" : "ws"}://${host}/mqtt`;
}
