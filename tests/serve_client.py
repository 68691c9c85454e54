"""A `tabia serve` on a free port of the loopback, and clients of it: for tests/serve and bench/siege."""
import atexit, base64, json, os, re, signal, socket, struct, subprocess, tempfile, time, urllib.error, urllib.request

program = os.environ.get("TABIA") or "build/release/tabia"

# Seconds to wait for what comes at once unless the machine stalls: only against waiting for ever.
PATIENCE = 300


def wait_until(question):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if question():
            return True
        time.sleep(0.05)
    return False


class Server:
    def __init__(self, *options):
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = self.scratch.name
        self.process = subprocess.Popen([program, "serve", "--quiet", "--listen", "127.0.0.1:0", *options], stdout=subprocess.PIPE,
                                        text=True, env={**os.environ, "TMPDIR": self.folder})
        atexit.register(self.process.kill)
        line = self.process.stdout.readline()
        self.port = int(re.search(r":(\d+)/", line).group(1))

    def get(self, path, **headers):
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", headers={k.replace("_", "-"): v for k, v in headers.items()})
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return answer.status, answer.read().decode(), answer.headers
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode(), error.headers

    def health(self):
        return json.loads(self.get("/health")[1])

    def stop(self, number=signal.SIGINT):
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


class Socket:
    """The client's side of a WebSocket, as short as it can be."""

    def __init__(self, server, path, **headers):
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
        self.bytes = b""
        head = {"Host": f"127.0.0.1:{server.port}", "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
                "Sec-WebSocket-Key": base64.b64encode(bytes(16)).decode(), **headers}
        self.socket.sendall(f"GET {path} HTTP/1.1\r\n".encode() + "".join(f"{k}: {v}\r\n" for k, v in head.items()).encode() + b"\r\n")
        while b"\r\n\r\n" not in self.bytes:
            piece = self.socket.recv(4096)
            if not piece:
                break
            self.bytes += piece
        head, _, self.bytes = self.bytes.partition(b"\r\n\r\n")
        self.status = int(head.split()[1]) if head else 0

    def send(self, value, code=1):
        words = value if isinstance(value, bytes) else json.dumps(value).encode()
        size = len(words)
        head = bytes([0x80 | code]) + (bytes([0x80 | size]) if size < 126 else b"\xfe" + struct.pack(">H", size) if size < 65536 else b"\xff" + struct.pack(">Q", size))
        self.socket.sendall(head + b"\0\0\0\0" + words)

    def take(self, size):
        while len(self.bytes) < size:
            piece = self.socket.recv(1 << 16)
            if not piece:
                raise EOFError
            self.bytes += piece
        taken, self.bytes = self.bytes[:size], self.bytes[size:]
        return taken

    def receive(self):
        """The next message; None: closed."""
        try:
            while True:
                code, size = self.take(2)
                if size == 126:
                    (size,) = struct.unpack(">H", self.take(2))
                elif size == 127:
                    (size,) = struct.unpack(">Q", self.take(8))
                words = self.take(size)
                if code & 15 == 8:
                    return None
                if code & 15 == 9:  # who does not answer is given up after a while
                    self.send(words, code=10)
                if code & 15 == 1:
                    return json.loads(words)
        except (EOFError, ConnectionError):
            return None

    def all(self):
        messages = []
        while (message := self.receive()) is not None:
            messages.append(message)
        return messages

    def ask(self, method, **params):
        self.send({"id": 1, "method": method, "params": params})
        while True:
            message = self.receive()
            if message is None or "result" in message or "error" in message:
                return message

    def close(self):
        self.socket.close()
