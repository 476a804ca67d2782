internal import Basics
package import HTTPWire
package import QUICWire
internal import SystemIO

/// The messages of a run and how long their parts are: where points can be.
package struct BoundaryMap: Hashable, Sendable {
    /// In order of their connections, then of their requests.
    package var exchanges: [Exchange]
    /// Every connection, in order of accept.
    package var connections: [Connection]

    /// Every flow of datagrams, in order of its first one.
    package var flows: [Flow]

    /// Name lookups, by name, type and number.
    package var lookups: [Lookup] = []

    package init(connections: [Connection], exchanges: [Exchange], flows: [Flow] = []) {
        self.connections = connections
        self.exchanges = exchanges
        self.flows = flows
    }

    /// One name lookup.
    package struct Lookup: Hashable, Sendable {
        /// In small letters.
        package var name: String
        /// As in `AAAA`.
        package var type: String
        /// From 1, among those of this name and type.
        package var ordinal: UInt32
        package var answer: Answer

        package enum Answer: Hashable, Sendable {
            /// The name has no such record, or does not exist.
            case nothing
            case addresses
            case other
        }

        package init(name: String, type: String, ordinal: UInt32, answer: Answer) {
            self.name = name
            self.type = type
            self.ordinal = ordinal
            self.answer = answer
        }
    }

    /// One flow of datagrams.
    package struct Flow: Hashable, Sendable {
        /// From 1, in order of its first datagram.
        package var ordinal: UInt32
        package var up: Datagrams
        package var down: Datagrams

        package init(ordinal: UInt32, up: Datagrams, down: Datagrams) {
            self.ordinal = ordinal
            self.up = up
            self.down = down
        }

        /// The datagrams of a direction.
        package struct Datagrams: Hashable, Sendable {
            package var count: UInt64
            /// QUIC packets by type; empty for another protocol.
            package var packets: [QUICPacketType: UInt64]

            package init(count: UInt64, packets: [QUICPacketType: UInt64] = [:]) {
                self.count = count
                self.packets = packets
            }
        }
    }

    /// One connection, whether its traffic was understood or not.
    package struct Connection: Hashable, Sendable {
        /// From 1, in order of accept.
        package var ordinal: UInt32
        /// Bytes from the client to the origin.
        package var upBytes: UInt64
        package var downBytes: UInt64
        /// Whether its bytes could not be understood as HTTP messages to their end.
        package var isOpaque: Bool
        /// Whether it was under TLS that was opened.
        package var isSealed = false

        package init(ordinal: UInt32, upBytes: UInt64, downBytes: UInt64, isOpaque: Bool) {
            self.ordinal = ordinal
            self.upBytes = upBytes
            self.downBytes = downBytes
            self.isOpaque = isOpaque
        }
    }

    /// How a message's body is delimited (RFC 9112 §6.3).
    package enum Framing: String, Hashable, Sendable {
        case none
        case length
        case chunked
        /// By the end of the connection.
        case close
    }

    /// The length of a message's head and of its content, in bytes.
    package struct Message: Hashable, Sendable {
        package var head: UInt64
        package var body: UInt64
        package var framing: Framing
        /// Content offsets between chunks, without 0 and the end; at most 64.
        package var chunkEdges: [UInt64]
        /// Offsets of lines and values in the head.
        package var headEdges: [UInt64] = []

        package init(
            head: UInt64,
            body: UInt64 = 0,
            framing: Framing = .none,
            chunkEdges: [UInt64] = []
        ) {
            self.head = head
            self.body = body
            self.framing = framing
            self.chunkEdges = chunkEdges
        }
    }

    /// One interim response.
    package struct Interim: Hashable, Sendable {
        package var status: UInt16
        /// Among those of this status in the exchange, from 1.
        package var ordinal: UInt32
        package var head: UInt64
        /// Offsets of lines and values in it.
        package var headEdges: [UInt64] = []

        package init(status: UInt16, ordinal: UInt32, head: UInt64) {
            self.status = status
            self.ordinal = ordinal
            self.head = head
        }
    }

    /// The messages of a WebSocket, a stream of events or a gRPC call.
    package struct Messages: Hashable, Sendable {
        package var kind: MessageKind
        package var up: UInt32
        package var down: UInt32

        package init(_ kind: MessageKind, up: UInt32 = 0, down: UInt32 = 0) {
            self.kind = kind
            self.up = up
            self.down = down
        }
    }

    /// A request and what answered it.
    package struct Exchange: Hashable, Sendable {
        package var connection: UInt32
        /// Among the requests of the connection, from 1.
        package var request: UInt32
        package var method: String
        /// The host that it is for, without a port; nil if the run is about one host only.
        package var host: String?
        /// Without query, percent-encoded as a schedule line wants it.
        package var path: String
        /// Among the run's requests of this method and path, from 1.
        package var match: UInt32
        package var sent: Message
        package var interims: [Interim]
        package var status: UInt16
        /// Nil if no final answer came.
        package var received: Message?
        /// Whether it is a stream of HTTP/2.
        package var isStream = false
        /// What was inside, of a WebSocket or a stream of events.
        package var messages: Messages?
        /// Whether its target had a query, which `path` leaves out.
        package var hasQuery = false

        /// `/path`, or `//host/path` if several hosts are asked.
        package var place: String { (host.map { "//\($0)" } ?? "") + path }

        package init(
            connection: UInt32,
            request: UInt32,
            method: String,
            path: String,
            match: UInt32 = 1,
            sent: Message,
            interims: [Interim] = [],
            status: UInt16,
            received: Message?
        ) {
            self.connection = connection
            self.request = request
            self.method = method
            self.path = path
            self.match = match
            self.sent = sent
            self.interims = interims
            self.status = status
            self.received = received
        }
    }
}

extension BoundaryMap {
    /// Whether anything came through at all.
    package var isEmpty: Bool {
        connections.allSatisfy { $0.upBytes == 0 && $0.downBytes == 0 } && flows.isEmpty
            && lookups.isEmpty
    }

    /// Whether anything was sent.
    var hasUploads: Bool { exchanges.contains { $0.sent.body > 0 } }

    /// The first 16 hexadecimal digits of the map's digest, `base` in a schedule line.
    package var base: String {
        HexadecimalText.encode(SHA256.digest(Array(text.utf8)).prefix(8))
    }

    /// The sizes that make the map, one message a line.
    package var text: String {
        var lines = connections.map { "c\($0.ordinal) \($0.isOpaque ? "opaque" : "http")" }
        for exchange in exchanges {
            let interims = exchange.interims.map { "\($0.status)#\($0.ordinal):\($0.head)" }
            lines.append(
                "c\(exchange.connection)/r\(exchange.request) \(exchange.method)"
                    + " \(exchange.place) \(exchange.sent.text) \(interims.joined(separator: ","))"
                    + " \(exchange.status) \(exchange.received?.text ?? "-")"
            )
        }
        // How many datagrams there are is up to timing.
        lines += flows.map { "u\($0.ordinal) \($0.up.packets.isEmpty ? "datagrams" : "quic")" }
        // So is how often a resolver asks.
        lines += Set(lookups.map(\.name)).sorted().map { "lookup \($0)" }
        lines += connections.filter(\.isOpaque).map {
            "c\($0.ordinal) \($0.upBytes)/\($0.downBytes)"
        }
        return lines.joined(separator: "\n")
    }
}

extension BoundaryMap.Message {
    fileprivate var text: String {
        "\(head)+\(body)/\(framing.rawValue)"
            + (chunkEdges.isEmpty ? "" : "[\(chunkEdges.map(String.init).joined(separator: ","))]")
    }
}
