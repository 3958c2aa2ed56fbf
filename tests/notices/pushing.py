"""A push service and the browsers that listen to it, on this machine."""

import base64
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


def plain(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class PushService:
    """Takes pushes as the browsers' makers do, and answers with ``status``, and on request with the endpoint."""

    def __init__(self) -> None:
        self.status = 201
        self.quotes_endpoint = False
        self.taken: list[tuple[dict[str, str], bytes]] = []
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                service.taken.append((headers, body))
                self.send_response(service.status)
                if service.status == 302:
                    self.send_header("Location", "http://127.0.0.1:9/")
                answer = self.path.encode() if service.quotes_endpoint else b""
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def log_message(self, *args: object) -> None:
                """Keep quiet."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


class Browser:
    """A browser's side of a subscription: its keys, and how it reads a push."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.secret = b"sixteen bytes ok"

    @property
    def fields(self) -> dict[str, str]:
        point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"endpoint": self.endpoint, "p256dh": plain(point), "auth": plain(self.secret)}

    def read(self, body: bytes) -> dict[str, str]:
        text = http_ece.decrypt(body, private_key=self.key, auth_secret=self.secret, version="aes128gcm")
        return json.loads(text)
