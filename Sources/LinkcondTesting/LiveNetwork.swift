internal import Basics
internal import Exploration
internal import Faults
internal import Journal
internal import LinkProfile
internal import Proxy
internal import Trials

/// The network of a test while it is open; on the loop's thread alone.
struct LiveNetwork {
    let trial: RunningTrial
    let proxy: ProxyServer

    // MARK: Changes

    func cut(_ how: LinkcondCut, _ connection: Int?) throws(LinkcondError) -> Int {
        var selection = ConnectionSelection.all
        if let connection {
            guard let ordinal = UInt32(exactly: connection), ordinal > 0 else {
                throw LinkcondError("connections count from 1; \(connection) is none")
            }
            selection = .connection(ConnectionID(ordinal: ordinal))
        }
        let kind: ManualCut =
            switch how {
            case .reset: .rst
            case .end: .fin
            case .silence: .hole
            }
        let places = proxy.manual.cut(selection, kind)
        record("cut", ["kind": .string(kind.rawValue)], places)
        return places.count
    }

    func pause() throws(LinkcondError) { record("pause", [:], proxy.manual.pause(.all)) }

    func resume() throws(LinkcondError) { record("resume", [:], proxy.manual.resume(.all)) }

    func refuseNext(_ count: Int) throws(LinkcondError) {
        guard let number = UInt32(exactly: count), (1...ScheduleLimits.refusals).contains(number)
        else {
            throw LinkcondError(
                "between 1 and \(ScheduleLimits.refusals) connections; not \(count)"
            )
        }
        _ = proxy.manual.refuseNext(number)
        record("refuse", ["count": .number(number)])
    }

    func change(to profile: Profile) throws(LinkcondError) {
        try doing { () throws(ProxyError) in try proxy.switchProfile(profile) }
        record("profile", ["name": .string(profile.name)])
    }

    func setPath(_ path: LinkcondPath) throws(LinkcondError) {
        let isOut = proxy.link.outage.isPresent
        try doing { () throws(ProxyError) in
            if path.isSatisfied {
                _ = try proxy.manual.endOutage()
            } else if !isOut {
                try proxy.manual.beginOutage()
            }
        }
        trial.setPath(isConstrained: path.isConstrained, isExpensive: path.isExpensive)
        record(
            "path",
            [
                "status": path.isSatisfied ? "satisfied" : "unsatisfied",
                "isConstrained": .bool(path.isConstrained),
                "isExpensive": .bool(path.isExpensive),
                "interface": .string(trial.path.interface.rawValue),
            ]
        )
    }

    private func doing(_ change: () throws(ProxyError) -> Void) throws(LinkcondError) {
        do throws(ProxyError) {
            try change()
        } catch {
            throw LinkcondError(error.description)
        }
    }

    private func record(_ action: String, _ detail: JSONObject, _ places: [ManualPlace] = []) {
        let places = places.map { ChangeReport.Place($0.connection, up: $0.up, down: $0.down) }
        proxy.manual.record(ChangeReport(action, by: .control, detail: detail, places: places))
    }

    // MARK: What happened

    func path() throws(LinkcondError) -> LinkcondPath {
        let path = trial.path
        return LinkcondPath(
            isSatisfied: !proxy.link.outage.isPresent,
            isConstrained: path.isConstrained,
            isExpensive: path.isExpensive
        )
    }

    func progress() throws(LinkcondError) -> LinkcondProgress {
        proxy.flushRecords()
        var progress = LinkcondProgress()
        progress.connections = Int(clamping: proxy.totalConnections)
        progress.openConnections = proxy.openConnections
        progress.bytesUp = proxy.deliveredBytes(.up)
        progress.bytesDown = proxy.deliveredBytes(.down)
        for entry in trial.outcome.records {
            switch entry.record {
            case .request(let report): progress.requests.append("\(report.method) \(report.target)")
            case .response(let report) where report.interimOrdinal == nil:
                progress.statuses.append(report.status)
            case .fault(let report) where report.state == .fired: progress.faults.append(report.id)
            default: break
            }
        }
        return progress
    }

    func journal() throws(LinkcondError) -> [UInt8] {
        proxy.flushRecords()
        return TestReport.journal(trial.outcome.records)
    }
}
