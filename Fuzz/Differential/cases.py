"""Traffic of HTTP/1.x connections, mutated, and the comparison of what parsers make of it.

    cases.py make COUNT SEED [--clean]   writes one case a line: the bytes of client and server in
                                         hexadecimal, with a space between
    cases.py compare CASES TAP OTHER... [--clean]
                                         compares traces of these cases; exit code 1 if the tap was
                                         certain and another parser saw another boundary, or opaque
                                         for clean traffic

A trace has a line for each case: the client's direction, `|`, the server's. A direction is a word for
each message, `HEADEND:CONTENTBYTES:FNV1A:END` with `-` for an end that has not come, then a state: `P`,
more bytes may follow; `E`, refused (the tap: opaque); `S`, this parser stops here by design.
"""
import random
import sys

METHODS = ["GET", "GET", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
TOKENS = [
    b"\r\n", b"\n", b"\r", b" ", b"\t", b":", b"\0", b"\r\n\r\n", b"0\r\n\r\n", b"5\r\nhello\r\n",
    b"Content-Length: 5\r\n", b"Content-Length: 0\r\n", b"Content-Length: 5, 5\r\n",
    b"Content-Length:\r\n", b"Content-Length: +5\r\n", b"Content-Length: 0x5\r\n",
    b"Content-Length : 5\r\n", b"content-length: 05\r\n", b"Content-Length: -1\r\n",
    b"Transfer-Encoding: chunked\t\r\n", b"Transfer-Encoding:\tchunked\r\n",
    b"Content-Length: 5\t\r\n", b"Content-Length:\t5\r\n", b"Content-Length: 5 \r\n",
    b"Transfer-Encoding: chunked \r\n", b"Transfer-Encoding:chunked\r\n",
    b"Transfer-Encoding: chunked\r\n", b"Transfer-Encoding: identity\r\n",
    b"Transfer-Encoding: gzip, chunked\r\n", b"Transfer-Encoding: chunked, gzip\r\n",
    b"Transfer-Encoding : chunked\r\n", b"transfer-encoding: Chunked\r\n",
    b"Transfer-Encoding:\x0bchunked\r\n", b"Transfer-Encoding: chunked, chunked\r\n",
    b"Connection: close\r\n", b"Connection: keep-alive\r\n", b"Connection: Upgrade\r\n",
    b"Upgrade: h2c\r\n", b"Expect: 100-continue\r\n", b"HTTP/1.1", b"HTTP/1.0", b"HTTP/2.0",
    b"HTTP/1.1 100 Continue\r\n\r\n", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 204 No Content\r\n\r\n",
    b"HTTP/1.1 304 Not Modified\r\n", b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", b"HEAD ", b"CONNECT ",
    b" folded\r\n", b"\tfolded\r\n", b";a=b", b";a=\"b;c\"", b" ;a", b"ffffffffffffffff", b"F",
    b"00000000000000000005", b"X: \x80\xff\r\n", b"X\r\n", b": x\r\n", b"\x16\x03\x01",
]


def fields(rng):
    names = [b"Accept", b"X-A", b"Content-Type", b"ETag", b"X-Long", b"Link"]
    values = [b"*/*", b"a, b", b"", b"x" * 40, b"\"q\"", b"a b", b"<u>; rel=x"]
    return b"".join(
        rng.choice(names) + b":" + rng.choice([b" ", b"", b"  ", b"\t"]) + rng.choice(values)
        + rng.choice([b"", b"", b" "]) + b"\r\n"
        for _ in range(rng.choice([0, 1, 1, 2, 3]))
    )


def content(rng):
    size = rng.choice([0, 1, 2, 5, 10, 17, 40])
    return bytes(rng.choice(b"abcdef\r\n0123456789: ") for _ in range(size))


def chunks(rng, data):
    text = b""
    while data:
        size = rng.randint(1, len(data))
        extension = rng.choice([b"", b"", b"", b";a", b";a=b", b";a=\"b c\"", b";a=b;c=d"])
        form = rng.choice(["%x", "%X", "%03x"])
        text += (form % size).encode() + extension + b"\r\n" + data[:size] + b"\r\n"
        data = data[size:]
    trailers = rng.choice([b"", b"", b"X: y\r\n", b"A: b\r\nC: d\r\n"])
    return text + rng.choice([b"0", b"0", b"000"]) + b"\r\n" + trailers + b"\r\n"


def framed(rng, lines):
    """Fields and content, framed in one way or the other; `lines` are other fields."""
    kind = rng.choice(["length", "length", "chunked"])
    data = content(rng)
    if kind == "length":
        name = rng.choice([b"Content-Length", b"content-length"])
        own = name + b": " + str(len(data)).encode() + b"\r\n"
    else:
        own = b"Transfer-Encoding: chunked\r\n"
        data = chunks(rng, data)
    both = [own, lines]
    rng.shuffle(both)
    return b"".join(both), data


def request(rng, is_last):
    method = rng.choice(METHODS)
    version = b"1.1"
    lines = b"Host: a.example\r\n" + fields(rng)
    if rng.random() < 0.05:
        version = b"1.0"
        lines += b"Connection: keep-alive\r\n"
    elif is_last and rng.random() < 0.1:
        lines += b"Connection: close\r\n"
    elif is_last and rng.random() < 0.05:
        method = "CONNECT"
        return method, b"CONNECT a.example:80 HTTP/1.1\r\n" + lines + b"\r\n"
    data = b""
    if method in ("POST", "PUT", "PATCH"):
        if version == b"1.0":
            data = content(rng)
            lines += b"Content-Length: " + str(len(data)).encode() + b"\r\n"
        else:
            if rng.random() < 0.1:
                lines += b"Expect: 100-continue\r\n"
            lines, data = framed(rng, lines)
    target = rng.choice([b"/", b"/big.bin", b"/u/1?x=y", b"http://a.example/x"])
    line = method.encode() + b" " + target + b" HTTP/" + version + b"\r\n"
    return method, line + lines + b"\r\n" + data


def response(rng, method, is_last):
    text = b""
    for _ in range(rng.choice([0, 0, 0, 1, 2])):
        status = rng.choice([b"100 Continue", b"103 Early Hints", b"104 Upload Resumption"])
        text += b"HTTP/1.1 " + status + b"\r\n" + fields(rng) + b"\r\n"
    if method == "CONNECT":
        return text + b"HTTP/1.1 407 Auth\r\nContent-Length: 2\r\n\r\nno"
    status = rng.choice(
        [b"200 OK", b"200 OK", b"206 Partial Content", b"201 Created", b"404 Not Found", b"500 ",
         b"204 No Content", b"304 Not Modified"]
    )
    lines = fields(rng)
    line = b"HTTP/1.1 " + status + b"\r\n"
    if status[:3] == b"204":
        return text + line + lines + b"\r\n"
    if status[:3] == b"304" or method == "HEAD":
        lines += rng.choice([b"", b"Content-Length: 5\r\n"])
        return text + line + lines + b"\r\n"
    if is_last and rng.random() < 0.2:
        return text + line + lines + b"\r\n" + content(rng)
    if is_last and rng.random() < 0.1:
        lines += b"Connection: close\r\n"
    lines, data = framed(rng, lines)
    return text + line + lines + b"\r\n" + data


def connection(rng):
    count = rng.choice([1, 1, 2, 3])
    client = server = b""
    for index in range(count):
        is_last = index == count - 1
        method, text = request(rng, is_last)
        client += text
        server += response(rng, method, is_last)
    return client, server


def mutate(rng, data, other):
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 4])):
        place = rng.randint(0, len(data))
        kind = rng.randrange(9)
        if kind == 0 and data:
            data[place % len(data)] ^= 1 << rng.randrange(8)
        elif kind == 1 and data:
            data[place % len(data)] = rng.choice(b"\r\n :;,0123456789aAfF\t\0")
        elif kind == 2:
            del data[place:place + rng.choice([1, 1, 2, 5, 20])]
        elif kind == 3:
            data[place:place] = data[place:place + rng.choice([1, 2, 10, 60])]
        elif kind == 4:
            del data[place:]
        elif kind == 5:
            start = rng.randint(0, len(other))
            data[place:place] = other[start:start + rng.choice([1, 5, 30, 100])]
        else:
            # Most often where a line begins, so that it is a field of its own.
            starts = [i + 2 for i in range(len(data) - 1) if data[i:i + 2] == b"\r\n"]
            if starts and rng.random() < 0.7:
                place = rng.choice(starts)
            data[place:place] = rng.choice(TOKENS)
    return bytes(data)


