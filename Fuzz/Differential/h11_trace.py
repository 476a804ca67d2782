"""What h11 says of each case of the standard input; cases.py describes the lines."""
import sys

import h11

LIMIT = 1 << 17


class Trace:
    """The messages of one direction."""

    def __init__(self):
        self.messages = []

    def head(self, place):
        self.messages.append([place, 0, 0x811C9DC5, None])

    def content(self, data):
        message = self.messages[-1]
        message[1] += len(data)
        digest = message[2]
        for byte in data:
            digest = ((digest ^ byte) * 0x01000193) & 0xFFFFFFFF
        message[2] = digest

    def end(self, place):
        self.messages[-1][3] = place

    def text(self, state):
        words = [
            "%d:%d:%d:%s" % (a, b, c, "-" if d is None else d) for a, b, c, d in self.messages
        ]
        return " ".join(words + [state])


def requests(data):
    """The trace of a client's bytes, and the methods of its requests."""
    trace = Trace()
    methods = []
    connection = h11.Connection(h11.SERVER, max_incomplete_event_size=LIMIT)
    place = lambda: len(data) - len(connection._receive_buffer)
    try:
        if data:
            connection.receive_data(data)
        while True:
            event = connection.next_event()
            if event is h11.NEED_DATA:
                return trace.text("P"), methods
            if event is h11.PAUSED:
                return trace.text("S"), methods
            if isinstance(event, h11.Request):
                trace.head(place())
                methods.append(event.method)
            elif isinstance(event, h11.Data):
                trace.content(bytes(event.data))
            elif isinstance(event, h11.EndOfMessage):
                trace.end(place())
                if connection.their_state is h11.MIGHT_SWITCH_PROTOCOL:
                    return trace.text("S"), methods
                connection.send(h11.Response(status_code=200, headers=[("Content-Length", "0")]))
                connection.send(h11.EndOfMessage())
                if connection.our_state is not h11.DONE or connection.their_state is not h11.DONE:
                    return trace.text("S"), methods
                connection.start_next_cycle()
            else:
                return trace.text("S"), methods
    except h11.RemoteProtocolError:
        return trace.text("E"), methods


def responses(data, methods):
    """The trace of a server's bytes that answer requests with these methods."""
    trace = Trace()
    start = 0
    for method in methods:
        connection = h11.Connection(h11.CLIENT, max_incomplete_event_size=LIMIT)
        rest = data[start:]
        place = lambda: len(data) - len(connection._receive_buffer)
        headers = [("Host", "a")]
        if method == b"CONNECT":
            target = "a:1"
        else:
            target = "/"
        try:
            connection.send(h11.Request(method=method, target=target, headers=headers))
            connection.send(h11.EndOfMessage())
            if rest:
                connection.receive_data(rest)
            while True:
                event = connection.next_event()
                if event is h11.NEED_DATA:
                    return trace.text("P")
                if event is h11.PAUSED:
                    return trace.text("S")
                if isinstance(event, h11.InformationalResponse):
                    trace.head(place())
                    trace.end(place())
                    if event.status_code == 101:
                        return trace.text("S")
                elif isinstance(event, h11.Response):
                    trace.head(place())
                elif isinstance(event, h11.Data):
                    trace.content(bytes(event.data))
                elif isinstance(event, h11.EndOfMessage):
                    trace.end(place())
                    start = place()
                    if connection.their_state is not h11.DONE:
                        return trace.text("S")
                    break
                else:
                    return trace.text("S")
        except h11.RemoteProtocolError:
            return trace.text("E")
        except h11.LocalProtocolError:
            return trace.text("S")
    return trace.text("S")


for line in sys.stdin:
    client, server = line.rstrip("\n").split(" ")
    text, methods = requests(bytes.fromhex(client))
    print(text, "|", responses(bytes.fromhex(server), methods))
