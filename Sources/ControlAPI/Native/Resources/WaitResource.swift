internal import Basics
internal import Faults
internal import HTTPWire
internal import Proxy

/// What a client waits for.
struct Awaited {
    enum Kind: String, CaseIterable {
        /// So many connections were accepted.
        case connections
        /// A fault has acted so often, or any fault.
        case fault
        /// So many bytes were delivered.
        case bytesDown, bytesUp
        /// No connection is open.
        case idle
    }

    var kind: Kind
    var proxy: SteeredProxy
    var count: UInt64
    var fault: String?
}

/// `/v1/wait`: waiting, so that a script need not ask again and again.
final class WaitResource {
    private let run: ControlledRun
    private let faults: FaultsResource
    private let waits: PendingWaits

    init(_ run: ControlledRun, _ faults: FaultsResource) {
        self.run = run
        self.faults = faults
        waits = PendingWaits(loop: run.server.loop)
    }

    func addRoutes(to table: inout RouteTable) {
        table.add("GET", "/v1/wait") { [self] request, _ throws(Problem) in try wait(request) }
    }

    func close() { waits.close() }

    /// `?for=connections|fault|bytesDown|bytesUp|idle&count=N&fault=f1&limit=10s&proxy=NAME`.
    private func wait(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let query = try RequestQuery(request, ["for", "count", "fault", "limit", "proxy"])
        guard let kind = try query.choice("for", Awaited.Kind.self) else {
            let words = Awaited.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw RequestQuery.wrong("for", "is missing: one of \(words)")
        }
        let count = try query.number("count", in: UInt64(1)...UInt64(Int64.max)) ?? 1
        let limit = try query.parsed("limit") { text throws(QuantityError) in
            try Quantity.duration(text)
        }
        let longest = Duration.seconds(600)
        let span = limit ?? .seconds(30)
        guard span > .zero, span <= longest else {
            throw RequestQuery.wrong("limit", "expected a time from 1ns to 10min")
        }
        let proxy = try run.proxy(in: query)
        var awaited = Awaited(kind: kind, proxy: proxy, count: count, fault: nil)
        if let name = query.value("fault") {
            guard kind == .fault else { throw RequestQuery.wrong("fault", "needs for=fault") }
            let (owner, id) = try faults.faultIdentity(name)
            guard query.value("proxy") == nil || owner === proxy else {
                throw RequestQuery.wrong("fault", "is of proxy '\(owner.name)'")
            }
            (awaited.proxy, awaited.fault) = (owner, id)
        }
        if hasHappened(awaited) { return reached(awaited) }
        return .later { [weak self] answer in
            self?.waits.add(
                answer,
                for: span,
                look: { [weak self] in
                    guard let self, hasHappened(awaited) else { return nil }
                    return reached(awaited)
                },
                late: { .problem(Self.notReached(awaited)) }
            )
        }
    }

    private func value(_ awaited: Awaited) -> UInt64 {
        let server = awaited.proxy.server
        switch awaited.kind {
        case .connections: return server.totalConnections
        case .bytesDown: return server.deliveredBytes(.down)
        case .bytesUp: return server.deliveredBytes(.up)
        case .idle: return server.openConnections == 0 ? .max : 0
        case .fault:
            guard let fault = awaited.fault else {
                return awaited.proxy.metrics.fired.values.reduce(0, +)
            }
            return server.faults.ledger.rows.first { $0.id == fault }.map {
                $0.fired + $0.undelivered
            }
                ?? 0
        }
    }

    private func hasHappened(_ awaited: Awaited) -> Bool { value(awaited) >= awaited.count }

    private func reached(_ awaited: Awaited) -> ControlAnswer {
        var object: JSONObject = ["for": .string(awaited.kind.rawValue), "reached": true]
        if awaited.kind != .idle { object.append("value", .number(value(awaited))) }
        object.append("elapsedMilliseconds", .number(run.elapsedMilliseconds))
        return .json(.object(object))
    }

    private static func notReached(_ awaited: Awaited) -> Problem {
        Problem(
            504,
            "not-reached",
            "\(awaited.kind.rawValue) did not come to \(awaited.count) within the limit."
        )
    }
}
