internal import Basics

/// Tells HTTP/2 from everything else by the client's first bytes (RFC 9113 §3.4).
///
/// What could still be either is kept until it is known. A server of HTTP/2 may speak first; what
/// cannot be its SETTINGS frame is not waited for.
struct PrefaceWatch {
    enum Verdict {
        case undecided
        case http2
        case other
    }

    private(set) var verdict = Verdict.undecided
    private(set) var client: [UInt8] = []
    private(set) var server: [UInt8] = []

    /// What a server may say before its client.
    private static let maximumServer = 16_384

    mutating func read(_ bytes: Span<UInt8>, _ direction: Direction) {
        if direction == .up {
            for index in bytes.indices { client.append(bytes[index]) }
            let common = zip(client, StreamGates.preface).prefix { $0 == $1 }.count
            if common == StreamGates.preface.count {
                verdict = .http2
            } else if common < client.count {
                verdict = .other
            }
        } else {
            for index in bytes.indices { server.append(bytes[index]) }
            if !couldBeSettings || server.count > Self.maximumServer { verdict = .other }
        }
    }

    /// Notes that one side has ended: what is incomplete now will stay so.
    mutating func end() {
        if verdict == .undecided { verdict = .other }
    }

    /// Whether the server's bytes begin as a SETTINGS frame of the connection does.
    private var couldBeSettings: Bool {
        let kind: [UInt8] = [4, 0, 0, 0, 0, 0]
        return server.first == 0 && zip(server.dropFirst(3), kind).allSatisfy { $0 == $1 }
    }
}
