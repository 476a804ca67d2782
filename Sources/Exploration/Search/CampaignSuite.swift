/// The campaigns of several tests as one: they share the machine and the budget.
///
/// It is used as a campaign is. First come the baselines of all tests; then each test gets runs in
/// proportion to what its traffic deserves: the points of its baseline, of which those at a place that
/// other tests reach, too, count only as a share.
package struct CampaignSuite: Sendable {
    /// The campaign of one test.
    package struct Member: Sendable {
        package fileprivate(set) var campaign: Campaign
        /// What it may take of the budget, in relation to the others.
        fileprivate var weight: UInt64 = 1
        /// Runs of the search that it has taken.
        fileprivate var taken: UInt64 = 0
    }

    package private(set) var members: [Member]
    private let runLimit: Int?
    private var isWeighed = false
    private var issued = 0
    private var searched = 0

    /// - Parameters:
    ///   - campaigns: of the tests, in the order of their list; at least one.
    ///   - runLimit: the most runs of the search over all tests; nil for no limit.
    package init(_ campaigns: [Campaign], runLimit: Int? = nil) {
        precondition(!campaigns.isEmpty, "a campaign")
        members = campaigns.map { Member(campaign: $0) }
        self.runLimit = runLimit
    }

    /// The next run; nil if there is none now.
    ///
    /// - Parameter idle: whether one that mostly waits is wanted, of which many may run at once.
    /// - Returns: a run to be handed in with `finish`; its number is unique among all tests.
    package mutating func next(idle: Bool = false) -> SearchRun? {
        let isReady = isReady()
        let order = isReady ? order : members.indices.filter { !members[$0].campaign.isBegun }
        for index in order {
            guard let run = members[index].campaign.next(idle: idle) else { continue }
            return take(run, from: index)
        }
        return nil
    }

    /// Whether nothing runs and nothing is left to run.
    package mutating func isFinished() -> Bool {
        for index in members.indices where !members[index].campaign.isFinished() { return false }
        return true
    }

    /// Hands in what came of a run.
    package mutating func finish(_ run: SearchRun, _ outcome: PointOutcome) {
        members[run.test].campaign.finish(run, outcome)
    }

    /// Leaves out the tests whose baselines are not through, so that there is time left for the others.
    package mutating func endBaselines() {
        let isLate = members.map { !$0.campaign.isBegun }
        guard isLate.contains(false) else { return }
        for index in members.indices where isLate[index] { members[index].campaign.stop() }
    }

    /// Ends the search; what was found may still be made smaller and confirmed.
    package mutating func endSearch() {
        for index in members.indices { members[index].campaign.endSearch() }
    }

    /// Ends everything: no further run is asked for, and those that run need not be handed in.
    package mutating func stop() {
        for index in members.indices { members[index].campaign.stop() }
    }

    /// Whether something that was found has yet to be made smaller or confirmed.
    var needsConfirmation: Bool { members.contains { $0.campaign.needsConfirmation } }

    /// How many times as fast as others the clocks run during the search; the same for all tests.
    var warp: UInt64 { members[0].campaign.settings.warp }

    package var progress: CampaignProgress {
        members.reduce(into: CampaignProgress()) { $0.add($1.campaign.progress) }
    }

    /// What happened since the last time, with the indices of the tests that it happened to.
    package mutating func takeNews() -> [(test: Int, news: CampaignNews)] {
        members.indices.flatMap { index in
            members[index].campaign.takeNews().map { (index, $0) }
        }
    }

    private mutating func take(_ run: SearchRun, from index: Int) -> SearchRun {
        issued += 1
        var run = run
        run.number = issued
        run.test = index
        guard run.purpose?.isSearch == true else { return run }
        members[index].taken += 1
        searched += 1
        if searched == runLimit { endSearch() }
        return run
    }
}

// What each test deserves.
extension CampaignSuite {
    private static let unit: UInt64 = 1 << 20

    /// Whether the baselines are through; then it is known what each test deserves.
    private mutating func isReady() -> Bool {
        if isWeighed { return true }
        guard members.allSatisfy({ $0.campaign.isBegun || $0.campaign.isStopped }) else {
            return false
        }
        isWeighed = true
        let traffic = members.map(\.campaign.traffic)
        var tests: [String: UInt64] = [:]
        for place in traffic.flatMap(\.keys) { tests[place, default: 0] += 1 }
        for (index, places) in traffic.enumerated() {
            let weight = places.reduce(0) { $0 + $1.value * Self.unit / tests[$1.key, default: 1] }
            members[index].weight = max(1, weight)
        }
        return true
    }

    /// The tests in the order in which they are asked for a run.
    private var order: [Int] {
        guard members.count > 1 else { return [0] }
        return members.indices.map { (key: key($0), index: $0) }
            .sorted {
                ($0.key.need, $0.key.share, $0.index) < ($1.key.need, $1.key.share, $1.index)
            }
            .map(\.index)
    }

    private func key(_ index: Int) -> (need: Int, share: UInt64) {
        let member = members[index]
        let (high, low) = (member.taken + 1).multipliedFullWidth(by: Self.unit << 32)
        let share =
            high < member.weight ? member.weight.dividingFullWidth((high, low)).quotient : .max
        return (member.campaign.need.rawValue, share)
    }
}

extension CampaignProgress {
    fileprivate mutating func add(_ other: CampaignProgress) {
        done += other.done
        running += other.running
        silent += other.silent
        confirmingHangs += other.confirmingHangs
        waiting += other.waiting
        findings += other.findings
        unreached += other.unreached
    }
}
