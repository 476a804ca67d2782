"""Datagrams: linkcond beside a plain libuv relay and nginx's stream module."""
import json
import os
import shutil
import subprocess
import time

STREAM_MODULE = "/usr/lib/nginx/modules/ngx_stream_module.so"

NGINX = """daemon off;
master_process off;
worker_processes 1;
pid {folder}/nginx-udp.pid;
error_log {folder}/nginx-udp.err;
load_module {module};
events {{ worker_connections 60000; }}
stream {{
  server {{ listen {listen} udp; proxy_pass {upstream}; proxy_timeout 10m; }}
}}
"""


def command(subject, bench, tool, listen, upstream):
    name, *options = subject
    if name == "linkcond":
        addresses = ["--listen", listen, "--upstream", "udp://" + upstream]
        return [bench.linkcond, "--quiet", "--seed", "1", *addresses, *options]
    if name == "relay":
        return [tool, "relay", listen, upstream]
    path = os.path.join(bench.folder, "nginx-udp.conf")
    with open(path, "w") as file:
        file.write(NGINX.format(module=STREAM_MODULE, folder=bench.folder, listen=listen, upstream=upstream))
    return [shutil.which("nginx") or "/usr/sbin/nginx", "-p", bench.folder, "-c", path]


def subjects(options=()):
    found = {"linkcond": ("linkcond", *options), "relay": ("relay",)}
    if os.path.exists(STREAM_MODULE):
        found["nginx"] = ("nginx",)
    return found


def takes_datagrams(port):
    with open("/proc/net/udp") as file:
        return any(f":{port:04X} 00000000:0000 07" in line for line in file)


class Datagrams:
    """Runs one load through one proxy, each fresh, on the cores that the bench gives them."""

    def __init__(self, bench, here, trouble, free_port, prepare, end, resident, cpus):
        self.bench, self.trouble, self.free_port = bench, trouble, free_port
        self.prepare, self.end, self.resident, self.cpus = prepare, end, resident, cpus
        self.tool = os.path.join(bench.folder, "datagrams")
        source = os.path.join(here, "datagrams.c")
        subprocess.run(["cc", "-O2", "-o", self.tool, source, "-luv", "-lpthread"], check=True)

    def measure(self, subject, test):
        listen, upstream = (f"127.0.0.1:{self.free_port()}" for _ in range(2))
        # Between two cores the time to wake a sleeping one is larger than what is measured.
        cpus = self.cpus[1:] * 2 if test[0] == "trips" else self.cpus
        proxy = self.start(subject, listen, upstream, cpus[1])
        try:
            words = [self.tool, test[0], listen, upstream, str(proxy.pid), *map(str, test[1:])]
            load = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                preexec_fn=lambda: self.prepare(cpus[0], False),
            )
            try:
                before = self.resident(proxy.pid)
                if test[0] == "flows":
                    return self.flows(load, proxy.pid, before, test[1])
                out, error = load.communicate(timeout=60)
                if load.returncode:
                    raise self.trouble(error.strip())
                return json.loads(out)
            except subprocess.TimeoutExpired:
                raise self.trouble("took too long") from None
            finally:
                self.end(load)
        finally:
            self.end(proxy)

    def flows(self, load, pid, before, count):
        line = load.stdout.readline()
        if '"open"' not in line:
            raise self.trouble(load.stderr.read().strip())
        time.sleep(0.5)
        grown = self.resident(pid) - before
        load.communicate("\n", timeout=10)
        return {"kibibytes": grown / count}

    def start(self, subject, listen, upstream, cpus):
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen(
            command(subject, self.bench, self.tool, listen, upstream),
            preexec_fn=lambda: self.prepare(cpus, False),
            **quiet,
        )
        port = int(listen.rsplit(":", 1)[1])
        for _ in range(300):
            if takes_datagrams(port):
                return process
            if process.poll() is not None:
                break
            time.sleep(0.01)
        self.end(process)
        raise self.trouble(f"{subject[0]} did not start")
