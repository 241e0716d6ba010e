// What players ask from their phones. A request only asks: each is confirmed by an ordinary order, or declined.
"use strict";

/** Draws the requests, each with its buttons, and those for all of them. */
function requestsNow() {
  const { requests, taking } = desk.state;
  if (!taking) return el("p", { class: "row requests", "data-key": "requests" }, el("span", { class: "muted" }, say("requests_off")), button(say("requests_start"), () => give({ do: "requests", start: true })));
  if (!requests.length) return null;
  return el("div", { class: "requests", "data-key": "requests" },
    el("h3", {}, say("requests"), el("span", { class: "badge" }, figure(requests.length))),
    requests.length > 1 ? el("p", { class: "row" }, button(say("confirm_all"), () => confirmRequests(requests), "main"), button(say("decline_all"), () => give({ do: "decline", names: requests.map(({ id }) => id) })), button(say("requests_stop"), () => give({ do: "decline", names: [], stop: true }))) : null,
    el("ul", { class: "needs calm" }, ...requests.slice(0, shownNeeds()).map(requestLine)),
    requests.length > shownNeeds() ? el("details", { "data-key": "more-requests" }, el("summary", {}, say("more_needs", { count: figure(requests.length - shownNeeds()) })),
      el("ul", { class: "needs calm" }, ...requests.slice(shownNeeds()).map(requestLine))) : null);
}

const requestLine = (each) => el("li", { "data-key": each.id },
  el("span", { class: "since", title: say("since_label") }, timeOfDay(each.at)),
  each.player === null ? el("span", { dir: "auto" }, requestText(each)) : opening(requestText(each), { player: each.player }),
  el("span", { class: "row" }, button(say("request_confirm"), () => confirmRequests([each])), button(say("request_decline"), () => give({ do: "decline", names: [each.id] }))));

const requestText = ({ do: what, player, name }) => say(`request_${what}`, { name: isolated(player === null ? name : plainName(player)) });

/** Shows what confirming these requests would change: first who comes, then who leaves. */
function confirmRequests(requests) {
  const comes = requests.filter((each) => each.do !== "leave");
  const goes = requests.filter((each) => each.do === "leave").map(({ player }) => `#${player}`);
  const leave = goes.length ? () => propose(say("confirm_leave"), { do: "leave", names: goes }) : null;
  if (!comes.length) return leave();
  const then = leave && (() => { afterDialog(leave); return null; });
  return propose(say("confirm_join"), { do: "join", names: comes.map(({ player, name }) => (player === null ? name : `#${player}`)) }, { also: then });
}
