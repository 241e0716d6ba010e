"""A connection to the broker that reconnects by itself. paho's thread does the I/O; no caller waits for it."""

from __future__ import annotations

import ssl
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from socket import socket
from threading import Event
from typing import Any

from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from companion.hall.reach import LOST, NEW, hung_up, refused, unreached

KEEPALIVE_S = 10
"""Both ends notice a pulled cable after one and a half of these."""
LONGEST_PAUSE_S = 5
"""The longest backoff until the next try."""
CLOSE_S = 1.0


@dataclass(frozen=True, slots=True)
class Broker:
    """The broker's address, and its user; `tls` is the certificate it is known by, None for a plain connection."""

    host: str
    port: int
    user: str | None = None
    password: str | None = None
    tls: Path | None = None
    web: bool = False
    """Connect by websockets, as browsers do."""


@dataclass(frozen=True, slots=True)
class Post:
    """A message from the broker; it is `retained` if the broker had kept it."""

    topic: str
    payload: bytes
    retained: bool
    answer_to: str | None = None
    """The topic for the answer to a request."""
    marked: bytes = b""
    """The correlation data to be repeated in the answer."""


Came = Callable[[Post], object]


class BrokerLink:
    """A link to the broker that subscribes again after each reconnection.

    `changed` and `came` are called on paho's thread and must not wait long. `connected` is true once the broker has
    confirmed the subscriptions; `connections` counts how often it came back; `fault` says why there is no connection,
    "" while there is one. Raises OSError and ssl.SSLError for a certificate that cannot be read.
    """

    def __init__(
        self,
        broker: Broker,
        *,
        subscribed: Sequence[str],
        came: Came,
        changed: Callable[[], object] = lambda: None,
        will: tuple[str, bytes] | None = None,
        asked: bool = False,
        at_once: int | None = None,
    ) -> None:
        """Prepare the client without connecting; `asked` makes posts say where a request awaits its answer.

        `at_once` is how many messages the broker may send before the first of them has been taken: it keeps so many, of
        any size, beside its queue. None leaves it to the broker's configuration.
        """
        self.connected = False
        self.connections = 0
        self.fault: str = NEW
        self.address = ""
        """The broker's address, once it has been reached, or if it does not answer."""
        self._subscribed, self._came, self._changed = list(subscribed), came, changed
        self._broker, self._refused = broker, False
        self._gone = Event()
        self._said = self._acknowledged = 0
        client = self._client = Client(
            CallbackAPIVersion.VERSION2,
            protocol=MQTTProtocolVersion.MQTTv5 if asked or at_once else MQTTProtocolVersion.MQTTv311,
            transport="websockets" if broker.web else "tcp",
        )
        if broker.web:
            client.ws_set_options(path="/mqtt")
        if broker.user:
            client.username_pw_set(broker.user, broker.password)
        if broker.tls:
            client.tls_set(str(broker.tls), tls_version=ssl.PROTOCOL_TLS_CLIENT)
        if will:
            client.will_set(will[0], will[1], qos=1, retain=True)
        client.reconnect_delay_set(1, LONGEST_PAUSE_S)
        client.on_connect, client.on_disconnect = self._on_connect, self._on_disconnect
        client.on_connect_fail = self._on_connect_fail
        client.on_message, client.on_publish = self._on_message, self._on_publish
        client.on_subscribe = self._on_subscribe
        properties = Properties(PacketTypes.CONNECT) if at_once else None  # type: ignore[no-untyped-call]
        if properties:
            properties.ReceiveMaximum = at_once
        client.connect_async(broker.host, broker.port, KEEPALIVE_S, properties=properties)

    def open(self) -> None:
        """Start connecting, and return at once."""
        self._client.loop_start()

    def subscribe(self) -> None:
        """Subscribe, once more if need be: the broker then sends again what it keeps."""
        self._client.subscribe([(topic, 1) for topic in self._subscribed])

    @property
    def unacknowledged(self) -> int:
        """Return how many messages the broker has not acknowledged yet."""
        return self._said - self._acknowledged

    def publish(self, topic: str, payload: bytes, retain: bool = False, marked: bytes = b"", qos: int = 1) -> None:
        """Send; without a connection the message is dropped, and its sender sends again from its own store.

        `marked` is the correlation data of the request that this message answers.
        """
        if not self.connected:
            return
        properties = Properties(PacketTypes.PUBLISH) if marked else None  # type: ignore[no-untyped-call]
        if properties:
            properties.CorrelationData = marked
        info = self._client.publish(topic, payload, qos=qos, retain=retain, properties=properties)
        if info.rc in (MQTTErrorCode.MQTT_ERR_SUCCESS, MQTTErrorCode.MQTT_ERR_NO_CONN):
            self._said += 1

    def close(self, last: Sequence[tuple[str, bytes]] = ()) -> None:
        """Send a last word and disconnect; harmless a second time.

        Each acknowledgement, and the disconnection, is awaited for CLOSE_S at most.
        """
        infos = [self._client.publish(topic, payload, qos=1, retain=True) for topic, payload in last if self.connected]
        for info in infos:
            with suppress(ValueError, RuntimeError):
                info.wait_for_publish(CLOSE_S)
        was, client = self.connected, self._client
        client.disconnect()
        if was:
            self._gone.wait(CLOSE_S)
        client.on_connect = client.on_disconnect = client.on_connect_fail = None  # paho frees its sockets once
        client.on_message = client.on_publish = client.on_subscribe = None  # nothing refers to it

    # -- paho's thread -----------------------------------------------------------------------------------------------

    def _on_connect(
        self, client: Client, _data: Any, _flags: ConnectFlags, code: ReasonCode, _props: Properties | None
    ) -> None:
        line: object = client.socket()
        if isinstance(line, socket):  # with websockets it is one of paho's own
            with suppress(OSError):  # it has just been closed
                self.address = line.getpeername()[0]
        if code.is_failure:
            self._refused, self.fault = True, refused(self._broker.host, self._broker.user, str(code))
        else:
            if self._subscribed:  # until the broker confirms, messages would be missed
                self.subscribe()
                return
            self._is_up()
        self._changed()

    def _on_subscribe(
        self, _client: Client, _data: Any, _mid: int, _codes: list[ReasonCode], _props: Properties | None
    ) -> None:
        self._is_up()
        self._changed()

    def _is_up(self) -> None:
        self.connections += 1
        self.connected, self.fault = True, ""

    def _on_disconnect(
        self, _client: Client, _data: Any, _flags: DisconnectFlags, _code: ReasonCode, _props: Properties | None
    ) -> None:
        if self.connected:
            self.fault = LOST
        elif not self._refused:
            self.fault = hung_up(self._broker.host, self._broker.port)
        self.connected = self._refused = False
        self._gone.set()
        self._changed()

    def _on_connect_fail(self, _client: Client, _data: object) -> None:
        # paho calls this while it handles what has been raised
        of = self._broker
        why = self.fault = unreached(sys.exception(), of.host, of.port, of.tls is not None)
        self.address = why.facts.get("address", self.address)
        self._changed()

    def _on_message(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        with suppress(UnicodeDecodeError):  # a stranger's topic
            of = message.properties
            self._came(
                Post(
                    message.topic,
                    bytes(message.payload),
                    message.retain,
                    getattr(of, "ResponseTopic", None),
                    getattr(of, "CorrelationData", b""),
                )
            )

    def _on_publish(
        self, _client: Client, _data: object, _mid: int, _code: ReasonCode, _props: Properties | None
    ) -> None:
        self._acknowledged += 1
