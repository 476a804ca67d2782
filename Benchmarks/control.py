#!/usr/bin/env python3
"""How fast control answers while the proxy is busy: Benchmarks/control.py PROGRAM [CONNECTIONS]

1. CONNECTIONS (5000) live connections, over each of which bytes trickle, while the profile is switched
   again and again: every answer's time, and every byte of every connection.
2. 1000 clients of the control port that never send a whole head: every answer's time.

Prints median and 99th percentile; exits with 1 if the latter is 100 ms or more, or a byte is lost.
"""

import asyncio
import json
import resource
import subprocess
import sys
import time

PROGRAM = sys.argv[1]
CONNECTIONS = int(sys.argv[2]) if len(sys.argv) > 2 else 5_000
SLOW_CLIENTS = 1_000
LIMIT_SECONDS = 0.1
PROFILES = ["wifi", "lte", "none"]


async def ask(ready, method, path, body=None):
    """Sends one request on a connection of its own; answers with status and seconds."""
    port = int(ready["control"].rsplit(":", 1)[1])
    data = json.dumps(body).encode() if body is not None else b""
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n"
        f"Authorization: Bearer {ready['token']}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(data)}\r\n\r\n"
    )
    start = time.monotonic()
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(head.encode() + data)
    answer = await reader.read()
    elapsed = time.monotonic() - start
    writer.close()
    return int(answer.split(b" ", 2)[1]), elapsed


def report(what, times):
    times = sorted(times)
    last = times[min(len(times) - 1, len(times) * 99 // 100)]
    print(f"{what}: {len(times)} answers, median {times[len(times) // 2] * 1e3:.1f} ms,"
          f" 99 % within {last * 1e3:.1f} ms")
    return last < LIMIT_SECONDS


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


async def switching(ready):
    stop = asyncio.Event()
    clients = [Client(number) for number in range(CONNECTIONS)]
    tasks = []
    for start in range(0, CONNECTIONS, 100):
        tasks += [asyncio.create_task(c.run(ready["port"], stop)) for c in clients[start:start + 100]]
        await asyncio.sleep(0.05)
    await asyncio.sleep(3)
    times = []
    for turn in range(60):
        body = {"profile": PROFILES[turn % len(PROFILES)]}
        status, elapsed = await ask(ready, "PATCH", "/v1/proxies/default", body)
        assert status == 200, status
        times.append(elapsed)
        for path in ["/v1/proxies/default", "/v1/connections?limit=100"]:
            status, elapsed = await ask(ready, "GET", path)
            assert status == 200, status
            times.append(elapsed)
        await asyncio.sleep(0.1)
    stop.set()
    await asyncio.gather(*tasks)
    lost = [c.number for c in clients if c.sent != c.received]
    total = sum(c.received for c in clients)
    print(f"{CONNECTIONS} connections, {total} bytes there and back, {len(lost)} lost any")
    return report(f"switching among {CONNECTIONS} connections", times) and not lost


async def slowness(ready):
    port = int(ready["control"].rsplit(":", 1)[1])
    open_ones = []
    for number in range(SLOW_CLIENTS):
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /v1 HTTP/1.1\r\nHost:" if number % 2 else b"")
        open_ones.append(writer)
    times = []
    for _ in range(200):
        status, elapsed = await ask(ready, "GET", "/v1/proxies/default")
        assert status == 200, status
        times.append(elapsed)
    for writer in open_ones:
        writer.close()
    return report(f"with {SLOW_CLIENTS} slow clients", times)


async def main():
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    server = await asyncio.start_server(echo, "127.0.0.1", 0, backlog=4_096)
    upstream = "%s:%d" % server.sockets[0].getsockname()
    proxy = subprocess.Popen(
        [PROGRAM, "--control", "127.0.0.1:0", "--upstream", upstream, "--json", "--quiet"],
        stdout=subprocess.PIPE,
    )
    try:
        ready = json.loads(proxy.stdout.readline())
        is_good = await switching(ready)
        is_good = await slowness(ready) and is_good
    finally:
        proxy.terminate()
        proxy.wait()
    sys.exit(0 if is_good else 1)


asyncio.run(main())
