"""What reads journals: its speed, and how time and memory grow with the length of a journal."""
import hashlib
import json
import os
import subprocess

# Requests on one connection.
KEPT = 4
# Of so many transfers one is a download that is cut and resumed, one an upload.
PERIOD, CUT, UPLOAD = 20, 7, 13

HOST = "127.0.0.1:8080"
DATE = "Sat, 01 Aug 2026 12:{:02}:{:02} GMT"
MODIFIED = "Wed, 01 Jan 1997 00:00:00 GMT"


def hexadecimal(text):
    return hashlib.sha256(text.encode()).hexdigest()


class Writer:
    """Writes the records of a run that never was, as linkcond would."""

    def __init__(self, file):
        self.file = file
        self.count = self.connections = self.requests = self.served = 0
        self.time = 1_000_000

    def add(self, kind, **members):
        record = {"v": 1, "t": kind, **members, "n_approx": self.count, "at_ns": self.time}
        self.file.write(json.dumps(record, separators=(",", ":")) + "\n")
        self.count += 1
        self.time += 700_000

    def start(self):
        self.add(
            "start", tool="linkcond 0.1.0", command="proxy", seed=1, schedule="lc1;seed=1", profile="none",
            profile_sha256=hexadecimal("none"), env={"listen": [HOST]},
        )

    def place(self):
        if self.served == 0:
            self.connections += 1
            self.add("conn", c=self.connections, env={"client": f"127.0.0.1:{20000 + self.connections % 40000}"})
        self.served += 1
        self.requests += 1
        return {"c": self.connections, "r": self.served}

    def close(self):
        counts = {"down_bytes": 4000 * self.served, "up_bytes": 110 * self.served}
        self.add("connend", c=self.connections, by_approx="client", how="fin", **counts, client_end_ns=self.time)
        self.served = 0

    def head(self, fields):
        seconds = self.time // 1_000_000_000
        return {**fields, "date": DATE.format(seconds // 60 % 60, seconds % 60)}

    def body(self, place, side, length, content, complete=True, **more):
        digest = hexadecimal(f"{content} {length}")
        begin = {"first_ns": self.time - 200_000}
        self.add("body", **place, dir=side, bytes=length, complete=complete, sha256=digest, **more, **begin)

    def get(self, path, size, asked=0, cut=None):
        place, tag = self.place(), f'"b1-{size}-0"'
        fields = {"accept-encoding": "identity", "host": HOST}
        answer = {"accept-ranges": "bytes", "content-length": str(size - asked)}
        if asked:
            fields |= {"if-range": tag, "range": f"bytes={asked}-"}
            answer["content-range"] = f"bytes {asked}-{size - 1}/{size}"
        self.add("req", **place, method="GET", target=path, framing="none", head_bytes=108, fields=fields)
        answer |= {"content-type": "application/octet-stream", "etag": tag, "last-modified": MODIFIED}
        head = {"framing": "length", "length": size - asked, "head_bytes": 269}
        self.add("resp", **place, status=206 if asked else 200, **head, fields=dict(sorted(self.head(answer).items())))
        if cut is not None:
            fault = f"c{place['c']}/r{place['r']}:resp.body+{cut}=rst"
            self.add("fault", **place, id=fault, address=f"r{place['r']}:resp.body+{cut}", effect="rst", state="fired", offset=cut)
        self.body(place, "resp", size - asked if cut is None else cut, path, complete=cut is None)
        if cut is not None:
            counts = {"down_bytes": cut + 269, "up_bytes_approx": 108}
            self.add("connend", c=place["c"], by="fault", how="rst", **counts)
            self.served = 0
            self.time += 400_000_000
        elif self.served == KEPT:
            self.close()

    def post(self, size):
        place, path = self.place(), f"/uploads/{hexadecimal(str(self.requests))[:32]}"
        draft = {"upload-draft-interop-version": "6"}
        fields = {"content-length": str(size), "host": HOST, "upload-complete": "?1", **draft, "upload-length": str(size)}
        head = {"framing": "length", "length": size, "head_bytes": 147}
        self.add("req", **place, method="POST", target="/files/", **head, fields=fields)
        self.body(place, "req", size, path, first64k_sha256=hexadecimal(f"{path} {size}"))
        self.add("interim", **place, k=1, status=104, head_bytes=130, fields={"location": path, **draft})
        answer = {"content-length": "65", "content-type": "application/json", "location": path}
        answer |= {"upload-complete": "?1", "upload-offset": str(size)}
        head = {"framing": "length", "length": 65, "head_bytes": 209}
        self.add("resp", **place, status=201, **head, fields=dict(sorted(self.head(answer).items())))
        self.body(place, "resp", 65, path)
        if self.served == KEPT:
            self.close()


def make(path, requests):
    """Writes a journal of some requests, as of a proxy in front of a server with a thousand objects."""
    with open(path, "w") as file:
        writer, turn = Writer(file), 0
        writer.start()
        while writer.requests < requests:
            turn += 1
            size = 3000 + turn * 7919 % 1000
            if turn % PERIOD == UPLOAD:
                writer.post(size)
            elif turn % PERIOD == CUT:
                writer.get(f"/bytes/{size}", size, cut=1500)
                writer.get(f"/bytes/{size}", size, asked=1500)
            else:
                writer.get(f"/bytes/{size}", size)
        if writer.served:
            writer.close()
        writer.add("end", exit=0)
    return os.path.getsize(path)


# What reads a journal to its end, with the MB that it should read in a second.
READERS = {
    "digest": (["journal", "digest"], 100),
    "show": (["journal", "show"], 100),
    "report": (["report"], 50),
}


# Bytes of memory that a report takes for each request.
KEPT_OF_REQUEST = 1300


class Readers:
    def __init__(self, linkcond, cores):
        self.linkcond, self.cores = linkcond, cores

    def measure(self, arguments, path):
        """Processor seconds and MB that were resident at most; nothing if the journal was not read."""
        quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        command = [self.linkcond, *arguments, path]
        process = subprocess.Popen(command, preexec_fn=lambda: os.sched_setaffinity(0, self.cores), **quiet)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        # A report that leaves doubts has a code of its own.
        if process.returncode not in (0, 2):
            return None
        return {"seconds": usage.ru_utime + usage.ru_stime, "megabytes": usage.ru_maxrss * 1024 / 1e6}
