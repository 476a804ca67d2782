#!/usr/bin/python3
"""Measures the dashboard in a browser: Benchmarks/page.py PROGRAM [CONNECTIONS [TRANSFERS]]

So many connections are open, some of them moving, and so many transfers are shown, while frames are
counted for ten seconds. A frame takes 50 ms at most, and the page 60 MB of memory: the exit code is 1
if it takes more.
"""
import os
import socket
import statistics
import subprocess
import sys
import time

from selenium import webdriver

FRAME_LIMIT_MS = 50
HEAP_LIMIT_MB = 60
SECONDS = 10

# The time that scripts, style and layout keep a frame, which is what is not idle between two.
COUNT_FRAMES = """
const done = arguments[0], tasks = [], gaps = [];
new PerformanceObserver((list) => tasks.push(...list.getEntries().map((e) => e.duration)))
  .observe({ type: 'longtask' });
const begun = performance.now();
let last = begun;
requestAnimationFrame(function again(now) {
  gaps.push(now - last);
  last = now;
  if (now - begun < %d) return requestAnimationFrame(again);
  done({ gaps, tasks });
});
""" % (SECONDS * 1000)


def connect(address, count):
    host, _, port = address.rpartition(":")
    clients = []
    for place in range(count):
        client = socket.create_connection((host, int(port)))
        if place % 10 == 0:
            client.sendall(b"GET /bytes/1000000000 HTTP/1.1\r\nHost: x\r\n\r\n")
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        clients.append(client)
    return clients


def transfer(address, count):
    for place in range(count):
        url = f"http://{address}/bytes/{100000 + place}"
        subprocess.run(["curl", "-sS", "-o", "/dev/null", "-r", "5000-", url], check=True)


def measure(page):
    options = webdriver.ChromeOptions()
    for argument in ["--headless=new", "--no-sandbox", "--window-size=1280,800"]:
        options.add_argument(argument)
    options.add_argument("--enable-precise-memory-info")
    driver = webdriver.Chrome(options=options)
    try:
        driver.set_script_timeout(SECONDS + 30)
        driver.get(page)
        time.sleep(3)
        rows = len(driver.find_elements("css selector", "#connections tbody tr"))
        frames = driver.execute_async_script(COUNT_FRAMES)
        driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
        heap = driver.execute_script("return performance.memory.usedJSHeapSize") / 1e6
        return rows, frames, heap
    finally:
        driver.quit()


def main():
    program = os.path.realpath(sys.argv[1])
    connections = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    transfers = int(sys.argv[3]) if len(sys.argv) > 3 else 50
    words = [program, "--ui", "--profile", "lte", "--fault", "c*/r*:resp.body+60000=stall(10ms)"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as proxy:
        try:
            address = proxy.stdout.readline().split()[1]
            proxy.stdout.readline()
            page = proxy.stdout.readline().split()[1]
            transfer(address, transfers)
            clients = connect(address, connections)
            rows, frames, heap = measure(page)
            del clients
        finally:
            proxy.terminate()
    gaps, tasks = sorted(frames["gaps"]), frames["tasks"]
    longest = max(tasks, default=0)
    print(f"{connections} connections ({rows} rows), {transfers} transfers, {SECONDS} s")
    print(f"  frames     {len(gaps)}, median {statistics.median(gaps):.1f} ms apart, 99 % within"
          f" {gaps[int(len(gaps) * 0.99)]:.1f} ms")
    print(f"  long tasks {len(tasks)} over 50 ms, the longest {longest:.0f} ms (limit {FRAME_LIMIT_MS})")
    print(f"  heap       {heap:.1f} MB (limit {HEAP_LIMIT_MB})")
    return 1 if longest > FRAME_LIMIT_MS or heap > HEAP_LIMIT_MB else 0


if __name__ == "__main__":
    sys.exit(main())
