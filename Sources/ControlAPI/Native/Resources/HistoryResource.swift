internal import Basics
internal import HTTPWire
internal import Journal
internal import Proxy
internal import SystemIO

/// `/v1/history`: rates, faults and changes since the run began.
///
/// A page that is loaded late, or again, draws what was before it. It looks once a second while
/// something may move, and not at all while nothing is open.
final class HistoryResource {
    private let run: ControlledRun
    private var timer: Timer?
    /// Looks in a row in which no proxy had anything to do.
    private var idleLooks = 0

    private static let lookMilliseconds: UInt64 = 1_000
    private static let idleLookLimit = 3

    init(_ run: ControlledRun) {
        self.run = run
        noteCeilings()
    }

    func addRoutes(to table: inout RouteTable) {
        table.add("GET", "/v1/history") { [self] request, _ throws(Problem) in try show(request) }
    }

    func close() {
        timer?.close()
        timer = nil
    }

    /// Takes note that a proxy may imitate another network now.
    func noteCeilings() {
        let elapsed = run.elapsedMilliseconds
        for proxy in run.fleet.all {
            proxy.history.take(proxy.ceilings, elapsedMilliseconds: elapsed)
        }
    }

    /// Takes note that something happens, so that it is looked at.
    func noteActivity() {
        guard timer == nil else { return }
        idleLooks = 0
        timer = try? Timer(loop: run.server.loop) { [weak self] in self?.look() }
        look()
        timer?.start(
            afterMilliseconds: Self.lookMilliseconds,
            repeatMilliseconds: Self.lookMilliseconds
        )
    }

    private func look() {
        var isBusy = false
        for proxy in run.fleet.all {
            let snapshot = proxy.server.snapshot(rows: 0)
            isBusy = isBusy || snapshot.openConnections > 0 || (snapshot.flows?.open ?? 0) > 0
            proxy.history.take(point(snapshot))
        }
        idleLooks = isBusy ? 0 : idleLooks + 1
        if idleLooks >= Self.idleLookLimit { close() }
    }

    private func point(_ snapshot: ProxySnapshot) -> RateHistory.Point {
        RateHistory.Point(
            elapsedMilliseconds: run.elapsedMilliseconds,
            bytesUp: snapshot.up.bytes,
            bytesDown: snapshot.down.bytes,
            queuedBytesUp: snapshot.up.queuedBytes,
            queuedBytesDown: snapshot.down.queuedBytes
        )
    }

    /// `?proxy=NAME`: of one proxy; the run's own without it.
    private func show(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let query = try RequestQuery(request, ["proxy"])
        let proxy = try run.proxy(in: query)
        proxy.server.flushRecords()
        var document = proxy.history.document
        let marks = run.hub.marks.filter { $0.concerns(proxy.number) }
        let lines = marks.map { String(decoding: $0.bytes.dropLast(), as: UTF8.self) }
        document.append("marks", .array(lines.map { .string($0) }))
        document.append("nextRecord", .number(run.hub.history.nextNumber))
        return .json(.object(document))
    }
}
