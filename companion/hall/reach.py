"""The reasons why a broker is not reached, each with its own code: the doctor knows what to do about each."""

from __future__ import annotations

import errno
import socket
import ssl
from contextlib import suppress

from companion.rules.message import Message, reason

NEW = Message("not connected yet", code="new")
LOST = Message("the connection was lost", code="lost")

EARLY, EXPIRED, HOSTS = 9, 10, (62, 64)
"""What OpenSSL says of a certificate (openssl-verification-options): by time, and by the name or address."""


def unreached(error: BaseException | None, host: str, port: int, encrypted: bool) -> Message:
    """Return why no connection came about, from what the attempt has raised."""
    at = {"host": host, "port": port}
    match error:
        case socket.gaierror():
            return Message("No computer called {host} is known here", code="unknown", **at)
        case ConnectionRefusedError():
            return Message("{host} is there, but nothing answers at port {port}", code="closed", **at)
        case PermissionError():
            return Message("This computer may not reach {host}", code="forbidden", address=address(host), **at)
        case ssl.SSLCertVerificationError():
            return _certificate(error, host)
        case ssl.SSLError() | ConnectionResetError() if encrypted:
            return Message("{host} does not talk encrypted at port {port}", code="plain", **at)
        case TimeoutError() | OSError(errno=errno.EHOSTUNREACH | errno.ENETUNREACH | errno.ETIMEDOUT):
            return Message("{host} ({address}) does not answer", code="silent", address=address(host), **at)
    return Message("{host} is not reached: {why}", code="other", why=reason(error) if error else "", **at)


def _certificate(error: ssl.SSLCertVerificationError, host: str) -> Message:
    if error.verify_code == EARLY:
        return Message("The certificate of {host} is not valid yet, by this computer's clock", code="early", host=host)
    if error.verify_code == EXPIRED:
        return Message("The certificate of {host} has expired", code="expired", host=host)
    if error.verify_code in HOSTS:
        return Message("The certificate is not one for {host}", code="host", host=host)
    return Message("{host} shows another certificate than the hall has given out", code="certificate", host=host)


def hung_up(host: str, port: int) -> Message:
    """Return the message for a broker that ends the connection before it has let anybody in."""
    return Message("{host} hangs up at port {port} at once", code="hung_up", host=host, port=port)


def refused(host: str, user: str | None, why: str) -> Message:
    """Return why a broker that has answered lets nobody in; `why` is its own reason."""
    if "uthor" in why or "password" in why:
        return Message("{host} does not take {user} with this password", code="password", host=host, user=user or "–")
    return Message("{host} refuses: {why}", code="other", host=host, why=why)


def address(host: str) -> str:
    """Return the first address of a computer, "" where it has none. It may take seconds."""
    with suppress(OSError):
        return str(socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)[0][4][0])
    return ""
