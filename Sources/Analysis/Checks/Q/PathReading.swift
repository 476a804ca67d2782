internal import Basics

/// An address of the client after its first one, which the server has to validate.
struct NewPath {
    let number: UInt32
    /// 1-RTT packets that came on it from the server, and the line of the first one.
    fileprivate(set) var serverPackets = 0
    fileprivate var line = 0
    /// Whether one of the first packets has a PATH_CHALLENGE.
    fileprivate var isChallenged = false
    /// Whether the client has answered one.
    fileprivate(set) var isValidated = false
    /// The first challenge that the client has acknowledged without answering.
    fileprivate var ignored: (challenge: OpenChallenge, clientPackets: Int)?

    /// How many packets a server may send first: those that were ready to go.
    static let patience = 10

    init(_ number: UInt32) { self.number = number }
}

/// A challenge that the client has neither answered nor acknowledged.
private struct OpenChallenge {
    let data: String
    /// Where its path is in the list.
    let place: Int
    let packet: UInt64
    let line: Int
}

/// Reads how the paths of a flow are validated (RFC 9000 §8.2).
///
/// Only 1-RTT packets count, and only paths that begin after the handshake is confirmed: until then
/// a Handshake packet validates an address (RFC 9000 §8.1).
struct PathReading {
    struct Mistake {
        let reason: String
        let words: String
        let line: Int
    }

    /// Those that are judged, in their order.
    private(set) var paths: [NewPath] = []
    /// Whether an address changed before the handshake was confirmed.
    private(set) var hasEarlyPath = false

    /// All challenges of the server.
    private let known: Set<String>
    /// On which path an answer came last.
    private let answers: [String: UInt32]
    private var wrong: Mistake?

    private var places: [UInt32: Int] = [:]
    private var newest: UInt32 = 0
    /// The packet that tells the client that the handshake is confirmed.
    private var handshakeDone: UInt64?
    private var isConfirmed = false
    private var open: [OpenChallenge] = []
    /// The client's packets so far, but for those that end the connection.
    private var clientPackets = 0

    /// How many packets a client may send first, after it has acknowledged what it has to answer.
    private static let patienceForAnswer = 3
    /// Further challenges are not judged.
    private static let openLimit = 64

    /// - Parameter packets: all of a flow, by time.
    init(_ packets: [ReadPacket]) {
        known = Set(packets.lazy.filter { $0.direction == .down }.flatMap(\.challenges))
        var answers: [String: UInt32] = [:]
        for packet in packets where packet.direction == .up {
            for data in packet.responses { answers[data] = max(answers[data] ?? 0, packet.path) }
        }
        self.answers = answers
        for packet in packets { take(packet) }
    }

    private mutating func take(_ packet: ReadPacket) {
        if packet.path > newest { begin(packet.path) }
        if packet.isInitial, packet.direction == .up { beginConnection() }
        guard packet.is1RTT else { return }
        if packet.direction == .up { takeFromClient(packet) } else { takeFromServer(packet) }
    }

    private mutating func begin(_ path: UInt32) {
        newest = path
        guard isConfirmed else { return hasEarlyPath = true }
        places[path] = paths.count
        paths.append(NewPath(path))
    }

    /// Another connection counts its packets from 0, and begins on its first path.
    private mutating func beginConnection() {
        for place in places.values where !isOver(paths[place]) { paths[place].ignored = nil }
        handshakeDone = nil
        isConfirmed = false
        places = [:]
        open = []
    }

    private mutating func takeFromServer(_ packet: ReadPacket) {
        if packet.hasHandshakeDone, handshakeDone == nil { handshakeDone = packet.number }
        guard let place = places[packet.path] else { return }
        if paths[place].serverPackets == 0 { paths[place].line = packet.line }
        paths[place].serverPackets += 1
        if paths[place].serverPackets <= NewPath.patience, !packet.challenges.isEmpty {
            paths[place].isChallenged = true
        }
        for data in packet.challenges where !paths[place].isValidated {
            if let path = answers[data], path >= packet.path {
                paths[place].isValidated = true
            } else if open.count < Self.openLimit {
                open.append(
                    OpenChallenge(
                        data: data,
                        place: place,
                        packet: packet.number,
                        line: packet.line
                    )
                )
            }
        }
    }

    private mutating func takeFromClient(_ packet: ReadPacket) {
        if !packet.isClosing { clientPackets += 1 }
        if !paths.isEmpty, wrong == nil, let data = packet.responses.first(where: isUnknown) {
            wrong = Mistake(
                reason: "wrong-response",
                words: "PATH_RESPONSE \(data) answers nothing",
                line: packet.line
            )
        }
        for range in packet.acknowledged {
            if let handshakeDone, range.upperBound >= handshakeDone { isConfirmed = true }
            guard !open.isEmpty else { continue }
            for challenge in open where range.contains(challenge.packet) {
                guard paths[challenge.place].ignored == nil else { continue }
                paths[challenge.place].ignored = (challenge, clientPackets)
            }
            open.removeAll { range.contains($0.packet) }
        }
    }

    private func isUnknown(_ data: String) -> Bool { !known.contains(data) }

    /// What is wrong; nil for nothing.
    var mistake: Mistake? { wrong ?? paths.lazy.compactMap(mistake(of:)).first }

    private func mistake(of path: NewPath) -> Mistake? {
        if path.serverPackets > NewPath.patience, !path.isChallenged {
            let packets = Words.count(NewPath.patience, "packet")
            return Mistake(
                reason: "no-challenge",
                words: "no PATH_CHALLENGE in \(packets) to a new address",
                line: path.line
            )
        }
        guard !path.isValidated, isOver(path), let challenge = path.ignored?.challenge else {
            return nil
        }
        return Mistake(
            reason: "no-response",
            words: "PATH_CHALLENGE \(challenge.data) is not answered",
            line: challenge.line
        )
    }

    /// Whether the client has sent enough since it acknowledged a challenge.
    private func isOver(_ path: NewPath) -> Bool {
        path.ignored.map { clientPackets - $0.clientPackets > Self.patienceForAnswer } ?? false
    }
}
