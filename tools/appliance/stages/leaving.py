"""Switching off and restarting by finger, and taking the installation back."""

from __future__ import annotations

from tools.appliance.bench import PATIENCE, SERVICE, STORE, Bench
from tools.appliance.machine import Silent

PROMPT = "getty@tty1.service"


def switched_off(bench: Bench) -> None:
    """By finger: first a restart, then off. Neither needs a password, and both need a confirmation."""
    with bench.started("off") as table:
        before = table.pi.shell("cat /proc/sys/kernel/random/boot_id")
        table.open("Menu", "Switch off", "Restart")
        table.pi.wait_for(f"test $(cat /proc/sys/kernel/random/boot_id) != {before.strip()}", 300)
        table.wait_started()
        table.see("New game", what="restarted")
        bench.report.check("restarted by finger, and the table is back", True)
        table.open("Menu", "Switch off")
        table.see("Restart")
        table.touch("Switch off")
        table.pi.wait_off()
        bench.report.check("switched off by finger", True)


def stopped(bench: Bench) -> None:
    """Stopped in a terminal, the first one shows its login prompt; started again, the table is there. Also by restart."""
    with bench.started("stopped") as table:
        table.pi.shell(f"systemctl stop {SERVICE}")
        table.see("login", what="login")
        bench.report.check("stopped, the screen shows a login prompt", True)
        for order in ("start", "restart"):
            table.pi.shell(f"systemctl {order} {SERVICE}", PATIENCE)
            table.see("New game", what=order)
            prompt = table.pi.succeeds(f"systemctl is-active -q {PROMPT}")
            bench.report.check(f"after {order} the table has the screen to itself", not prompt)


def uninstalled(bench: Bench) -> None:
    """Nothing of the program is left, the login prompt is back, and the games stay."""
    with bench.started("uninstall") as table:
        said = table.pi.shell("/opt/tabularium/current/install --uninstall", 600)
        bench.report.check("it uninstalls", "is uninstalled" in said, said)
        bench.report.check("the games are there", table.pi.succeeds(f"test -s {STORE}"))
        bench.report.check("the program is not", not table.pi.succeeds("test -e /opt/tabularium"))
        bench.report.check("the service is not", not table.property("FragmentPath"))
        try:
            table.see("login", what="login")
            bench.report.check("the login prompt is on the screen", True)
        except Silent as silent:
            bench.report.check("the login prompt is on the screen", False, str(silent))
