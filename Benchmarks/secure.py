"""TLS opened on both sides, and HTTP/2 relayed frame by frame, beside other proxies."""
import os
import re
import subprocess

from datagrams import STREAM_MODULE
from forward import Requests, found, processor, write

WEB = """daemon off;
master_process off;
worker_processes 1;
pid {folder}/nginx-web.pid;
error_log {folder}/nginx-web.err;
events {{ worker_connections 8192; }}
http {{
  access_log off;
  sendfile on;
  keepalive_requests 1000000000;
  keepalive_timeout 1h;
  # nginx 1.22 does not speak TLS 1.3 unless told to.
  ssl_protocols TLSv1.2 TLSv1.3;
  ssl_certificate {folder}/leaf.pem;
  ssl_certificate_key {folder}/leaf.pem;
  server {{
    listen {server} ssl;
    listen {plain} http2;
    location / {{ root {folder}; }}
    location /small {{ return 200 "{content}"; }}
  }}
}}
"""

NGINX = """daemon off;
master_process off;
worker_processes 1;
load_module {module};
pid {folder}/nginx-tls.pid;
error_log {folder}/nginx-tls.err;
events {{ worker_connections 8192; }}
stream {{
  ssl_protocols TLSv1.2 TLSv1.3;
  ssl_certificate {folder}/leaf.pem;
  ssl_certificate_key {folder}/leaf.pem;
  server {{
    listen 127.0.0.1:{port} ssl;
    proxy_pass {server};
    proxy_ssl on;
    proxy_ssl_protocols TLSv1.2 TLSv1.3;
    proxy_ssl_session_reuse off;
    proxy_ssl_verify on;
    proxy_ssl_trusted_certificate {folder}/leaf.pem;
    proxy_ssl_name localhost;
  }}
}}
"""

HAPROXY = """global
  nbthread 1
  maxconn 8000
defaults
  mode {mode}
  timeout connect 5s
  timeout client 1m
  timeout server 1m
frontend f
  bind 127.0.0.1:{port} {bind}
  default_backend b
backend b
  server s {server} {upstream}
"""
HAPROXY_TLS = {
    "mode": "tcp",
    "bind": "ssl crt {folder}/leaf.pem",
    # Each connection of a client is a new one to the server, as linkcond's are.
    "upstream": "no-ssl-reuse ssl verify required ca-file {folder}/leaf.pem verifyhost localhost",
}
HAPROXY_HTTP2 = {"mode": "http", "bind": "proto h2", "upstream": "proto h2"}

# What h2load is told for each load, and the bytes that come.
FILE_BYTES = 256 << 20
TLS_LOADS = {
    "bulk": (["--h1", "-n4", "-c4", "https://localhost:{port}/file"], 4 * FILE_BYTES),
    "handshakes": (["--h1", "-n1000", "-c1000", "https://localhost:{port}/small"], 0),
}
HTTP2_LOADS = {
    "requests": (["-n40000", "-c1", "-m100", "http://127.0.0.1:{port}/small"], 0),
    "bulk": (["-n4", "-c1", "-m1", "-w24", "-W24", "http://127.0.0.1:{port}/file"], 4 * FILE_BYTES),
}


def tls_subjects():
    return {name: (name, "tls") for name in ("linkcond", "haproxy", "nginx") if name == "linkcond" or found(name)}


def http2_subjects(looking):
    own = {f"linkcond {name}": ("linkcond", "http2", *words[1:]) for name, words in looking.items()}
    return {**own, **{name: (name, "http2") for name in ("nghttpx", "haproxy") if found(name)}}


class Secure(Requests):
    """Runs one load of h2load through one proxy, each fresh; the server is one nginx beside the load."""

    def __enter__(self):
        if not found("nginx") or not found("h2load"):
            raise self.trouble("nginx or h2load is not installed")
        folder = self.bench.folder
        make_certificate(folder)
        with open(os.path.join(folder, "file"), "wb") as file:
            file.truncate(FILE_BYTES)
        self.server = f"127.0.0.1:{self.free_port()}"
        self.plain = f"127.0.0.1:{self.free_port()}"
        config = WEB.format(folder=folder, server=self.server, plain=self.plain, content="x" * 1000)
        words = [found("nginx"), "-p", folder, "-c", write(folder, "nginx-web.conf", config)]
        self.web = self.start(words, self.server, self.cpus[0])
        return self

    def command(self, subject, port):
        name, layer, *options = subject
        folder, listen = self.bench.folder, f"127.0.0.1:{port}"
        if name == "linkcond":
            own = [self.bench.linkcond, "--quiet", "--seed", "1", "--listen", listen, *options]
            if layer == "http2":
                return [*own, "--upstream", self.plain]
            leaf = os.path.join(folder, "leaf.pem")
            opened = ["--tls", "terminate", "--tls-cert", leaf, "--tls-key", leaf]
            return [*own, *opened, "--upstream", "https://localhost:" + self.server.split(":")[1], "--upstream-ca", leaf]
        if name == "nghttpx":
            host, upstream = self.plain.split(":")
            return [
                found(name), "--single-process", "--single-thread", "--conf=/dev/null", "--errorlog-file=/dev/null",
                f"--frontend=127.0.0.1,{port};no-tls", f"--backend={host},{upstream};;proto=h2",
                "--frontend-http2-window-size=16777215", "--frontend-http2-connection-window-size=16777215",
                "--backend-http2-window-size=16777215", "--backend-http2-connection-window-size=16777215",
            ]
        if name == "nginx":
            config = write(folder, "nginx-tls.conf", NGINX.format(folder=folder, module=STREAM_MODULE, port=port, server=self.server))
            return [found(name), "-p", folder, "-c", config]
        choices = HAPROXY_TLS if layer == "tls" else HAPROXY_HTTP2
        choices = {key: value.format(folder=folder) for key, value in choices.items()}
        server = self.server if layer == "tls" else self.plain
        return [found(name), "-db", "-f", write(folder, "haproxy-secure.cfg", HAPROXY.format(port=port, server=server, **choices))]

    def measure(self, subject, load):
        words, size = (TLS_LOADS if subject[1] == "tls" else HTTP2_LOADS)[load]
        port = self.free_port()
        proxy = self.start(self.command(subject, port), f"127.0.0.1:{port}", self.cpus[1])
        try:
            before = processor(proxy.pid)
            seconds, count = self.load([word.format(port=port) for word in words])
            used = processor(proxy.pid) - before
            if size:
                return {"rate": size / seconds / 1e9, "processor": used / (size / 2**30)}
            return {"rate": count / seconds, "processor": used / count}
        finally:
            self.end(proxy)

    def load(self, words):
        done = subprocess.run(
            ["h2load", *words],
            capture_output=True,
            text=True,
            timeout=120,
            preexec_fn=lambda: self.prepare(self.cpus[0], False),
        )
        total = re.search(r"requests: (\d+) total.* (\d+) succeeded", done.stdout)
        if done.returncode or not total or total[1] != total[2]:
            raise self.trouble(done.stderr.strip() or "not every request succeeded")
        number, unit = re.search(r"finished in ([\d.]+)(us|ms|s)", done.stdout).groups()
        return float(number) * {"us": 1e-6, "ms": 1e-3, "s": 1}[unit], int(total[2])


def make_certificate(folder):
    """A key and a certificate for localhost that is its own authority, in one file."""
    key, leaf = (os.path.join(folder, name) for name in ("key.pem", "leaf.pem"))
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", leaf],
        check=True,
        capture_output=True,
    )
    with open(key) as source, open(leaf, "a") as target:
        target.write(source.read())
