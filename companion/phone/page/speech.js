// What a screen reader is told: politely or at once, each time a new element, and at most one in 300 ms, since screen
// readers drop or interrupt bursts.

const APART = 300;
const KEPT = 5;

const waiting = { log: [], urgent: [] };
const last = [];
const free = { log: 0, urgent: 0 };
/** Texts that are said, and stand elsewhere on the page. */
const unseen = new Set();
/** So long a sentence stays at least, so that a screen reader comes to it; those who read on do not meet it again. */
const LASTS = 4000;

/** Says a text to a screen reader, `now` if it must not wait. It is also the line that everybody sees. */
export function tell(text, now = false) {
  remember(text);
  put(now ? "urgent" : "log", text);
}

/** Says a text that is to be seen elsewhere, such as the heading. */
export function mention(text) {
  put("log", text, true);
}

function put(place, text, aside = false) {
  waiting[place].push({ text, aside });
  const wait = free[place] - performance.now();
  if (waiting[place].length > 1) return;
  setTimeout(flush, Math.max(wait, 20), place);
}

function flush(place) {
  const some = waiting[place].splice(0).filter(({ text }, i, all) => all.findIndex((other) => other.text === text) === i);
  some.sort((one, other) => one.aside - other.aside);
  const region = at(place);
  free[place] = performance.now() + APART;
  for (const { text } of some) if (place === "urgent" && text === at("yours").textContent) unseen.add(text);
  const seen = some.some(({ text, aside }) => !aside && !unseen.has(text));
  if (seen) for (const each of region.children) each.classList.remove("seen");
  region.append(el("p", { class: seen ? "seen" : null, "data-at": performance.now() }, ...some.map(({ text, aside }) =>
    el("span", { class: aside || unseen.has(text) ? "spoken" : null }, ...marked(text), " "))));
  unseen.clear();
  for (const each of [...region.children]) if (performance.now() - each.dataset.at > LASTS) each.remove();
}

function remember(text) {
  last.push(text);
  if (last.length > KEPT) last.shift();
  at("said").hidden = false;
  if (!at("last").hidden) listLast();
}

function listLast() {
  refill(at("last"), ...last.map((text) => el("li", { dir: "auto" }, ...marked(text))));
}

/** Takes away what was said at once: out of date when the player has done something, or after the next move. */
export function calm(lasts = 0) {
  for (const each of [...at("urgent").children]) if (performance.now() - each.dataset.at >= lasts) each.remove();
}

/** After a move, what was said at once before it is out of date. */
export function settle() {
  calm(LASTS);
}

export function forgetSaid() {
  last.length = 0;
  for (const place of ["log", "urgent", "last"]) refill(at(place));
  at("said").hidden = true;
}

/** Splits words so that a screen reader changes its voice for names in Japanese. */
export function marked(text) {
  if (lang === "ja") return [text];
  return text.split(/([\u3040-\u30ff\u3400-\u9fff]+)/).map((part, i) => (i % 2 ? el("span", { lang: "ja" }, part) : part)).filter(Boolean);
}

at("again").addEventListener("click", () => last.length && put("log", last[last.length - 1]));
at("five").addEventListener("click", () => {
  at("last").hidden = !at("last").hidden;
  at("five").setAttribute("aria-expanded", String(!at("last").hidden));
  listLast();
});
