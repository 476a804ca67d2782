#!/usr/bin/env python3
"""How fast the Toxiproxy API answers while its proxies are busy: Benchmarks/toxics.py PROGRAM [PAIRS]

1. 100 clients of a proxy whose upstream never answers a dial.
2. 24 clients that come and go while a latency toxic is added and removed PAIRS (10000) times.
3. Proxies deleted while a toxic of theirs waits for a minute: until the clients are told.
4. 500 connections behind 2 s of latency, all sending as fast as they can: what that takes of memory.

Each busy request has one beside it, in turn, to a second process that has nothing to do; what the
machine itself is late by is in both. Prints medians and 99th percentiles; exits with 1 if a busy
one's 99th is 100 ms or more in the first three, or the memory is beyond its limit.
"""

import asyncio
import json
import re
import resource
import socket
import subprocess
import sys
import time

PROGRAM = sys.argv[1]
PAIRS = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
LIMIT_SECONDS = 0.1
# What toxics may hold for all connections, with the rest of the program.
MEMORY_LIMIT = 512 << 20
LATE_CONNECTIONS = 500


class Api:
    """One connection to a linkcond toxiproxy, kept alive."""

    @staticmethod
    async def open(port):
        api = Api()
        api.reader, api.writer = await asyncio.open_connection("127.0.0.1", port)
        return api

    async def ask(self, method, path, body=None):
        data = json.dumps(body).encode() if body is not None else b""
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(data)}\r\n\r\n"
        start = time.monotonic()
        self.writer.write(head.encode() + data)
        answer = await self.reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"(?i)content-length: (\d+)", answer)
        content = await self.reader.readexactly(int(length[1]) if length else 0)
        elapsed = time.monotonic() - start
        status = int(answer.split(b" ", 2)[1])
        assert status < 300, f"{method} {path}: {status} {content}"
        return (json.loads(content) if content else None), elapsed


