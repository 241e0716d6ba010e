// The devices: which table each is on, which are spares, and what is wrong with one.
"use strict";

const KINDS_OF_DEVICES = ["table", "spare", "replaced"];

/** Returns the devices that can take over a table, spares and connected ones first. */
function sparesNow() {
  const used = new Set(desk.state.rounds.filter(({ withdrawn, round }) => withdrawn === null && round >= desk.state.round).flatMap(({ tables }) => tables.map(deviceOf)));
  const free = desk.state.devices.filter(({ device, kind }) => kind !== "replaced" && !used.has(device) && !desk.state.devices.some((each) => each.kind === "table" && each.device === device && each.table !== device));
  const rank = ({ kind, here: present }) => (kind === "spare" ? 0 : 1) + (present ? 0 : 2);
  return free.sort((one, other) => rank(one) - rank(other) || byName(one.device, other.device));
}

FORMS.spare = ({ table, round }) => {
  const free = sparesNow();
  const named = ({ device, kind, here: present }) => [device, kind === "spare" ? say("device_spare") : "", present ? "" : say("away")].filter(Boolean).join(" · ");
  return {
    title: say("spare_title", { table: tableLabel(table) }),
    fields: [
      { name: "to", label: "spare_to", list: free.length ? free.map((each) => [each.device, named(each)]) : [["", say("names_none")]] },
      { name: "other", label: "spare_other", most: 32 }, REASON,
    ],
    order: ({ to, other, reason }) => ({ do: "spare", table, round, to: other || to, reason }),
  };
};

FORMS.again = ({ device }) => ({
  title: say("device_again_title", { table: tableLabel(device), device: isolated(device) }),
  fields: [REASON],
  order: ({ reason }) => ({ do: "spare", table: device, to: device, reason }),
});

/** Returns what a device is used as: its table, which leads there, or as a spare. */
function usedAs({ device, table, kind }) {
  if (kind === "table") return button(tableLabel(table), () => go({ tab: "hall", table }), "plain");
  const other = kind === "replaced" && desk.state.devices.find((each) => each.table === device);
  return kind === "spare" ? say("device_spare") : say("device_replaced", { device: isolated(other ? other.device : "–") });
}

function deviceActs({ device, table, kind }) {
  const reserve = (off) => propose(`${say(off ? "device_seat" : "device_keep")}: ${isolated(device)}`, { do: "reserve", devices: [device], off });
  if (kind === "spare") return [button(say("device_seat"), () => reserve(true))];
  if (kind === "replaced") return [button(say("device_again"), () => openForm("again", { device }))];
  const seatedHere = desk.state.rounds.some(({ tables }) => tables.some((each) => deviceOf(each) === device && isOpen(each)));
  return [button(say("spare"), () => openForm("spare", { table, round: null })), seatedHere || table !== device ? null : button(say("device_keep"), () => reserve(false))];
}

function devicesPanel() {
  const { devices } = desk.state;
  if (!devices.length) return [el("p", { class: "empty" }, say("no_devices"))];
  const order = ({ kind }) => KINDS_OF_DEVICES.indexOf(kind);
  const all = [...devices].sort((one, other) => order(one) - order(other) || byName(one.table || one.device, other.table || other.device));
  const label = (key, ...inside) => el("td", { "data-label": say(key) }, ...inside);
  const warnings = (each) => el("tr", { "data-key": `${each.device}/warnings`, class: "device-warnings" },
    el("td", { colspan: 6 }, el("ul", {}, ...each.warnings.map((text) => el("li", { dir: "auto" }, text)))));
  const row = (each) => el("tr", { "data-key": each.device, class: each.here ? null : "gone" },
    el("th", { scope: "row", dir: "auto" }, each.device),
    label("device_at", usedAs(each)),
    label("device_state", each.here ? say("device_well") : say("away")),
    label("device_version", el("bdi", {}, each.version || "–")),
    label("device_heard", each.heard ? timeOfDay(each.heard) : "–"),
    el("td", { class: "acts" }, ...deviceActs(each)));
  const heads = ["device", "device_at", "device_state", "device_version", "device_heard"];
  return [
    el("p", { class: "muted" }, say("devices_help")),
    el("table", { class: "people devices", "data-key": "devices" },
      el("thead", {}, el("tr", {}, ...heads.map((key) => el("th", { scope: "col" }, say(key))), el("td", {}))),
      el("tbody", {}, ...all.flatMap((each) => (each.warnings.length ? [row(each), warnings(each)] : [row(each)])))),
  ];
}
