// Augur: the birds on the roof.
"use strict";

brings("augur", {
  texts: { birds: N_("Birds") },
  view: ({ whole }) => ({ birds: whole(0, 21) }),
  centre: (view) => [el("div", { class: "whole" }, part(say("birds"), el("p", { class: "lead" }, figure(view.birds))))],
});
