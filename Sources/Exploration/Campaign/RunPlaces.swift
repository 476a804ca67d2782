/// The places for runs: few for runs that work, and many for runs that only wait.
struct RunPlaces {
    private let jobs: Int
    private let idleJobs: Int
    private var working = 0
    private var waiting = 0
    /// Numbers of the runs that wait because of their faults, and of those that were found waiting.
    private var idle: Set<Int> = []
    private var quiet: Set<Int> = []
    /// Those of `idle` that were not seen to wait yet.
    private var wakeful: Set<Int> = []

    /// - Parameters:
    ///   - jobs: how many may work at once.
    ///   - idleJobs: how many may wait at once.
    init(jobs: Int, idleJobs: Int) {
        self.jobs = jobs
        self.idleJobs = idleJobs
    }

    /// Whether one more run may begin.
    var hasRoom: Bool { working < jobs }

    /// Whether one more run may begin that will mostly wait.
    ///
    /// A client that starts slowly, such as an interpreter with many modules, works until it waits.
    func hasIdleRoom(startsSlowly: Bool) -> Bool {
        waiting < idleJobs && (!startsSlowly || wakeful.count < jobs)
    }

    /// Whether a run that was found waiting would let another one begin, or may itself be at work again.
    var isCrowded: Bool { working >= jobs || !quiet.isEmpty || !wakeful.isEmpty }

    mutating func begin(_ number: Int, isIdle: Bool) {
        guard isIdle else { return working += 1 }
        waiting += 1
        idle.insert(number)
        wakeful.insert(number)
    }

    /// Frees the place of a run that has ended.
    mutating func end(_ number: Int) {
        let isIdle = idle.remove(number) != nil
        wakeful.remove(number)
        let isQuiet = quiet.remove(number) != nil
        if isIdle || isQuiet { waiting -= 1 } else { working -= 1 }
    }

    /// Notes that these runs have been seen waiting.
    mutating func sawWaiting(_ numbers: [Int]) { wakeful.subtract(numbers) }

    /// Gives the places of quiet runs to others; one that works again counts again.
    mutating func share(_ quietNow: [Int]) {
        for number in quiet.subtracting(quietNow) {
            quiet.remove(number)
            waiting -= 1
            working += 1
        }
        for number in quietNow where !idle.contains(number) && waiting < idleJobs {
            guard quiet.insert(number).inserted else { continue }
            waiting += 1
            working -= 1
        }
    }
}
