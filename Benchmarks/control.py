#!/usr/bin/env python3
"""How fast control answers while the proxy is busy: Benchmarks/control.py PROGRAM [CONNECTIONS]

1. CONNECTIONS (5000) live connections, over each of which bytes trickle, while the profile is switched
   again and again: every answer's time, and every byte of every connection.
2. 1000 clients of the control port that never send a whole head: every answer's time.

The load has a process of its own, so that its work is not counted as waiting for an answer. Each
question has one beside it, in turn, to a second linkcond that has nothing to do; what the machine itself
is late by is in both. Prints medians and 99th percentiles; exits with 1 if the busy one's 99th is
100 ms or more, or a byte is lost.
"""

import asyncio
import json
import resource
import subprocess
import sys
import time

SLOW_CLIENTS = 1_000
LIMIT_SECONDS = 0.1
PROFILES = ["wifi", "lte", "none"]


# The load: an echo server and its clients, at both ends of the proxy.


async def echo(reader, writer):
    while data := await reader.read(65_536):
        writer.write(data)
        await writer.drain()
    writer.close()


class Client:
    """A connection that sends numbered bytes now and then and holds what comes back to them."""

    def __init__(self, number):
        self.number, self.sent, self.received = number, 0, 0

    async def run(self, port, stop):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        receiving = asyncio.create_task(self.receive(reader))
        while not stop.is_set():
            writer.write(bytes((self.number + self.sent + i) % 251 for i in range(64)))
            self.sent += 64
            await asyncio.sleep(1 + self.number % 7 / 7)
        writer.write_eof()
        await receiving
        writer.close()

    async def receive(self, reader):
        while data := await reader.read(4_096):
            for byte in data:
                if byte != (self.number + self.received) % 251:
                    raise ValueError(f"connection {self.number}: byte {self.received} is wrong")
                self.received += 1


async def load(count):
    """Says where it echoes, reads the proxy's port, says when all are open, ends when a line comes."""
    server = await asyncio.start_server(echo, "127.0.0.1", 0, backlog=4_096)
    print("%s:%d" % server.sockets[0].getsockname(), flush=True)
    lines = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    port = int(await lines.readline())
    stop = asyncio.Event()
    clients = [Client(number) for number in range(count)]
    tasks = []
    for start in range(0, count, 100):
        tasks += [asyncio.create_task(c.run(port, stop)) for c in clients[start:start + 100]]
        await asyncio.sleep(0.05)
    await asyncio.sleep(3)
    print("open", flush=True)
    await lines.readline()
    stop.set()
    await asyncio.gather(*tasks)
    lost = [c.number for c in clients if c.sent != c.received]
    print(json.dumps({"bytes": sum(c.received for c in clients), "lost": len(lost)}), flush=True)


# The questions.


class Control:
    """Asks one linkcond, over a new connection each time."""

    def __init__(self, ready):
        self.host, port = ready["control"].removeprefix("http://").rsplit(":", 1)
        self.port, self.token = int(port), ready["token"]

    async def ask(self, method, path, body=None):
        """The seconds until the whole answer has come, which is a good one."""
        data = json.dumps(body).encode() if body is not None else b""
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nConnection: close\r\n"
            f"Authorization: Bearer {self.token}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(data)}\r\n\r\n"
        )
        start = time.monotonic()
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(head.encode() + data)
        answer = await reader.read()
        elapsed = time.monotonic() - start
        writer.close()
        status = int(answer.split(b" ", 2)[1])
        assert status == 200, f"{method} {path}: {answer.decode()}"
        return elapsed


class Rows:
    """Times of a busy linkcond and of an idle one beside it."""

    def __init__(self, busy, idle):
        self.busy, self.idle, self.times, self.beside = busy, idle, [], []

    async def ask(self, method, path, body=None):
        self.times.append(await self.busy.ask(method, path, body))
        self.beside.append(await self.idle.ask(method, path, body))

    def report(self, what):
        def figures(times):
            times = sorted(times)
            return times[len(times) // 2] * 1e3, times[min(len(times) - 1, len(times) * 99 // 100)] * 1e3

        median, last = figures(self.times)
        beside = figures(self.beside)
        is_good = last < LIMIT_SECONDS * 1e3
        print(f"{what}: {len(self.times)} answers, median {median:.1f} ms, 99 % within {last:.1f} ms;"
              f" idle beside it {beside[0]:.1f} and {beside[1]:.1f} ms  {'ok' if is_good else 'MISS'}")
        return is_good


async def switching(rows):
    for turn in range(60):
        await rows.ask("PATCH", "/v1/proxies/default", {"profile": PROFILES[turn % len(PROFILES)]})
        await rows.ask("GET", "/v1/proxies/default")
        await rows.ask("GET", "/v1/connections?limit=100")
        await asyncio.sleep(0.1)


async def slowness(rows):
    open_ones = []
    for number in range(SLOW_CLIENTS):
        _, writer = await asyncio.open_connection("127.0.0.1", rows.busy.port)
        writer.write(b"GET /v1 HTTP/1.1\r\nHost:" if number % 2 else b"")
        open_ones.append(writer)
    for _ in range(200):
        await rows.ask("GET", "/v1/proxies/default")
    for writer in open_ones:
        writer.close()


def start(program, upstream):
    process = subprocess.Popen(
        [program, "--control", "127.0.0.1:0", "--upstream", upstream, "--json", "--quiet"],
        stdout=subprocess.PIPE,
    )
    return process, json.loads(process.stdout.readline())


async def measure(program, count):
    loading = subprocess.Popen(
        [sys.executable, __file__, "--load", str(count)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )
    upstream = loading.stdout.readline().strip()
    (busy, ready), (idle, idle_ready) = start(program, upstream), start(program, upstream)

    def tell(line):
        loading.stdin.write(f"{line}\n")
        loading.stdin.flush()
        return loading.stdout.readline()

    def rows():
        return Rows(Control(ready), Control(idle_ready))

    try:
        tell(ready["port"])
        switches = rows()
        await switching(switches)
        end = json.loads(tell("stop"))
        print(f"{count} connections, {end['bytes']} bytes there and back, {end['lost']} lost any")
        slow = rows()
        await slowness(slow)
        results = [
            switches.report(f"switching among {count} connections"),
            slow.report(f"with {SLOW_CLIENTS} slow clients"),
            end["lost"] == 0,
        ]
    finally:
        for process in [busy, idle, loading]:
            process.terminate()
            process.wait()
    return all(results)


def main():
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if sys.argv[1] == "--load":
        asyncio.run(load(int(sys.argv[2])))
    else:
        count = int(sys.argv[2]) if len(sys.argv) > 2 else 5_000
        sys.exit(0 if asyncio.run(measure(sys.argv[1], count)) else 1)


main()
