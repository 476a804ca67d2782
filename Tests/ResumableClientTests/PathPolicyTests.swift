import Basics
import HTTPWire
import ResumableClient
import Testing

@Suite struct PathPolicyTests {
    private let good = PathStatus()
    private let none = PathStatus(isSatisfied: false, sequence: 1)
    private let constrained = PathStatus(isConstrained: true, sequence: 1)
    private let expensive = PathStatus(isExpensive: true, sequence: 1)

    private func policy(_ change: (inout PathPolicy) -> Void) -> PathPolicy {
        var policy = PathPolicy()
        change(&policy)
        return policy
    }

    /// Every status against every refusal, with and without a user who asks.
    @Test func `S17 and S18: a path is refused by its properties unless a user asks`() {
        for bits in 0..<64 {
            func bit(_ place: Int) -> Bool { bits >> place & 1 == 1 }
            let path = PathStatus(isConstrained: bit(0), isExpensive: bit(1))
            let policy = policy {
                $0.allowsConstrained = bit(2)
                $0.allowsExpensive = bit(3)
                $0.isUserInitiated = bit(4)
                $0.waitsForConnectivity = bit(5)
            }
            let expected: PathWait? =
                bit(4)
                ? nil
                : bit(0) && !bit(2) ? .constrained : bit(1) && !bit(3) ? .expensive : nil
            #expect(policy.refusal(of: path) == expected)
            let verdict = policy.start(path, at: .zero, isFirst: true)
            #expect(verdict == (expected.map { .mustWait($0, until: nil) } ?? .mayStart))
        }
    }

