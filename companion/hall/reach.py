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
            return Message("No computer called {host} was found", code="unknown", **at)
        case ConnectionRefusedError():
            return Message("{host} is there, but nothing answers on port {port}", code="closed", **at)
        case PermissionError():
            return Message(
                "This computer is not allowed to reach {host}", code="forbidden", address=address(host), **at
            )
        case ssl.SSLCertVerificationError():
            return _certificate(error, host)
        case ssl.SSLError() | ConnectionResetError() if encrypted:
            return Message("{host} does not use encryption on port {port}", code="plain", **at)
        case TimeoutError() | OSError(errno=errno.EHOSTUNREACH | errno.ENETUNREACH | errno.ETIMEDOUT):
            return Message("{host} ({address}) does not answer", code="silent", address=address(host), **at)
    return Message("{host} cannot be reached: {why}", code="other", why=reason(error) if error else "", **at)


def _certificate(error: ssl.SSLCertVerificationError, host: str) -> Message:
    if error.verify_code == EARLY:
        return Message("The certificate of {host} is not valid yet, by this computer's clock", code="early", host=host)
    if error.verify_code == EXPIRED:
        return Message("The certificate of {host} has expired", code="expired", host=host)
    if error.verify_code in HOSTS:
        return Message("The certificate is not valid for {host}", code="host", host=host)
    return Message("{host} shows a different certificate than the hall gave out", code="certificate", host=host)


def hung_up(host: str, port: int) -> Message:
    """Return the message for a broker that ends the connection before it has let anybody in."""
    return Message("{host} closes connections on port {port} at once", code="hung_up", host=host, port=port)


def refused(host: str, user: str | None, why: str) -> Message:
    """Return why a broker that has answered lets nobody in; `why` is its own reason."""
    if "uthor" in why or "password" in why:
        if user is None:
            return Message("{host} asks for a name and a password", code="password", host=host)
        return Message("{host} rejects {user} with this password", code="password", host=host, user=user)
    return Message("{host} refuses: {why}", code="other", host=host, why=why)


def address(host: str) -> str:
    """Return the first address of a computer, "" where it has none. It may take seconds."""
    with suppress(OSError):
        return str(socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)[0][4][0])
    return ""
