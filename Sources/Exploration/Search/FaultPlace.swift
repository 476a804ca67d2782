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

    /// The place of a part in the course of an exchange.
    var order: UInt64 {
        switch self {
        case .connect: 0
        case .up: 1
        case .down: 2
        case .requestHead: 3
        case .requestBody: 4
        case .requestEnd: 5
        case .interim: 6
        case .responseHead: 7
        case .responseBody: 8
        case .responseEnd: 9
        case .idle: 10
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
    /// Connections and requests in their order, then patterns by their text; within one target in
    /// the course of the exchange.
    package static func < (a: FaultPlace, b: FaultPlace) -> Bool {
        let (first, second) = (a.order, b.order)
        if first.numbers != second.numbers {
            return first.numbers.lexicographicallyPrecedes(second.numbers)
        }
        return first.text < second.text
    }

    private var order: (numbers: [UInt64], text: String) {
        let within = [part?.order ?? 11] + offset.order
        return switch target {
        case .connection(let ordinal): ([ordinal.order, 0] + within, text)
        case .request(let connection, let request):
            ([connection.order, request.order] + within, text)
        case .matching(_, _, let ordinal): ([.max - 1, ordinal.order] + within, text)
        case .object(_, let ordinal): ([.max, ordinal.order] + within, text)
        }
    }
}

extension FaultPlace.Ordinal {
    fileprivate var order: UInt64 {
        switch self {
        case .one(let number): UInt64(number)
        case .every: UInt64(UInt32.max) + 1
        }
    }
}
