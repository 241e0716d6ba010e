// Redraws only what has changed: an element stays the same as long as its key and kind do, with its focus and its value.
"use strict";

const HEARD = ["click", "input", "change", "dragstart", "dragend", "dragover", "drop"];

/** The handlers of elements. One listener for all calls them, so that an element that stays gets the newest ones. */
const handlers = new WeakMap();

/** Gives an element its handlers by event, and returns it. */
function on(element, its) {
  handlers.set(element, its);
  return element;
}

function listenToElements() {
  for (const kind of HEARD) {
    document.addEventListener(kind, (event) => {
      for (let at = event.target; at && at !== document; at = at.parentNode) {
        const its = handlers.get(at);
        if (its && its[kind] && !at.disabled) return its[kind](event);
      }
      return undefined;
    });
  }
}

const keyOf = (node) => (node.dataset && node.dataset.key) || "";
const alike = (one, other) => one.nodeName === other.nodeName && keyOf(one) === keyOf(other) && one.id === other.id;

/** Puts these children into an element. What was there and is wanted again is kept, and changed where it differs. */
function redraw(parent, ...children) {
  const wanted = children.flat(5).filter((each) => each !== null && each !== undefined && each !== false)
    .map((each) => (each.nodeType ? each : document.createTextNode(each)));
  const keyed = new Map([...parent.childNodes].filter(keyOf).map((each) => [keyOf(each), each]));
  let at = parent.firstChild;
  for (const made of wanted) {
    const key = keyOf(made);
    const found = key ? keyed.get(key) : at;
    if (!found || !alike(found, made)) { parent.insertBefore(made, at); continue; }
    if (found === at) at = at.nextSibling;
    else parent.insertBefore(found, at);
    update(found, made);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

/** What the user has opened stays open. */
const KEPT = ["open"];

function update(old, made) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.nodeValue !== made.nodeValue) old.nodeValue = made.nodeValue;
    return;
  }
  for (const { name } of [...old.attributes]) if (!made.hasAttribute(name) && !KEPT.includes(name)) old.removeAttribute(name);
  for (const { name, value } of made.attributes) if (old.getAttribute(name) !== value && !KEPT.includes(name)) old.setAttribute(name, value);
  if (handlers.has(made)) handlers.set(old, handlers.get(made));
  else handlers.delete(old);
  if (old.nodeName !== "TEXTAREA") redraw(old, ...made.childNodes);
}
