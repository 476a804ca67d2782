import Basics
import Exploration
import Faults
import LinkEngine

/// Clients as functions from a schedule to an outcome, so that a whole exploration takes
/// milliseconds.
struct SimulatedClient {
    var map: BoundaryMap
    /// What a run with these faults comes to.
    var behave: (Point) -> PointOutcome
    /// What it comes to before a silence counts as a hang; nil if that is the same.
    var behaveShortly: ((Point) -> PointOutcome)?

    /// Runs a campaign to its end.
    ///
    /// - Parameters:
    ///   - campaign: what to run.
    ///   - jobs: how many runs are open at once; they end in another order than they began.
    ///   - limit: runs after which something is wrong with the campaign.
    /// - Returns: the runs, in the order in which they were asked for.
    @discardableResult
    func run(
        _ campaign: inout Campaign,
        jobs: Int = 1,
        limit: Int = 20_000
    ) -> [SearchRun] {
        var trials: [SearchRun] = []
        var open: [SearchRun] = []
        while trials.count < limit {
            while open.count < jobs {
                guard
                    let trial = campaign.next(idle: open.count.isMultiple(of: 2))
                        ?? campaign.next(idle: !open.count.isMultiple(of: 2))
                else {
                    break
                }
                trials.append(trial)
                open.append(trial)
            }
            guard !open.isEmpty else { break }
            let trial = open.remove(at: trials.count * 7 % open.count)
            campaign.finish(trial, outcome(of: trial))
        }
        return trials
    }

    private func outcome(of trial: SearchRun) -> PointOutcome {
        guard !trial.isPatient, let behaveShortly else { return outcome(of: trial.point) }
        return complete(behaveShortly(trial.point), trial.point)
    }

    func outcome(of point: Point) -> PointOutcome { complete(behave(point), point) }

    private func complete(_ outcome: PointOutcome, _ point: Point) -> PointOutcome {
        var outcome = outcome
        if outcome.map == nil { outcome.map = map }
        if outcome.faults.isEmpty { outcome.faults = point.faults.map { _ in .fired } }
        return outcome
    }

    /// One download over one connection.
    static func download(head: UInt64 = 121, body: UInt64 = 1_500) -> BoundaryMap {
        BoundaryMap(
            connections: [
                .init(ordinal: 1, upBytes: 80, downBytes: head + body, isOpaque: false)
            ],
            exchanges: [
                .init(
                    connection: 1,
                    request: 1,
                    method: "GET",
                    path: "/object",
                    sent: .init(head: 80),
                    status: 200,
                    received: .init(head: head, body: body, framing: .length)
                )
            ]
        )
    }

    static func outcome(
        _ ending: PointOutcome.Ending = .exited(0),
        _ content: PointOutcome.Content = .right,
        _ requests: String...
    ) -> PointOutcome {
        var outcome = PointOutcome(ending: ending, content: content)
        outcome.requests = requests.map { text in
            let words = text.split(separator: " ")
            return RequestShape(
                method: String(words[0]),
                kind: String(words[1]),
                status: UInt16(words[2]) ?? 0
            )
        }
        return outcome
    }

    /// A client that resumes a download without asking whether the object is still the same, while
    /// it changes between two requests: three behaviours over 1,622 places to cut.
    static var splicer: SimulatedClient {
        SimulatedClient(map: download(), behave: splice)
    }

    private static func splice(_ point: Point) -> PointOutcome {
        guard let fault = point.faults.first, fault.address.isInResponse else {
            return outcome(.exited(0), .right, "GET first 200")
        }
        let axis = ProtocolPositions(download()).axis(of: fault)
        switch axis?.position(of: fault.address) ?? 0 {
        case 0: return outcome(.exited(0), .right, "GET first 0", "GET first 200")
        case 1...121: return outcome(.exited(0), .right, "GET first 200")
        case 122..<1_621:
            return outcome(.exited(0), .wrong, "GET first 200", "GET resumed 206")
        default: return outcome(.exited(0), .right, "GET first 200")
        }
    }
}

extension FaultAddress {
    var isInResponse: Bool {
        if case .message(.down, _, _) = anchor { true } else { false }
    }

    func isIn(_ part: Anchor.Part) -> Bool {
        if case .message(.down, part, _) = anchor { true } else { false }
    }
}

extension CampaignReport {
    init(of campaign: Campaign) {
        self.init(
            campaign,
            settings: ReportSettings(
                tool: "linkcond",
                command: ["get"],
                seed: 1,
                effects: [.finish],
                depth: 1,
                replay: "linkcond replay {} -- get"
            )
        )
    }
}
