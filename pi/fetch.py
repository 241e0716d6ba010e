"""Fetches one file of a release from the network onto standard output: `python -m pi.fetch URL`.

It runs as the table's user, and is ended when it takes too long. An address can answer anything and redirect anywhere,
so nothing of it reaches root but bytes that are compared with a signature. Exit status 3 where there is no such file, 1
where it cannot be read; the last line on standard error says why.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from http.client import HTTPException, HTTPMessage
from ipaddress import ip_address
from socket import getaddrinfo
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    Request,
)

SILENCE = 30.0
"""Seconds until a silent address is given up."""
SCHEMES = ("http", "https")
MISSING = 3


class Refuse(Exception):  # noqa: N818 - it is what happened
    """The answer is not a file of a release."""


class _Onward(HTTPRedirectHandler):
    """A handler that follows five redirects, on the network alone.

    It never follows one from an encrypted connection to an unencrypted one, nor from the internet to a device in the
    local network.
    """

    max_redirections = 5
    max_repeats = 2

    def redirect_request(  # noqa: PLR0917 - urllib calls it so
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        here, there = urlsplit(req.full_url), urlsplit(newurl)
        inwards = there.hostname != here.hostname and _inside(there.hostname or "") and not _inside(here.hostname or "")
        if there.scheme not in SCHEMES[here.scheme == "https" :] or inwards:
            raise Refuse(f"it redirects to {newurl[:100]}")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _inside(host: str) -> bool:
    """Return whether a name leads to an address that is not public. Raises OSError."""
    found = {str(of[4][0]).partition("%")[0] for of in getaddrinfo(host, None)}
    return any(not ip_address(address).is_global for address in found)


def opener() -> OpenerDirector:
    """Return an opener for HTTP alone.

    The usual opener knows files and FTP as well, to which an answer could redirect.
    """
    made = OpenerDirector()
    for handler in (ProxyHandler, HTTPHandler, HTTPSHandler, _Onward, HTTPErrorProcessor, HTTPDefaultErrorHandler):
        made.add_handler(handler())
    return made


def fetch(url: str, out: IO[bytes]) -> None:
    """Copy the file at an address to `out`. Raises HTTPError, Refuse, and the errors of the network."""
    if urlsplit(url).scheme not in SCHEMES:
        raise Refuse("it is not a network address")
    found: Any = opener().open(url, timeout=SILENCE)
    if found is None or found.status != 200:
        raise Refuse(f"the server answers {getattr(found, 'status', 'nothing')} {getattr(found, 'reason', '')}".strip())
    if found.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise Refuse("the server compresses the answer although not asked to")
    while part := found.read1(1 << 16):
        out.write(part)
        out.flush()
    if found.length:
        raise Refuse("the answer ends too early")


def main(words: Sequence[str] | None = None) -> int:
    (url,) = sys.argv[1:] if words is None else words
    try:
        fetch(url, sys.stdout.buffer)
    except HTTPError as error:
        why = f"the server answers {error.code} {error.reason}"
        print(why, file=sys.stderr)
        return MISSING if error.code in (404, 410) else 1
    except URLError as error:
        print(getattr(error.reason, "strerror", None) or error.reason, file=sys.stderr)
    except (Refuse, OSError) as error:
        print(getattr(error, "strerror", None) or error, file=sys.stderr)
    except (HTTPException, ValueError, RecursionError) as error:
        print(f"the server's answer makes no sense ({type(error).__name__})", file=sys.stderr)
    else:
        return 0
    return 1


if __name__ == "__main__":
    sys.exit(main())
