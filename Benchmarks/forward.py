"""Requests with a URL as their target, through a forward proxy beside others."""
import os
import re
import shutil
import subprocess
import time

SERVER = """daemon off;
master_process off;
worker_processes 1;
pid {folder}/nginx-web.pid;
error_log {folder}/nginx-web.err;
events {{ worker_connections 4096; }}
http {{
  access_log off;
  keepalive_requests 1000000000;
  server {{
    listen {server};
    location / {{ return 200 "{content}"; }}
  }}
}}
"""

TINYPROXY = """Port {port}
Listen 127.0.0.1
Timeout 60
MaxClients 1000
LogLevel Critical
DisableViaHeader Yes
"""

SQUID = """http_port 127.0.0.1:{port}
http_access allow all
cache deny all
cache_mem 8 MB
access_log none
cache_log /dev/null
cache_store_log none
pid_filename none
shutdown_lifetime 0 seconds
"""

HAPROXY = """global
  nbthread 1
  maxconn 2000
defaults
  mode http
  timeout connect 5s
  timeout client 1m
  timeout server 1m
frontend f
  bind 127.0.0.1:{port}
  default_backend b
backend b
  server s {server}
"""

# Every request is the same one, with a URL as its target.
LOAD = """local line
function init(args) line = wrk.format("GET", "http://" .. args[1] .. "/", {Host = args[1]}) end
function request() return line end
"""


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        file.write(text)
    return path


def found(name):
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin")


def subjects():
    return {name: (name,) for name in ("linkcond", "tinyproxy", "squid", "haproxy") if name == "linkcond" or found(name)}


class Requests:
    """Runs one load through one proxy, each fresh; the server is one nginx beside the load."""

    def __init__(self, bench, trouble, free_port, prepare, end, listens, cpus):
        self.bench, self.trouble, self.free_port = bench, trouble, free_port
        self.prepare, self.end, self.listens, self.cpus = prepare, end, listens, cpus
        self.script = write(bench.folder, "load.lua", LOAD)

    def __enter__(self):
        nginx = found("nginx")
        if not nginx or not found("wrk"):
            raise self.trouble("nginx or wrk is not installed")
        self.server = f"127.0.0.1:{self.free_port()}"
        config = SERVER.format(folder=self.bench.folder, server=self.server, content="x" * 1000)
        path = write(self.bench.folder, "nginx-web.conf", config)
        self.web = self.start([nginx, "-p", self.bench.folder, "-c", path], self.server, self.cpus[0])
        return self

    def __exit__(self, *_):
        self.end(self.web)

    def command(self, name, port):
        def configuration(text):
            return write(self.bench.folder, name + ".conf", text.format(port=port, server=self.server))

        if name == "linkcond":
            return [self.bench.linkcond, "-q", "--forward", "--listen", f"127.0.0.1:{port}"]
        if name == "tinyproxy":
            return [name, "-d", "-c", configuration(TINYPROXY)]
        if name == "squid":
            return [found(name), "-N", "-f", configuration(SQUID)]
        # HAProxy is told of the server: it connects nowhere else.
        return [found(name), "-db", "-f", configuration(HAPROXY)]

    def start(self, words, address, cpus):
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen(words, preexec_fn=lambda: self.prepare(cpus, False), **quiet)
        port = int(address.rsplit(":", 1)[1])
        for _ in range(500):
            if self.listens(port):
                return process
            if process.poll() is not None:
                break
            time.sleep(0.01)
        self.end(process)
        raise self.trouble(f"{os.path.basename(words[0])} did not start")

    def measure(self, subject, seconds):
        port = self.free_port()
        proxy = self.start(self.command(subject[0], port), f"127.0.0.1:{port}", self.cpus[1])
        try:
            before = processor(proxy.pid)
            out = self.load(port, seconds)
            count = int(re.search(r"(\d+) requests in", out).group(1))
            rate = float(re.search(r"Requests/sec:\s+([\d.]+)", out).group(1))
            return {"rate": rate, "processor": (processor(proxy.pid) - before) / count}
        finally:
            self.end(proxy)

    def load(self, port, seconds):
        words = ["wrk", "-t1", "-c32", f"-d{seconds}s", "-s", self.script, f"http://127.0.0.1:{port}/"]
        done = subprocess.run(
            [*words, "--", self.server],
            capture_output=True,
            text=True,
            timeout=60,
            preexec_fn=lambda: self.prepare(self.cpus[0], False),
        )
        if done.returncode or "Non-2xx" in done.stdout:
            raise self.trouble(done.stderr.strip() or "an answer was not the server's")
        return done.stdout


def processor(pid):
    """Seconds of processor time so far."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
