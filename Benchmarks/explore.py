"""Explorations beside plain loops: points per second, and what a point costs linkcond itself.

Also the proxy with an eye on requests, beside the proxy without.
"""
import json
import os
import re
import signal
import subprocess
import time

TICKS = os.sysconf("SC_CLK_TCK")
QUIET = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


class Origin:
    """A test server on a port of its own, as a process of its own."""

    def __init__(self, linkcond, port, *arguments):
        self.port = port
        command = [linkcond, "origin", "--quiet", "--listen", f"127.0.0.1:{port}", *arguments]
        self.process = subprocess.Popen(command, **QUIET)
        time.sleep(0.5)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        stop(self.process)


def stop(process):
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


# A client of the same process


def build(package):
    """ExploreBench; a text says why there is none."""
    environment = dict(os.environ, LINKCOND_BENCH="1")
    # The testing library has no static form, and other flags must not undo the program's build.
    scratch = os.path.join(package, ".build/explore-bench")
    command = ["swift", "build", "-c", "release", "--scratch-path", scratch]
    command += ["--package-path", package, "--product", "ExploreBench"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    program = os.path.join(scratch, "release/ExploreBench")
    return (program, None) if done.returncode == 0 else (None, done.stdout.strip()[-200:])


def in_process(program, linkcond, free_port):
    """A plain loop, an exploration against the same server, one with a server for each run."""
    with Origin(linkcond, free_port()) as origin:
        command = [program, str(origin.port)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode:
        raise RuntimeError((done.stdout + done.stderr).strip()[-200:])
    return json.loads(done.stdout.strip().splitlines()[-1])


# curl


def plain_curl(port, folder, count, jobs):
    """Runs curl `count` times against the server itself, `jobs` at once, as a shell would."""
    url = f"http://127.0.0.1:{port}/bytes/3000"
    begin = time.monotonic()
    running = []
    for number in range(count):
        if len(running) >= jobs:
            running.pop(0).wait()
        out = os.path.join(folder, f"plain-{number % (4 * jobs)}")
        running.append(subprocess.Popen(["curl", "-sf", "-o", out, url], **QUIET))
    for process in running:
        process.wait()
    return {"count": count, "seconds": time.monotonic() - begin}


def explored_curl(linkcond, port, folder):
    """An exploration of curl; its runs, and the processor time that linkcond itself took."""
    report = os.path.join(folder, "report.jsonl")
    command = [linkcond, "explore", "--quiet", "--forget", "--no-canary", "--seed", "1"]
    command += ["--effects", "fin,rst,refuse,swallow", "--report", report]
    command += ["--upstream", f"127.0.0.1:{port}", "--", "curl", "-sf", "-o", "{out}"]
    begin = time.monotonic()
    process = subprocess.Popen(command + ["{url}/bytes/3000"], cwd=folder, **QUIET)
    # Before the process is waited for, the system still tells its own time from its children's.
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    seconds = time.monotonic() - begin
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    process.wait()
    with open(report) as file:
        count = sum('"t":"run"' in line for line in file)
    if not count:
        raise RuntimeError("curl was not explored")
    own = (int(fields[11]) + int(fields[12])) / TICKS
    return {"count": count, "seconds": seconds, "processor": own}


# Requests that are looked at


def download(linkcond, upstream, port, options, size):
    """Bytes per second of one download through a proxy with these options."""
    command = [linkcond, "--quiet", "--seed", "1", "--listen", f"127.0.0.1:{port}"]
    command += ["--upstream", f"127.0.0.1:{upstream}", *options]
    proxy = subprocess.Popen(command, **QUIET)
    try:
        time.sleep(0.3)
        url = f"http://127.0.0.1:{port}/bytes/{size}"
        form = "%{http_code} %{size_download} %{speed_download}"
        done = subprocess.run(
            ["curl", "-s", "-o", "/dev/null", "-w", form, url], capture_output=True, text=True, timeout=120
        )
        match = re.match(rf"200 {size} ([\d.]+)", done.stdout)
        if not match:
            raise RuntimeError(f"the download failed: {done.stdout}")
        return {"rate": float(match.group(1)) / 1e9}
    finally:
        stop(proxy)
