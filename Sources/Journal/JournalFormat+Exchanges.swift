extension JournalFormat {
    private static let headKeys = [
        ("framing", "none, length, chunked, close: how the end of its content is known"),
        ("length", "content bytes that the head declares"),
        ("head_bytes", "bytes of start line and fields, without the value of grpc-timeout"),
        ("fields", "fields that matter to transfers, in small letters"),
    ]

    /// Types of records about requests and their answers.
    static let exchangeTypes: [RecordType] = [
        type(
            "req",
            "a request's head, as the client sent it",
            [("method", "its method"), ("target", "its target; a query string is a placeholder")]
                + headKeys + [
                    ("racy", "true if timing decided which request of the run it is"),
                    ("http", "2 for a stream of HTTP/2; not there for HTTP/1.x"),
                ]
        ),
        type(
            "interim",
            "an interim response, as the client got it",
            [("k", "ordinal among those of its status, from 1"), ("status", "100 to 199")]
                + headKeys.filter { $0.0 == "head_bytes" || $0.0 == "fields" }
                + [("by", "fault: not the server made it so")]
        ),
        type(
            "resp",
            "a final response's head, as the client got it",
            [("status", "200 to 999")] + headKeys
                + [("by", "fault: not the server made it so")]
        ),
        type(
            "body",
            "the content of a message, after its end",
            [
                ("dir", "req: to the server; resp: to the client"),
                ("bytes", "content bytes delivered, an exact number"),
                ("bytes_approx", "the same, cut from outside at a moment"),
                ("complete", "whether the message came to its own end"),
                ("sha256", "digest of these bytes, if it was taken"),
                ("first64k_sha256", "digest of the first 64 KiB of a request's content"),
                ("chunks", "content offsets where chunks ended, at most 64"),
                ("first_ns", "when its first byte passed, as at_ns"),
            ]
        ),
        type(
            "messages",
            "what was inside a WebSocket, a stream of events or a gRPC call, after its end",
            [
                ("dir", "req: to the server; resp: to the client"),
                ("kind", "ws: messages of a WebSocket; sse: server-sent events; grpc: of a call"),
                ("count", "whole messages delivered, an exact number"),
                ("count_approx", "the same, cut from outside at a moment"),
                ("partial", "bytes delivered of one more; of an event, once its first `data` was"),
                ("partial_approx", "the same, cut from outside at a moment"),
                ("whole", "whether the messages came to their own end"),
                ("close", "code of the close frame delivered; 1005 for one without a code"),
                ("last_id", "the last event id delivered"),
                ("last_id_approx", "the same, cut from outside at a moment"),
                ("retry", "milliseconds that the client was told to wait"),
                ("status", "code with which a gRPC call ended, from trailers delivered"),
                (
                    "pushback",
                    "milliseconds that the client was told to wait before another attempt"
                ),
                ("no_retry", "whether the client was told to make no other attempt"),
            ]
        ),
        type(
            "opaque",
            "from here on nothing is known of what the connection carries",
            [("dir", "side on which it was noticed, req or resp"), ("reason", "why")]
        ),
    ]

    /// Types of records about the outcome of the run.
    static let outcomeTypes: [RecordType] = [
        type(
            "origin",
            "what the origin server stored, as it tells itself",
            [
                ("event", "created, committed, complete, cancelled, invalid"),
                ("resource", "path of the upload"), ("offset", "bytes stored"),
                ("sha256", "digest of a complete upload"),
            ]
        ),
        type(
            "command",
            "the command of the run ended",
            [
                ("exit", "its exit code"), ("signal", "number of the signal that ended it"),
                ("timed_out", "true if it was ended at its deadline"),
                ("started_ns", "when it was started, as at_ns"),
            ]
        ),
        type(
            "verdict",
            "what a check found",
            [
                ("check", "name of the check"),
                ("verdict", "pass, fail, inconclusive, skipped"),
                ("limit", "what is allowed"), ("reason", "why, in a word"),
                ("observed_approx", "what was seen"),
                ("lines_approx", "lines of this journal that show it, from 1"),
            ]
        ),
        type(
            "end",
            "the run ended",
            [
                ("exit", "exit code"), ("verdict", "what all checks together say"),
                ("digest", "digest of the canonical form"),
            ]
        ),
    ]
}
