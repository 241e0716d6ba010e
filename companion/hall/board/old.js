// Says so where a page cannot be drawn: a browser that does not know ES2019 understands none of the other scripts.
// Written in ES3, which every browser reads.
"use strict";

addEventListener("load", function () {
  var page = document.getElementById("page") || document.getElementById("tab");
  var said = ["This browser is too old for this page. Please update it, or use another device.",
    "Dieser Browser ist zu alt für diese Seite. Bitte aktualisieren oder ein anderes Gerät nehmen.",
    "このブラウザーは古いため、このページを表示できません。更新するか、別の端末をお使いください。"];
  var line, at;
  if ([].flat && Object.fromEntries && window.mqtt && window.el && window.hasOwn) return;
  page.textContent = "";
  for (at = 0; at < said.length; at += 1) {
    line = document.createElement("p");
    line.appendChild(document.createTextNode(said[at]));
    page.appendChild(line);
  }
});
