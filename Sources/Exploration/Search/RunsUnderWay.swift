/// The runs of a campaign that were begun and have not ended.
struct RunsUnderWay: Sendable {
    /// How many have begun, including those that have ended; also the number of the latest one.
    private(set) var begun = 0
    private(set) var ended = 0
    private(set) var count = 0
    /// How many go on to the deadline, to show how silent runs of their kind end.
    private(set) var witnesses = 0
    /// Those that mostly wait.
    private(set) var silent = 0
    /// How many have faults that do the same.
    private var deeds: [[String]: Int] = [:]

    mutating func begin(_ run: SearchRun) {
        begun += 1
        count(run, by: 1)
    }

    mutating func end(_ run: SearchRun) {
        ended += 1
        count(run, by: -1)
    }

    private mutating func count(_ run: SearchRun, by step: Int) {
        count += step
        if run.isWitness { witnesses += step }
        if run.isIdle { silent += step }
        if run.purpose != nil { deeds[Suspicions.Kind.deeds(run.point), default: 0] += step }
    }

    /// Forgets the runs under way, which will not be handed in.
    mutating func forget() { (count, silent, witnesses) = (0, 0, 0) }

    /// Whether there is one whose faults do just this.
    func includeOne(doing deeds: [String]) -> Bool { self.deeds[deeds, default: 0] > 0 }
}
