"""The origin beside nginx (downloads) and cp with sync (uploads)."""
import os
import shutil
import subprocess
import time

NGINX = """daemon off;
master_process off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/nginx.err;
events {{ worker_connections 512; }}
http {{
  access_log off;
  sendfile on;
  tcp_nopush on;
  client_body_temp_path {folder}/nginx-body;
  server {{ listen 127.0.0.1:{port}; root {root}; }}
}}
"""


class Servers:
    """The servers that are compared, each on a folder with one file."""

    def __init__(self, linkcond, folder, free_port, prepare):
        self.root = os.path.join(folder, "site")
        os.makedirs(self.root)
        self.folder, self.prepare = folder, prepare
        self.ports, self.processes = {}, []
        self.start("linkcond", free_port(), self.origin(linkcond))
        nginx = shutil.which("nginx") or "/usr/sbin/nginx"
        if os.path.exists(nginx):
            self.start("nginx", free_port(), self.nginx(nginx))

    def origin(self, linkcond):
        return lambda port: [
            *(linkcond, "origin", self.root, "--quiet"),
            *("--listen", f"127.0.0.1:{port}", "--commit", "fsync"),
            # curl takes 300 KiB of response heads at most, 104s included.
            *("--progress-bytes", "1MiB"),
        ]

    def nginx(self, program):
        def command(port):
            path = os.path.join(self.folder, "nginx.conf")
            with open(path, "w") as file:
                file.write(NGINX.format(folder=self.folder, port=port, root=self.root))
            return [program, "-p", self.folder, "-c", path]

        return command

    def start(self, name, port, command):
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen(command(port), preexec_fn=self.prepare, **quiet)
        self.processes.append(process)
        self.ports[name] = port
        time.sleep(0.3)

    def url(self, name, path):
        return f"http://127.0.0.1:{self.ports[name]}{path}"

    def stop(self):
        for process in self.processes:
            process.terminate()
            process.wait()


def make_file(path, size):
    block = os.urandom(1 << 20)
    with open(path, "wb") as file:
        for _ in range(size >> 20):
            file.write(block)
        file.flush()
        os.fsync(file.fileno())


def timed(command):
    began = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    seconds = time.monotonic() - began
    return None if done.returncode else {"seconds": seconds}


def downloads(servers, size, count):
    samples = {name: [] for name in servers.ports}
    for turn in range(count):
        for name in list(samples)[:: 1 if turn % 2 == 0 else -1]:
            sample = timed(["curl", "-sf", "-o", "/dev/null", servers.url(name, "/file")])
            if sample:
                sample["rate"] = size / sample["seconds"] / 1e9
            samples[name].append(sample)
    return samples


def uploads(servers, source, size, count):
    """By PUT, and by a resumable version with its 104s; beside a copy that is on the disk."""
    resumable = ["-H", "Upload-Draft-Interop-Version: 6", "-H", "Upload-Complete: ?1"]
    put = ["curl", "-sf", "-H", "Expect:", "-T", source]
    kept = os.path.join(servers.root, "files")
    copy = os.path.join(servers.root, "copy")
    commands = {
        "plain": [*put, servers.url("linkcond", "/files/plain")],
        "resumable": [*put, *resumable, servers.url("linkcond", "/files/resumable")],
        "cp": ["sh", "-c", f"cp '{source}' '{copy}' && sync '{copy}'"],
    }
    samples = {name: [] for name in commands}
    for turn in range(count):
        for name in list(commands)[:: 1 if turn % 2 == 0 else -1]:
            sample = timed(commands[name])
            if sample:
                sample["rate"] = size / sample["seconds"] / 1e9
            samples[name].append(sample)
            for file in [copy] + [os.path.join(kept, n) for n in os.listdir(kept)]:
                if os.path.exists(file):
                    os.remove(file)
            os.sync()
    return samples
