// Phones with this page: a code for another one, and the list of those that are connected.
"use strict";

FORMS.invite = () => ({
  title: say("invite"),
  go: say("invite_go"),
  fields: [{ name: "phone", label: "phone_name", most: 40 }],
  async order({ phone: name }) {
    const found = await ask({ do: "invite", name });
    if (!found.ok) { openForm("invite", {}, found.said); return null; }
    desk.invited = found.invite.id;
    dialog(say("invite").replace(/ ?…$/, ""), lines(found.said), qr(found.invite), el("p", { class: "row" }, button(say("close"), close, "main")));
    return null;
  },
});

/** Closes the code once its phone is connected. */
function noticeInvited() {
  const found = desk.invited && desk.state.sessions.find(({ id }) => id === desk.invited);
  if (!found) return;
  desk.invited = "";
  if (at("dialog").open && at("dialog").querySelector(".code")) close();
  note([say("phone_connected", { name: isolated(found.name) })]);
}

/** Draws the phones that are connected, each with the button that ends its session. */
function phonesPanel() {
  const { sessions, refused } = desk.state;
  return [
    el("h3", {}, say("phones")),
    el("p", { class: "row" }, button(say("invite"), () => openForm("invite"))),
    sessions.length ? el("ul", { class: "phones" }, ...sessions.map(({ id, name, since, here: present }) => {
      const own = PHONE && phone.kept && phone.kept.id === id;
      return el("li", { "data-key": id }, el("bdi", {}, name),
        el("span", { class: "muted" }, ` ${say(own ? "phone_own" : present ? "phone_here" : "phone_away", { time: hour(since) })} `),
        button(say("disconnect"), () => endSession(id, name)));
    })) : el("p", { class: "muted" }, say("no_phones")),
    refused ? el("p", { class: "muted" }, say("phones_refused", { count: figure(refused) })) : null,
  ].filter(Boolean);
}

const endSession = (id, name) => dialog(say("disconnect_title", { name: isolated(name) }), el("p", {}, say("disconnect_text")),
  el("p", { class: "row" }, button(say("disconnect"), () => { close(); give({ do: "disconnect", name: id }); }, "main"), button(say("cancel"), close)));
