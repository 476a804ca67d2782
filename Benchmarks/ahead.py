"""How far a sender is ahead of what a slow link has carried, beside what Linux allows."""
import socket
import subprocess
import threading
import time

# kB ahead in the third and fourth second, on average, by (Mbit/s, round trip in ms): Linux 6.18, CUBIC,
# through a bottleneck with a queue of 50 packets or one round trip, between two network namespaces. A
# program passes single packets of at most 1,500 bytes from one to the other; the median of three runs.
LINUX = {
    (0.5, 20): 123, (0.5, 100): 131, (0.5, 300): 161,
    (2, 20): 177, (2, 100): 229, (2, 300): 450,
    (10, 20): 233, (10, 100): 539, (10, 300): 1365,
    (50, 20): 591, (50, 100): 2843, (50, 300): 2327,
}
# The same over 100 ms without a rate, by the bytes that the receiver reads in a second.
LINUX_SLOW_READERS = {0: 360, 100_000: 381}
FROM, SECONDS, STEP = 2, 4, 0.05
CHUNK = bytes(16_384)


def link(rate, round_trip):
    """The settings of a link of so many Mbit/s and milliseconds."""
    packets = max(50, int(rate * 1e6 * round_trip / 1000 / 8 / 1500))
    return ["--set", f"delay={round_trip / 2:g}ms", "--set", f"rate={rate * 1000:g}kbit/s",
            "--set", f"queue={packets}packets"]


class Pair:
    """A connection through linkcond: one side writes as fast as it can, the other reads."""

    def __init__(self, linkcond, settings, way, free_port, listens, pace=None):
        self.sent = self.received = 0
        self.pace, self.over = pace, threading.Event()
        server = socket.create_server(("127.0.0.1", 0))
        port = free_port()
        upstream = f"127.0.0.1:{server.getsockname()[1]}"
        command = [linkcond, "--quiet", "--seed", "1", "--listen", f"127.0.0.1:{port}", "--upstream", upstream]
        self.process = subprocess.Popen(
            [*command, *settings], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
        )
        while not listens(port):
            time.sleep(0.01)
        # A side's system buffers for its own congestion control; CUBIC is what Linux was measured with.
        client = socket.socket()
        for end in (client, server):
            end.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, b"cubic")
        client.connect(("127.0.0.1", port))
        served, _ = server.accept()
        server.close()
        self.sockets = [client, served] if way == "up" else [served, client]
        for work, end in zip((self.write, self.read), self.sockets):
            threading.Thread(target=work, args=(end,), daemon=True).start()

    def write(self, end):
        try:
            while not self.over.is_set():
                self.sent += end.send(CHUNK)
        except OSError:
            pass

    def read(self, end):
        began = time.monotonic()
        try:
            while not self.over.is_set():
                allowed = 65_536
                if self.pace is not None:
                    allowed = min(allowed, int(self.pace * (time.monotonic() - began)) - self.received)
                if allowed > 0:
                    self.received += len(end.recv(allowed))
                else:
                    self.over.wait(0.01)
        except OSError:
            pass

    def close(self):
        self.over.set()
        self.process.kill()
        self.process.wait()
        for end in self.sockets:
            end.close()


def ahead(linkcond, settings, way, free_port, listens, pace=None):
    """Bytes that the sender has given and the receiver has not read, on average.

    At one moment it may be half or twice of that: a sender that waits for room goes on once a third of
    its buffer is free.
    """
    pair = Pair(linkcond, settings, way, free_port, listens, pace)
    try:
        time.sleep(FROM)
        samples = []
        for _ in range(int((SECONDS - FROM) / STEP)):
            time.sleep(STEP)
            samples.append(pair.sent - pair.received)
        return sum(samples) / len(samples)
    finally:
        pair.close()
