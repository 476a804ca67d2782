/// What stands in a journal: every type of record and every key, for people.
///
/// A journal is JSON Lines: one object a line, flushed line by line, valid up to its last complete
/// line. The first record is `start`. A reader ignores types and keys that it does not know; the
/// version goes up when a known one changes its meaning.
package enum JournalFormat {
    /// One key of a type of record.
    package struct Key: Hashable, Sendable {
        package let name: String
        package let meaning: String
    }

    /// One type of record.
    package struct RecordType: Hashable, Sendable {
        package let name: String
        package let meaning: String
        package let keys: [Key]
    }

    /// Keys of every record.
    package static let common = keys([
        ("v", "version of this form: 1"),
        ("t", "type of the record"),
        ("l", "listener, from 1; left out for the first"),
        ("c", "connection, from 1 in order of accept; left out in records of the whole run"),
        ("u", "flow of datagrams, from 1 in order of its first one; in place of c"),
        ("r", "request, from 1 on its connection; left out in records about no request"),
        ("n_approx", "order among all records, from 0"),
        ("at_ns", "time since the run began, in nanoseconds"),
        ("env", "what differs from place to place: addresses, ports, paths, process ids, part"),
    ])

    package static let types: [RecordType] =
        [
            type(
                "start",
                "what the run was asked to do",
                [
                    ("tool", "program and version"), ("command", "subcommand"),
                    ("seed", "seed of all draws"),
                    ("schedule", "all faults, as a line that repeats"),
                    ("profile", "name of the profile"),
                    ("profile_sha256", "digest of the profile's canonical form"),
                ]
            ),
            type("conn", "a connection was accepted", []),
            type(
                "connend",
                "a connection ended",
                [
                    ("by", "who ended it: client, upstream, fault, limit, shutdown"),
                    ("by_approx", "the same where both sides ended on their own, in either order"),
                    ("how", "fin, rst, hole, refused, timeout"),
                    (
                        "how_approx",
                        "the same in HTTP/2 where a side ended on its own: rst if frames are unread"
                    ),
                    ("down_bytes", "bytes that the client got, an exact number"),
                    ("down_bytes_approx", "the same, cut from outside at a moment"),
                    ("down_sha256", "digest of these bytes, if it was taken"),
                    ("up_bytes", "bytes that the server got, an exact number"),
                    ("up_bytes_approx", "the same, cut from outside at a moment"),
                    ("up_sha256", "digest of these bytes, if it was taken"),
                    ("client_end_ns", "when the client ended its side, as at_ns"),
                    (
                        "late_streams",
                        "HTTP/2 streams that the client opened once it knew of GOAWAY"
                    ),
                ]
            ),
            type("flow", "a client sent its first datagram", []),
            type(
                "quic",
                "a flow is a QUIC connection",
                [
                    ("version", "1, 2 or hexadecimal"),
                    ("sni", "name of the server that the client wants; left out if it names none"),
                    ("alpn", "protocols that it offers, in its order"),
                    ("dcid_approx", "the destination connection id of its first packet"),
                    ("scid_approx", "the source connection id"),
                    ("max_idle_ms", "idle time after which the client ends the connection"),
                ]
            ),
            type(
                "qpacket",
                "a QUIC packet that --quic-secrets opened",
                [
                    ("dir", "down: to the client; up: to the server"),
                    ("k", "number of its datagram in this direction, from 1"),
                    ("bytes", "length of the datagram"),
                    ("packet", "initial, 0rtt, handshake or 1rtt"), ("number", "packet number"),
                    (
                        "frames",
                        "types, some with a value, equal ones once; unknown and cut may hide others"
                    ),
                    ("path", "how often the flow had changed its address; left out for 0"),
                    ("came_ns", "when the datagram came from its sender, as at_ns"),
                    ("silence_ns", "time in which its sender had sent and got nothing"),
                    ("max_idle_ms", "idle time of the server, where this packet tells it"),
                ]
            ),
            type(
                "datagram",
                "what became of a datagram (--record-datagrams)",
                [
                    ("dir", "down: to the client; up: to the server"),
                    ("k", "its number in this direction, from 1"), ("bytes", "its length"),
                    ("packets", "types of its QUIC packets, in their order"),
                    ("fate", "delivered; lost by link, fault, budget, overflow, system; pending"),
                    ("fault", "the fault that dropped it"),
                    ("came_ns", "when it came from its sender, as at_ns; at_ns: its fate"),
                    ("digested", "true if it is part of the canonical form"),
                ]
            ),
            type(
                "flowend",
                "a flow of datagrams ended",
                [
                    ("by", "what ended it: idle, shutdown, association"),
                    ("down_approx", "datagrams that came for the client"),
                    ("down_delivered_approx", "those that it was sent"),
                    ("down_bytes_approx", "bytes that it was sent"),
                    ("down_packets_approx", "QUIC packets among them, by type"),
                    ("down_unopened_approx", "QUIC packets that --quic-secrets did not open"),
                    ("down_lost_approx", "those that the link lost, as 3,7-9"),
                    ("up_approx", "datagrams that came from the client"),
                    ("up_delivered_approx", "those that the server was sent"),
                    ("up_bytes_approx", "bytes that the server was sent"),
                    ("up_packets_approx", "QUIC packets among them, by type"),
                    ("up_unopened_approx", "QUIC packets that --quic-secrets did not open"),
                    ("up_lost_approx", "those that the link lost, as 3,7-9"),
                    ("unvalidated_up_approx", "bytes to a QUIC server that has not validated"),
                    ("unvalidated_down_approx", "and from it, when closest to three times that"),
                    ("down_last_ns", "when the client was last sent one, as at_ns"),
                    ("outage_last_ns", "when an outage of the link last swallowed one"),
                ]
            ),
            type(
                "fault",
                "what became of a fault",
                [
                    ("id", "the fault as text; #2 and so on tells equal ones apart"),
                    ("address", "where it was, with everything drawn"), ("effect", "what it does"),
                    (
                        "state",
                        "fired; undelivered: bytes before it were not acknowledged; unreached"
                    ),
                    ("reason", "why it was not reached"), ("offset", "bytes delivered before it"),
                    ("racy", "true if timing had a say in it"),
                    ("by_hand", "true if somebody did this by hand, with no schedule"),
                ]
            ),
            type(
                "draw",
                "a random draw that decided something",
                [
                    ("stream", "what was drawn"), ("index", "place in the stream"),
                    ("value", "what came out"),
                ]
            ),
            type(
                "path",
                "what the path is like; with two, also that of a connection",
                [
                    ("interface", "kind of interface"), ("expensive", "true or false"),
                    ("constrained", "true or false"),
                    ("unsatisfied", "true while control says that nothing passes"),
                ]
            ),
            type(
                "budget",
                "the byte budget reached a limit",
                [
                    ("limit", "soft: slower from here; hard: nothing passes any more"),
                    ("bytes", "the limit"), ("bps", "bits per second from here on"),
                ]
            ),
            type(
                "upstream",
                "the server could not be reached or was lost",
                [
                    (
                        "error",
                        "refused, timeout, unreachable, name-…, lost, not-allowed, proxy, other"
                    )
                ]
            ),
            type(
                "dns",
                "a name server was asked (linkcond dns)",
                [
                    ("transport", "udp or tcp"), ("name", "name that is asked for"),
                    ("qtype", "type of record, such as AAAA"),
                    ("number", "of the queries for this name and type, from 1"),
                    ("source", "whose answer it is: name, upstream, fault, none"),
                    ("answer", "response code and addresses, or what was done instead"),
                    ("answer_approx", "the same, of another server"),
                    ("faults", "those that acted, as text"),
                ]
            ),
            type("note", "an observation", [("text", "in words")]),
            type(
                "change",
                "somebody changed something by hand",
                [
                    ("action", "what was done"),
                    ("by", "control: the control API; key: a key; signal: a signal"),
                    ("detail", "what it was done with"),
                    ("adds", "faults that act from here on, as text"),
                    ("removes", "faults that were removed before they had any effect"),
                    ("connections_approx", "on how many connections it took effect"),
                    ("at_approx", "on which ones (c, l), and their delivered bytes (up, down)"),
                ]
            ),
            type(
                "internal",
                "a problem in linkcond itself",
                [
                    (
                        "kind",
                        "descriptor-limit, journal-overflow, late-pacing, clock-step, udp-drops, other"
                    ),
                    ("text", "in words"),
                ]
            ),
        ] + exchangeTypes + outcomeTypes

    /// The whole description as plain text, at most 100 columns wide.
    package static var table: String {
        var lines = [
            "A journal is JSON Lines, version \(JournalRecord.version): one record a line.", "",
            "every record",
        ]
        lines += common.map(row)
        for type in types {
            lines += ["", "\(type.name): \(type.meaning)"] + type.keys.map(row)
        }
        lines += [
            "",
            "Credentials, cookies and query strings are placeholders: {s1}, ?{q1}.",
            "The canonical form leaves out keys that end in _ns, _ms or _approx, the object env,",
            "and records of type internal, qpacket and end, and of type datagram that are not",
            "digested; keys are sorted, records are ordered by connection, request and direction.",
            "Values that servers create anew have names there: {authority}, {u1} for an upload's URL,",
            "{e1} for an entity tag, {t1} for its date.",
            "What was done by hand is in the schedule of its start, as if it had been planned, and",
            "change records are left out: a session by hand has the digest of the run that repeats it.",
            "racy is left out there: of two runs that came to the same, one may be marked; and of a",
            "request that was refused by an error with Connection: close, how much was sent.",
            "Its SHA-256 is the digest of the run.",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func row(_ key: Key) -> String {
        let padding = String(repeating: " ", count: max(1, 20 - key.name.count))
        return "  \(key.name)\(padding)\(key.meaning)"
    }

    static func type(
        _ name: String,
        _ meaning: String,
        _ list: [(String, String)]
    ) -> RecordType {
        RecordType(name: name, meaning: meaning, keys: keys(list))
    }

    private static func keys(_ list: [(String, String)]) -> [Key] {
        list.map { Key(name: $0, meaning: $1) }
    }
}
