// Augur: the birds on the roof.
"use strict";

brings("augur", {
  title: ["Augur", "Augur", "アウグル"],
  texts: { en: { birds: "Birds" }, de: { birds: "Vögel" }, ja: { birds: "鳥" } },
  view: ({ whole }) => ({ birds: whole(0, 21) }),
  centre: (view) => [el("div", { class: "whole" }, part(say("birds"), el("p", { class: "lead" }, figure(view.birds))))],
});