    @Test func `S19: the kind of interface decides nothing`() {
        for interface in PathStatus.Interface.allCases {
            let path = PathStatus(interface: interface)
            #expect(
                policy { $0.allowsExpensive = false }.start(path, at: .zero, isFirst: true)
                    == .mayStart
            )
        }
    }

    @Test func `S15: the first attempt is made without looking, later ones wait`() {
        let waits = PathPolicy.background
        #expect(waits.start(none, at: .zero, isFirst: true) == .mayStart)
        #expect(
            waits.start(none, at: .zero, isFirst: false) == .mustWait(.unsatisfied, until: nil)
        )
        #expect(PathPolicy().start(none, at: .zero, isFirst: false) == .mayStart)
        #expect(waits.start(nil, at: .zero, isFirst: false) == .mayStart)
    }

    @Test func `S16: nothing begins before its time, also if a user asks`() {
        let later = policy {
            $0.earliestBegin = .seconds(10)
            $0.isUserInitiated = true
        }
        #expect(
            later.start(good, at: .seconds(9), isFirst: true)
                == .mustWait(.earliestBegin, until: .seconds(10))
        )
        #expect(later.start(good, at: .seconds(10), isFirst: true) == .mayStart)
        #expect(later.start(nil, at: .zero, isFirst: true) != .mayStart)
    }

    @Test func `S16: discretionary needs an unconstrained, inexpensive path and power`() {
        let patient = policy { $0.isDiscretionary = true }
        let paths = [
            constrained, expensive, PathStatus(hasPower: false),
        ]
        for path in paths {
            #expect(
                patient.start(path, at: .zero, isFirst: true)
                    == .mustWait(.discretionary, until: nil)
            )
            #expect(patient.refusal(of: path) == nil, "a running transfer goes on")
        }
        #expect(patient.start(good, at: .zero, isFirst: true) == .mayStart)
    }

    @Test func `S16: a user's transfer first, then the smallest, then the order given`() {
        let waiting = [
            policy { $0.expectedBytesToReceive = 50 },
            policy { _ in },
            policy {
                $0.expectedBytesToSend = 20
                $0.expectedBytesToReceive = 30
            },
            policy { $0.expectedBytesToSend = 10 },
            policy {
                $0.isUserInitiated = true
                $0.expectedBytesToSend = 1_000
            },
            policy {
                $0.isUserInitiated = true
                $0.earliestBegin = .seconds(1)
            },
            policy { $0.isDiscretionary = true },
        ]
        #expect(StartOrder.order(waiting, path: good, at: .zero) == [4, 3, 0, 2, 1, 6])
        #expect(StartOrder.order(waiting, path: good, at: .seconds(1)) == [4, 5, 3, 0, 2, 1, 6])
        let poor = PathStatus(hasPower: false)
        #expect(StartOrder.order(waiting, path: poor, at: .zero) == [4, 3, 0, 2, 1])
    }

    // MARK: In a transfer

    @Test func `S17: on a refused path no byte is sent until it changes`() {
        for (status, wait) in [(constrained, PathWait.constrained), (expensive, .expensive)] {
            var bench = upload(path: status) {
                $0.path.allowsConstrained = false
                $0.path.allowsExpensive = false
            }
            bench.start()
            #expect(bench.requests.isEmpty)
            #expect(bench.waitings == [wait])
            bench.path(PathStatus(sequence: 2))
            #expect(bench.timer == .milliseconds(500), "half of the second that is allowed")
            bench.wake()
            #expect(bench.methods == ["POST"])
            #expect(bench.events.contains(.resumed))
        }
    }

    @Test func `S17: a path that turns forbidden closes the connection and keeps what is there`() {
        var bench = UploadClientBench.appending(.ietf(.v6)) { $0.path.allowsExpensive = false }
        bench.sent(10)
        bench.path(expensive)
        #expect(!bench.isOpen)
        #expect(bench.waitings == [.expensive])
        #expect(bench.machine.resumeOutcome.data != nil)
        bench.path(PathStatus(isExpensive: false, sequence: 2))
        bench.wake()
        #expect(bench.last?.method == "HEAD")
    }

    @Test func `S17: a creation cut by the path before the 104 has nothing to resume`() {
        var bench = upload { $0.path.allowsExpensive = false }
        bench.start()
        bench.path(expensive)
        #expect(bench.failure?.reason == .path(.expensive))
    }

    @Test func `S18: a nudge lifts the refusal for this transfer`() {
        var bench = upload(path: expensive) { $0.path.allowsExpensive = false }
        bench.start()
        bench.perform(bench.machine.nudge(at: bench.now))
        bench.wake()
        #expect(bench.methods == ["POST"])
        bench.path(PathStatus(isExpensive: true, sequence: 5))
        #expect(bench.isOpen)
    }

    @Test func `S15: a wait for connectivity is told once and uses no budget`() {
        var bench = upload(path: PathStatus(isSatisfied: false)) {
            $0.path.waitsForConnectivity = true
        }
        bench.start()
        #expect(bench.methods == ["POST"], "the first attempt is made")
        #expect(bench.waitings == [.unsatisfied], "told at once")
        bench.cut(.idleTimeout, didSend: false)
        #expect(!bench.events.contains(.resumed) && !bench.isOpen)
        for sequence in 1..<40 as Range<UInt64> {
            bench.path(PathStatus(isSatisfied: false, sequence: sequence))
        }
        #expect(bench.waitings == [.unsatisfied])
        bench.path(PathStatus(sequence: 50))
        bench.wake()
        #expect(bench.requests.count == 2)
        bench.answer(200)
        #expect(bench.result != nil)
    }

    @Test func `S15: an attempt that gets through although the path is unsatisfied ends the wait`()
    {
        var bench = upload(path: PathStatus(isSatisfied: false)) {
            $0.path.waitsForConnectivity = true
        }
        bench.start()
        bench.answer(200)
        #expect(bench.waitings == [.unsatisfied] && bench.events.contains(.resumed))
        #expect(bench.result != nil)
    }

    @Test func `S15: a request that is open when the path goes away waits and says so at once`() {
        var bench = download {
            $0.path.waitsForConnectivity = true
        }
        bench.start()
        bench.path(PathStatus(isSatisfied: false, sequence: 1))
        #expect(bench.waitings == [.unsatisfied] && bench.isOpen)
        bench.head(200)
        bench.path(PathStatus(isSatisfied: false, hasPower: false, sequence: 2))
        #expect(bench.waitings == [.unsatisfied] && bench.events.contains(.resumed))
    }

    @Test func `S15: a request that was lost in an outage is made anew once there is a path`() {
        var bench = download { $0.path.waitsForConnectivity = true }
        bench.start()
        bench.path(PathStatus(isSatisfied: false, sequence: 1))
        bench.path(PathStatus(sequence: 2))
        #expect(!bench.isOpen && bench.requests.count == 1)
        bench.wake()
        #expect(bench.now < .seconds(1) && bench.requests.count == 2 && bench.isOpen)
        #expect(bench.events.last == .resumed)
        bench.path(PathStatus(isExpensive: true, sequence: 3))
        #expect(bench.isOpen, "a change of another kind lets it be")
    }

    @Test func `S15: an upload is made anew after an outage only if that repeats nothing`() {
        for sent in [0, 5] as [UInt64] {
            var bench = upload(path: PathStatus(isSatisfied: false)) {
                $0.path.waitsForConnectivity = true
            }
            bench.start()
            if sent > 0 { bench.sent(sent) }
            bench.path(PathStatus(sequence: 1))
            #expect(bench.isOpen == (sent > 0))
        }
        var running = upload(path: PathStatus()) { $0.path.waitsForConnectivity = true }
        running.start()
        running.sent(5)
        running.path(PathStatus(isSatisfied: false, sequence: 1))
        #expect(running.waitings.isEmpty, "its connection may survive")
    }

    @Test func `S15: without word of the path attempts go on and the wait is told once`() {
        var bench = upload { $0.path.waitsForConnectivity = true }
        bench.start()
        for _ in 0..<50 {
            bench.cut(.notConnected, didSend: false)
            bench.wake()
        }
        #expect(bench.end == nil)
        #expect(bench.waitings == [.unsatisfied])
        #expect(!bench.events.contains(.resumed))
        bench.answer(200)
        #expect(bench.events.contains(.resumed))
        #expect(bench.result != nil)
    }

    // MARK: A better path

    private func better(_ sequence: UInt64) -> PathStatus {
        PathStatus(hasBetterPath: true, sequence: sequence)
    }

    @Test func `a transfer that may moves to a better path at once, and once`() {
        var bench = DownloadClientBench.receiving { $0.path.movesToBetterPath = true }
        bench.path(better(1))
        #expect(bench.requests.count == 2 && bench.isOpen, "without a wait")
        #expect(bench.last?.fields["Range"] != nil)
        bench.path(better(2))
        #expect(bench.requests.count == 2, "others may be on the old path still")
        bench.path(PathStatus(sequence: 3))
        bench.path(better(4))
        #expect(bench.requests.count == 3)
    }

    @Test func `a transfer does not move to a path that is down`() {
        var bench = DownloadClientBench.receiving { $0.path.movesToBetterPath = true }
        bench.path(PathStatus(isSatisfied: false, hasBetterPath: true, sequence: 1))
        #expect(bench.requests.count == 1 && bench.isOpen)
    }

    @Test func `a transfer stays on its path where it may not move`() {
        var bench = DownloadClientBench.receiving()
        bench.path(better(1))
        #expect(bench.requests.count == 1 && bench.isOpen)
    }

    @Test func `a download that cannot be continued stays on its path`() {
        var bench = DownloadClientBench.receiving(object(["ETag": nil, "Accept-Ranges": "none"])) {
            $0.path.movesToBetterPath = true
        }
        bench.path(better(1))
        #expect(bench.requests.count == 1 && bench.isOpen)
    }

    @Test func `an upload moves by asking for its offset, and not where it would begin again`() {
        var appending = UploadClientBench.appending(.ietf(.v6)) { $0.path.movesToBetterPath = true }
        appending.sent(10)
        appending.path(better(1))
        #expect(appending.last?.method == "HEAD" && appending.isOpen)
        var creating = upload { $0.path.movesToBetterPath = true }
        creating.start()
        creating.sent(5)
        creating.path(better(1))
        #expect(creating.requests.count == 1 && creating.isOpen)
    }

    @Test func `an older status is passed over`() {
        var bench = upload(path: PathStatus(sequence: 9)) { $0.path.allowsExpensive = false }
        bench.start()
        bench.path(PathStatus(isExpensive: true, sequence: 8))
        #expect(bench.isOpen)
    }

    @Test func `S16: the earliest begin is waited for by a timer`() {
        var bench = upload { $0.path.earliestBegin = .seconds(60) }
        bench.start()
        #expect(bench.requests.isEmpty)
        #expect(bench.timer == .seconds(60))
        #expect(bench.waitings == [.earliestBegin])
        bench.wake()
        #expect(bench.methods == ["POST"])
    }
}
