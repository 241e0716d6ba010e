// Where the page is: the tab, the opened table, a dialog. Back and Esc lead out again, and a reload stays there.
"use strict";

const HOME = { tab: "hall", table: null, round: 0 };
const way = { leaving: false, queued: [] };

const here = () => ({ tab: shown.tab, table: shown.table, round: shown.round });

/** Goes to another tab or table. Looking at one table after the other is one step back. */
function go(change) {
  const replaces = Boolean(change.table && shown.table && (change.tab || shown.tab) === shown.tab);
  Object.assign(shown, { tab: change.tab || shown.tab, table: null }, change);
  step(() => history[replaces ? "replaceState" : "pushState"](here(), ""));
  soon(true);
}

/** Changes the history now, or once the browser has come back from a dialog that was just closed. */
function step(change) {
  if (way.leaving) way.queued.push(change);
  else change();
}

function enterDialog() {
  step(() => { if (at("dialog").open && !(history.state || {}).dialog) history.pushState({ ...here(), dialog: true }, ""); });
}

function leaveDialog() {
  if (way.leaving || !(history.state || {}).dialog) return;
  way.leaving = true;
  history.back();
}

/** Does this once a dialog that was just closed has left the history: the browser says later that it is closed. */
function afterDialog(act) {
  if (way.leaving || !(history.state || {}).dialog) step(act);
  else setTimeout(() => afterDialog(act), 20);
}

function listenToWay() {
  Object.assign(shown, HOME, history.state && TABS.includes(history.state.tab) ? history.state : {});
  addEventListener("popstate", (event) => {
    if (way.leaving) {
      way.leaving = false;
      way.queued.splice(0).forEach((change) => change());
      return;
    }
    if (at("dialog").open && !(event.state || {}).dialog) at("dialog").close("back");
    const to = { ...HOME, ...(event.state || {}) };
    Object.assign(shown, { tab: to.tab, table: to.table, round: to.round });
    soon(true);
  });
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || at("dialog").open) return;
    if (plan.chosen !== null) { plan.chosen = null; soon(true); } else if (shown.table) closeTable();
  });
}

/** Closes the opened table, and returns the focus to its tile. */
function closeTable() {
  const table = shown.table;
  go({ table: null });
  const tile = document.querySelector(`.hall-tile[data-key="${CSS.escape(table)}"]`);
  if (tile) tile.focus();
}