def make(count, seed, is_clean):
    rng = random.Random(seed)
    previous = (b"", b"")
    for _ in range(count):
        client, server = pair = connection(rng)
        if not is_clean:
            side = rng.randrange(3)
            if side != 1:
                client = mutate(rng, client, previous[0])
            if side != 0:
                server = mutate(rng, server, previous[1])
        previous = pair
        print(client.hex(), server.hex())


class Counts:
    def __init__(self):
        self.messages = self.refused = self.opaque = self.agreed = self.needless = 0
        self.wrong = []


def direction(text):
    words = text.split(" ")
    return words[:-1], words[-1]


def differs(tap, other):
    """Why the tap is certain of what the other parser sees otherwise; empty if it is not."""
    (mine, my_state), (theirs, state) = tap, other
    for index, (one, two) in enumerate(zip(mine, theirs)):
        # The other's last message may be short because it refuses or stops within it.
        if one == two:
            continue
        is_end = index == len(theirs) - 1 and two.endswith(":-") and state != "P"
        own_end = index == len(mine) - 1 and one.endswith(":-") and my_state == "E"
        if one.split(":")[0] != two.split(":")[0] or not (is_end or own_end):
            return "message %d: %s, not %s" % (index + 1, one, two)
    if len(mine) > len(theirs) and state == "P":
        return "%d messages, not %d" % (len(mine), len(theirs))
    if len(theirs) > len(mine) and my_state == "P":
        return "%d messages, not %d (more)" % (len(mine), len(theirs))
    return ""


