"""TLS: the certificate must be for the name that was asked for, wherever the name led."""

import ssl
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from lyra.core.errors import WebProblem
from lyra.core.web_url import parse_web_url
from lyra.providers import exchange
from lyra.providers.exchange import Asked, SocketTransport
from tests.loopback.client import EXCHANGE, NamedHosts
from tests.loopback.timing import MovedClock

pytest.importorskip("cryptography", reason="needs the package cryptography to make a certificate")

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

NAME = "secure.example.org"
HOSTS = {NAME: [["127.0.0.1"]], "other.example.org": [["127.0.0.1"]]}


@pytest.fixture
def port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A server with a certificate for one name, which this process trusts."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, NAME)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    chain, private = tmp_path / "chain.pem", tmp_path / "key.pem"
    chain.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    private.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = str(self.headers["Host"]).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain, private)
    server = HTTPServer(("127.0.0.1", 0), Handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    server.handle_error = lambda request, client_address: None  # type: ignore[method-assign]
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    monkeypatch.setenv("SSL_CERT_FILE", str(chain))
    exchange._tls_context.cache_clear()
    yield int(server.server_port)
    exchange._tls_context.cache_clear()
    server.shutdown()
    server.server_close()
    thread.join()


def test_the_pinned_address_is_asked_under_the_right_name(port: int) -> None:
    hosts = NamedHosts(HOSTS)
    url = parse_web_url(f"https://{NAME}:{port}/")
    received = SocketTransport(MovedClock(), hosts).send(Asked(url, trusted=True), EXCHANGE)
    assert received.body == f"{NAME}:{port}".encode()
    assert hosts.asked == [NAME]


def test_a_certificate_for_another_name_is_refused(port: int) -> None:
    url = parse_web_url(f"https://other.example.org:{port}/")
    with pytest.raises(WebProblem) as problem:
        SocketTransport(MovedClock(), NamedHosts(HOSTS)).send(Asked(url, trusted=True), EXCHANGE)
    assert problem.value.code == "unreachable"
    assert "certificate" in str(problem.value).lower()
