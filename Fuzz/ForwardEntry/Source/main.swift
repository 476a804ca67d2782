// Invariant: what a client says first to a forward proxy, by HTTP or SOCKS, comes to the same whether it
// comes at once or byte by byte; no answer takes away more than has come; a destination has a host and
// a port. What servers get of requests in absolute form does not depend on it either, nor does what is left
// for another connection. The same holds for what another proxy answers that is asked for a tunnel; what begins behind its
// answer is left. The header of a relayed datagram is within it.

import FuzzSupport
import Proxy

/// The answers to what comes in pieces of one size, and where it leads.
private func talk(_ bytes: [UInt8], pieces: Int) -> (answers: [UInt8], destination: Destination?) {
    var settings = ForwardSettings()
    if bytes.count.isMultiple(of: 2) { settings.credentials = .init(user: "u", password: "p") }
    var entry = ForwardEntry(settings, address: "127.0.0.1:1")
    var (read, arrived) = (0, 0)
    var answers: [UInt8] = []
    while true {
        switch entry.read(Array(bytes[read..<arrived])) {
        case .needsMore:
            guard arrived < bytes.count else { return (answers, nil) }
            arrived += min(pieces, bytes.count - arrived)
        case .answer(let answer, let consumed):
            require(consumed > 0 && consumed <= arrived - read, "an answer takes what has come")
            answers += answer
            read += consumed
        case .destination(let destination, let consumed):
            require(consumed <= arrived - read, "a destination takes what has come")
            require(!destination.host.isEmpty && destination.port > 0, "a destination is a place")
            require(entry.carriesURLs == (consumed == 0), "a request stays to be passed on")
            if let relay = entry.relay(readsAnswers: false) {
                answers += pass(Array(bytes[read...]), relay, pieces)
            }
            return (answers, destination)
        case .association(let consumed):
            require(consumed > 0 && consumed <= arrived - read, "a relay takes what has come")
            return (answers + [UInt8(truncatingIfNeeded: read + consumed)], nil)
        case .refused: return (answers, nil)
        }
    }
}

/// What a server gets of requests that come in pieces of one size, and what is left.
private func pass(_ bytes: [UInt8], _ relay: RequestRelay, _ pieces: Int) -> [UInt8] {
    var relay = relay
    var sent: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty, relay.rest == nil {
        let piece = Array(rest.prefix(pieces))
        rest = rest.dropFirst(piece.count)
        sent += relay.read(piece.span) ?? piece
    }
    return sent + [0] + (relay.rest ?? []) + rest
}

/// What is said to another proxy that answers in pieces of one size, where the tunnel begins in its
/// answer, and why there is none.
private func open(_ url: String, _ bytes: [UInt8], pieces: Int)
    -> (said: [UInt8], begin: Int?, failure: TunnelFailure?)
{
    guard let proxy = try? NextProxy(parsing: url) else { fatalError("a proxy") }
    var opening = TunnelOpening(proxy, to: Destination(host: "a.test", port: 1))
    var (read, arrived) = (0, 0)
    var said = opening.greeting
    while true {
        let step = opening.read(Array(bytes[read..<arrived]))
        switch step {
        case .needsMore(let consumed), .answer(_, let consumed), .open(let consumed):
            require(consumed >= 0 && consumed <= arrived - read, "a step takes what has come")
            read += consumed
        case .failed: break
        }
        switch step {
        case .needsMore:
            guard arrived < bytes.count else { return (said, nil, opening.failureAtEnd) }
            arrived += min(pieces, bytes.count - arrived)
        case .answer(let answer, _): said += answer
        case .open: return (said, read, nil)
        case .failed(let failure): return (said, nil, failure)
        }
    }
}

fuzz { bytes in
    guard bytes.count < 4_096 else { return }
    if let header = RelayHeader(bytes) {
        require(header.length <= bytes.count, "a header is within its datagram")
        let own = Array(bytes[..<header.length])
        require(RelayHeader(own) == header, "and needs nothing behind it")
        require(RelayHeader(Array(own.dropLast())) == nil, "nor less")
    }
    let whole = talk(bytes, pieces: .max)
    let cut = talk(bytes, pieces: 1)
    require(whole.answers == cut.answers, "answers do not depend on how it is cut")
    require(whole.destination == cut.destination, "nor does the destination")
    for url in ["http://p:1", "http://u:p@p:1", "socks5://p:1", "socks5://u:p@p:1"] {
        let (whole, cut) = (open(url, bytes, pieces: .max), open(url, bytes, pieces: 1))
        require(whole.said == cut.said, "what is said to a proxy does not depend on how it answers")
        require(whole.begin == cut.begin, "nor does where the tunnel begins")
        require(whole.failure == cut.failure, "nor does why there is none")
    }
}