def compare(cases, tap, others, is_clean):
    counts = Counts()
    for number, lines in enumerate(zip(cases, tap, *others), 1):
        lines = [line.rstrip("\n") for line in lines]
        for side in (0, 1):
            mine, *theirs = [direction(line.split(" | ")[side]) for line in lines[1:]]
            counts.messages += len(mine[0])
            for index, other in enumerate(theirs):
                reason = differs(mine, other)
                if reason:
                    counts.wrong.append((number, side, index, reason, lines[0].split(" ")[side]))
            if all(len(other[0]) < len(mine[0]) for other in theirs):
                counts.refused += 1
            if mine[1] == "E":
                counts.opaque += 1
                if all(other == theirs[0] and other[1] != "E" for other in theirs):
                    counts.needless += len(theirs[0][0]) > len(mine[0])
            elif all(other == mine for other in theirs):
                counts.agreed += 1
    print(
        "%d messages; all agree on %d directions; opaque in %d, needlessly in %d; the last message"
        " seen by the tap alone in %d; other boundaries: %d"
        % (counts.messages, counts.agreed, counts.opaque, counts.needless, counts.refused,
           len(counts.wrong))
    )
    for number, side, index, reason, data in counts.wrong[:20]:
        print("case %d, %s, parser %d: %s" % (number, ("client", "server")[side], index + 1, reason))
        print("   ", bytes.fromhex(data))
    return 1 if counts.wrong or (is_clean and counts.opaque) else 0


if sys.argv[1] == "make":
    make(int(sys.argv[2]), int(sys.argv[3]), "--clean" in sys.argv)
else:
    is_clean = "--clean" in sys.argv
    paths = [open(path) for path in sys.argv[2:] if path != "--clean"]
    sys.exit(compare(paths[0], paths[1], paths[2:], is_clean))
