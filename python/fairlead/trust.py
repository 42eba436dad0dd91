"""Connections to a server, which has a certificate that this machine trusts, or the one that was accepted."""

import hashlib
import http.client
import ssl
from typing import Any, Optional


class OtherCertificate(OSError):
    """The server shows another certificate than the one that is trusted; it was sent nothing."""


class PinnedConnection(http.client.HTTPSConnection):
    """A connection to whoever has the certificate with this fingerprint, whatever they are called."""

    def __init__(self, host: str, port: Optional[int], fingerprint: str, timeout: float) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        super().__init__(host, port, timeout=timeout, context=context)
        self._fingerprint = fingerprint

    def connect(self) -> None:
        super().connect()
        shown: Any = self.sock.getpeercert(binary_form=True)  # type: ignore[union-attr]
        found = hashlib.sha256(shown or b"").hexdigest()
        if found != self._fingerprint:
            self.close()
            raise OtherCertificate(
                "it shows the certificate %s, which is not the one that you trust; if its admins say that it is theirs,"
                " log in again" % found
            )


def connection(
    secure: bool, host: str, port: Optional[int], timeout: float, fingerprint: Optional[str] = None
) -> http.client.HTTPConnection:
    """A connection that is not open yet."""
    if not secure:
        return http.client.HTTPConnection(host, port, timeout=timeout)
    if fingerprint:
        return PinnedConnection(host, port, fingerprint.replace(":", "").lower(), timeout)
    return http.client.HTTPSConnection(host, port, timeout=timeout)
