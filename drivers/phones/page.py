"""The answers to requests: a file of the page, or the beginning of a WebSocket. Only the table's own page may ask."""

from __future__ import annotations

import gzip
import socket
from collections.abc import Callable
from functools import lru_cache
from http import HTTPStatus

from websockets.datastructures import MultipleValuesError
from websockets.http11 import Request, Response
from websockets.server import ServerProtocol

SEAT = "/seat"
"""The path of the WebSocket."""
Files = Callable[[str], tuple[bytes, str] | None]
"""Returns the content and the type of a file of the page by its path; None where there is none."""


def answer(protocol: ServerProtocol, request: Request, sock: socket.socket, files: Files) -> Response:
    """Return the answer to a request that came through this socket."""
    host = own_host(sock)
    try:
        own = request.headers.get("Host", "") == host and request.headers.get("Origin") in (None, f"http://{host}")
    except MultipleValuesError:
        own = False
    if not own:  # another page, or a name that leads here (DNS rebinding)
        return protocol.reject(HTTPStatus.FORBIDDEN, "This is not the table's address.\n")
    if request.method != "GET":
        return protocol.reject(HTTPStatus.METHOD_NOT_ALLOWED, "Only GET.\n")
    if request.path == SEAT:
        return protocol.accept(request)
    found = files(request.path.partition("?")[0])
    if found is None:
        return protocol.reject(HTTPStatus.NOT_FOUND, "There is no such file.\n")
    body, kind = found
    response = protocol.reject(HTTPStatus.OK, "")
    encoding = {}
    if any("gzip" in each for each in request.headers.get_all("Accept-Encoding")):
        body, encoding = compressed(body), {"Content-Encoding": "gzip"}
    response.body = body
    for name, value in {
        **encoding,
        "Vary": "Accept-Encoding",
        "Content-Length": str(len(body)),
        "Content-Type": kind,
        "Cache-Control": "no-cache",
        "Content-Security-Policy": f"default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline';"
        f" img-src 'self' data:; media-src 'self' data:; connect-src 'self' ws://{host}; base-uri 'none';"
        f" form-action 'none'; frame-ancestors 'none'",
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
    }.items():
        if name in response.headers:
            del response.headers[name]
        response.headers[name] = value
    return response


@lru_cache(maxsize=64)
def compressed(body: bytes) -> bytes:
    """Return a file as it is sent. Nothing in it is secret, so its length tells nothing."""
    return gzip.compress(body, mtime=0)


def own_host(sock: socket.socket) -> str:
    """Return what a browser calls the address that this connection came to."""
    address, port = sock.getsockname()[:2]
    return f"{address}:{port}"
