"""Only the certificate that was accepted is trusted."""

import hashlib
import http.server
import os
import ssl
import threading
import unittest

from fairlead.protocol import Away, Channel
from fairlead.trust import connection

HERE = os.path.dirname(os.path.abspath(__file__))
# A key and a certificate of no use elsewhere.
CERTIFICATE = os.path.join(HERE, "certificate.pem")


class Answering(http.server.BaseHTTPRequestHandler):
    """Answers whatever is asked, and counts."""

    asked = 0

    def do_GET(self) -> None:
        type(self).asked += 1
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *args: object) -> None:
        pass


def fingerprint() -> str:
    with open(CERTIFICATE, encoding="ascii") as file:
        text = file.read()
    pem = text[text.index("-----BEGIN CERTIFICATE-----") :]
    return hashlib.sha256(ssl.PEM_cert_to_DER_cert(pem)).hexdigest()


class TrustTest(unittest.TestCase):
    def setUp(self) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(CERTIFICATE)
        Answering.asked = 0
        self.server = http.server.HTTPServer(("127.0.0.1", 0), Answering)
        self.server.handle_error = lambda *_: None  # type: ignore[method-assign]
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.port = self.server.server_address[1]
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def tearDown(self) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()

    def channel(self, pin: "str | None") -> Channel:
        return Channel("https://127.0.0.1:%d" % self.port, pin)

    def test_the_accepted_certificate_is_trusted(self) -> None:
        for pin in (fingerprint(), fingerprint().upper()):
            channel = self.channel(pin)
            self.assertEqual((200, b"{}"), channel.request("GET", "/", token="t"))
            channel.close()

    def test_any_other_is_sent_nothing(self) -> None:
        for pin in (None, "0" * 64):
            with self.assertRaises(Away):
                self.channel(pin).request("GET", "/", token="t")
        self.assertEqual(0, Answering.asked)

    def test_another_certificate_is_named(self) -> None:
        link = connection(True, "127.0.0.1", self.port, 5, "0" * 64)
        with self.assertRaisesRegex(OSError, fingerprint()):
            link.connect()


if __name__ == "__main__":
    unittest.main()
