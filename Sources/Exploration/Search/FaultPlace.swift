/// Where in a run's traffic a fault acts, as a schedule line writes it: `c1/r1:resp.body+1`.
package struct FaultPlace: Hashable, Sendable {
    /// Which one of several, from 1, or all of them.
    package enum Ordinal: Hashable, Sendable {
        case one(UInt32)
        case every

        var text: String {
            switch self {
            case .one(let number): String(number)
            case .every: "*"
            }
        }
    }

    /// The connection, request or object that a fault belongs to.
    package enum Target: Hashable, Sendable {
        /// `c1`: the n-th connection of the run.
        case connection(Ordinal)
        /// `c1/r2`: the n-th request on a connection.
        case request(connection: Ordinal, request: Ordinal)
        /// `GET(/a)#1`: the n-th request of the run with this method and path.
        case matching(method: String, path: String, Ordinal)
        /// `obj(/a)#2`: the origin's object, from the n-th request for it.
        case object(path: String, Ordinal)
    }

    /// The part of the traffic whose bytes are counted.
    package enum Part: Hashable, Sendable {
        case connect
        case idle
        case up
        case down
        case requestHead
        case requestBody
        case requestEnd
        /// An interim response: its status, and which one of that status.
        case interim(status: UInt16, UInt32)
        case responseHead
        case responseBody
        case responseEnd
    }

    /// How far into the part.
    package enum Offset: Hashable, Sendable {
        /// At its end.
        case none
        case fromStart(UInt64)
        case fromEnd(UInt64)
        case perMille(UInt64)
    }

    package var target: Target
    package var part: Part?
    package var offset = Offset.none

    package init(_ target: Target, _ part: Part?, _ offset: Offset = .none) {
        self.target = target
        self.part = part
        self.offset = offset
    }

    package var text: String {
        target.text + (part.map { ":" + $0.text } ?? "") + offset.text
    }

    /// Target and part without the offset: what a finding names as its place.
    package var message: String { target.text + (part.map { ":" + $0.message } ?? "") }
}

extension FaultPlace.Target {
    package var text: String {
        switch self {
        case .connection(let ordinal): "c\(ordinal.text)"
        case .request(let connection, let request): "c\(connection.text)/r\(request.text)"
        case .matching(let method, let path, let ordinal): "\(method)(\(path))#\(ordinal.text)"
        case .object(let path, let ordinal): "obj(\(path))#\(ordinal.text)"
        }
    }
}

extension FaultPlace.Part {
    package var text: String {
        switch self {
        case .connect: "connect"
        case .idle: "idle"
        case .up: "up"
        case .down: "down"
        case .requestHead: "req.head"
        case .requestBody: "req.body"
        case .requestEnd: "req.end"
        case .interim(let status, 1): "interim(\(status))"
        case .interim(let status, let ordinal): "interim(\(status)#\(ordinal))"
        case .responseHead: "resp.head"
        case .responseBody: "resp.body"
        case .responseEnd: "resp.end"
        }
    }

    /// The part that people mean: an interim response is one whatever its ordinal.
    fileprivate var message: String {
        guard case .interim(let status, _) = self else { return text }
        return "interim(\(status))"
    }

    /// The place of a part in the course of an exchange; bytes from the server come before those to
    /// it, as everywhere.
    fileprivate var order: [UInt64] {
        switch self {
        case .connect: [1]
        case .down: [2, 0]
        case .up: [2, 1]
        case .requestHead: [3, 0]
        case .requestBody: [3, 1]
        case .requestEnd: [3, 3]
        case .interim(let status, let ordinal): [4, UInt64(status), UInt64(ordinal)]
        case .responseHead: [5, 0]
        case .responseBody: [5, 1]
        case .responseEnd: [5, 3]
        case .idle: [6]
        }
    }
}

extension FaultPlace.Offset {
    package var text: String {
        switch self {
        case .none: ""
        case .fromStart(let count): "+\(count)"
        case .fromEnd(let count): "-\(count)"
        case .perMille(let share): "~\(share)"
        }
    }

    /// Sorts offsets of one part: from the start, then shares, then from the end.
    fileprivate var order: [UInt64] {
        switch self {
        case .fromStart(let count): [0, count]
        case .perMille(let share): [1, share]
        case .fromEnd(let count): [2, .max - count]
        case .none: [3, 0]
        }
    }
}

extension FaultPlace: Comparable {
    /// The order of the faults in a schedule line: connections, requests on them, requests by
    /// pattern, objects; within one target in the course of the exchange.
    package static func < (a: FaultPlace, b: FaultPlace) -> Bool {
        a.order.lexicographicallyPrecedes(b.order)
    }

    private var order: [UInt64] {
        let within = (part?.order ?? [0]) + offset.order
        switch target {
        case .connection(let ordinal): return [0] + ordinal.order + within
        case .request(let connection, let request):
            return [1] + connection.order + request.order + within
        case .matching(let method, let path, let ordinal):
            return [2] + "\(method)(\(path))".utf8.map(UInt64.init) + [0] + ordinal.order + within
        case .object(let path, let ordinal):
            return [3] + path.utf8.map(UInt64.init) + [0] + ordinal.order + within
        }
    }
}

extension FaultPlace.Ordinal {
    /// `*` is the first of each one.
    fileprivate var order: [UInt64] {
        switch self {
        case .one(let number): [UInt64(number), 0]
        case .every: [1, 1]
        }
    }
}