class Rows:
    """Times of a busy process and of an idle one beside it."""

    def __init__(self, busy, idle):
        self.busy, self.idle, self.times, self.beside = busy, idle, [], []

    async def ask(self, method, path, body=None):
        answer, elapsed = await self.busy.ask(method, path, body)
        self.times.append(elapsed)
        await self.reference()
        return answer

    async def reference(self):
        self.beside.append((await self.idle.ask("GET", "/version"))[1])

    def report(self, what):
        def figures(times):
            times = sorted(times)
            return times[len(times) // 2], times[min(len(times) - 1, len(times) * 99 // 100)]

        median, last = figures(self.times)
        beside = figures(self.beside)
        is_good = last < LIMIT_SECONDS
        print(f"{what}: {len(self.times)} answers, median {median * 1e3:.2f} ms, 99 % within"
              f" {last * 1e3:.2f} ms; idle beside it {beside[0] * 1e3:.2f} and"
              f" {beside[1] * 1e3:.2f} ms; ratio {median / beside[0]:.1f} and"
              f" {last / beside[1]:.1f}  {'ok' if is_good else 'MISS'}")
        return is_good


def address(proxy):
    host, port = proxy["listen"].rsplit(":", 1)
    return host, int(port)


async def dials(rows):
    deaf = socket.socket()
    deaf.bind(("127.0.0.1", 0))
    deaf.listen(1)
    upstream = "%s:%d" % deaf.getsockname()
    fillers = []
    for _ in range(4):
        filler = socket.socket()
        filler.setblocking(False)
        filler.connect_ex(deaf.getsockname())
        fillers.append(filler)
    proxy = await rows.ask("POST", "/proxies", {"name": "deaf", "upstream": upstream})
    clients = [await asyncio.open_connection(*address(proxy)) for _ in range(100)]
    await rows.ask("POST", "/proxies", {"name": "other", "upstream": upstream})
    for turn in range(200):
        await rows.ask("POST", "/proxies/deaf/toxics", {"type": "noop"})
        await rows.ask("DELETE", "/proxies/deaf/toxics/noop_downstream")
        await rows.ask("PATCH", "/proxies/other", {"enabled": turn % 2 == 1})
        await rows.ask("GET", "/proxies")
    await rows.ask("DELETE", "/proxies/other")
    await rows.ask("DELETE", "/proxies/deaf")
    for _, writer in clients:
        writer.close()
    for filler in fillers + [deaf]:
        filler.close()
    return rows.report("100 dials that hang")


async def churn(host, port, stop):
    while not stop.is_set():
        reader, writer = await asyncio.open_connection(host, port)
        writer.get_extra_info("socket").setsockopt(
            socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
        writer.write(b"hello")
        await asyncio.sleep(0.02)
        writer.transport.abort()


async def churning(rows, upstream):
    proxy = await rows.ask("POST", "/proxies", {"name": "churned", "upstream": upstream})
    stop = asyncio.Event()
    tasks = [asyncio.create_task(churn(*address(proxy), stop)) for _ in range(24)]
    toxic = {"type": "latency", "name": "l", "attributes": {"latency": 3}}
    for _ in range(PAIRS):
        await rows.ask("POST", "/proxies/churned/toxics", toxic)
        await rows.ask("DELETE", "/proxies/churned/toxics/l")
    stop.set()
    await asyncio.gather(*tasks)
    await rows.ask("DELETE", "/proxies/churned")
    return rows.report(f"{PAIRS} toxics added and removed among 24 clients that come and go")


async def waits(rows, upstream):
    kinds = [
        ("timeout", {"timeout": 60_000}), ("reset_peer", {"timeout": 60_000}),
        ("latency", {"latency": 60_000}), ("slow_close", {"delay": 60_000}),
        ("bandwidth", {"rate": 0}), ("slicer", {"average_size": 1, "delay": 60_000_000}),
    ]
    for turn in range(120):
        kind, attributes = kinds[turn % len(kinds)]
        body = {"name": "w", "upstream": upstream,
                "toxics": [{"type": kind, "attributes": attributes}]}
        proxy, _ = await rows.busy.ask("POST", "/proxies", body)
        reader, writer = await asyncio.open_connection(*address(proxy))
        writer.write(b"hello")
        await asyncio.sleep(0.01)
        start = time.monotonic()
        await rows.busy.ask("DELETE", "/proxies/w")
        try:
            await reader.read()
        except ConnectionError:
            pass
        rows.times.append(time.monotonic() - start)
        await rows.reference()
        writer.close()
    return rows.report("deletions under a toxic that waits for a minute")


# The floods are a process of their own: in this one they would make every answer late.
FLOODS = """
import selectors, socket, sys
block, selector = bytes(65536), selectors.DefaultSelector()
for _ in range(int(sys.argv[3])):
    client = socket.create_connection((sys.argv[1], int(sys.argv[2])))
    client.setblocking(False)
    selector.register(client, selectors.EVENT_READ | selectors.EVENT_WRITE)
while selector.get_map():
    for key, events in selector.select():
        try:
            if events & selectors.EVENT_READ and not key.fileobj.recv(65536):
                raise ConnectionError
            if events & selectors.EVENT_WRITE:
                key.fileobj.send(block)
        except BlockingIOError:
            pass
        except OSError:
            selector.unregister(key.fileobj)
            key.fileobj.close()
"""
# What the floods reach sends everything back, and is no part of this process either.
ECHO = """
import asyncio
async def echo(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    writer.close()
async def main():
    server = await asyncio.start_server(echo, "127.0.0.1", 0, backlog=4096)
    print("%s:%d" % server.sockets[0].getsockname(), flush=True)
    await server.serve_forever()
asyncio.run(main())
"""


def resident(process):
    with open(f"/proc/{process.pid}/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


async def latency(rows, upstream, process):
    body = {"name": "late", "upstream": upstream, "toxics": [
        {"type": "latency", "stream": stream, "name": stream, "attributes": {"latency": 2_000}}
        for stream in ["upstream", "downstream"]
    ]}
    proxy = await rows.ask("POST", "/proxies", body)
    host, port = address(proxy)
    floods = subprocess.Popen(
        [sys.executable, "-c", FLOODS, host, str(port), str(LATE_CONNECTIONS)])
    most, end = 0, time.monotonic() + 8
    while time.monotonic() < end:
        await rows.ask("GET", "/proxies/late")
        most = max(most, resident(process))
        await asyncio.sleep(0.01)
    await rows.ask("DELETE", "/proxies/late")
    floods.wait()
    is_small = most < MEMORY_LIMIT
    print(f"{LATE_CONNECTIONS} connections behind 2 s: {most >> 20} MiB at most of"
          f" {MEMORY_LIMIT >> 20}  {'ok' if is_small else 'MISS'}")
    # How late answers are then is told, but nothing is promised of it.
    rows.report(f"{LATE_CONNECTIONS} floods behind 2 s")
    return is_small


def start():
    process = subprocess.Popen(
        [PROGRAM, "toxiproxy", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    line = process.stdout.readline().decode()
    return process, int(re.search(r":(\d+)", line.rsplit("127.0.0.1", 1)[-1])[1])


async def main():
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    echo = subprocess.Popen([sys.executable, "-c", ECHO], stdout=subprocess.PIPE)
    upstream = echo.stdout.readline().decode().strip()
    (busy, busy_port), (idle, idle_port) = start(), start()
    try:
        async def rows():
            return Rows(await Api.open(busy_port), await Api.open(idle_port))

        results = [
            await dials(await rows()), await churning(await rows(), upstream),
            await waits(await rows(), upstream), await latency(await rows(), upstream, busy),
        ]
    finally:
        for process in [busy, idle, echo]:
            process.terminate()
            process.wait()
    sys.exit(0 if all(results) else 1)


asyncio.run(main())
