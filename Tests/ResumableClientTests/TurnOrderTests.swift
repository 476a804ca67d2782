import Basics
import ResumableClient
import Testing

/// Which discretionary transfer goes next, and how one waits for its turn.
@Suite struct TurnOrderTests {
    private static let good = PathStatus()
    private static let poor = PathStatus(hasPower: false)
    private static let withoutTurn: PathStatus = {
        var path = PathStatus()
        path.hasTurn = false
        return path
    }()

    private static func waiting(
        _ bytes: UInt64?,
        isReady: Bool = true,
        sharesPath: Bool = true,
        change: (inout PathPolicy) -> Void = { _ in }
    ) -> TurnOrder.Waiting {
        var policy = PathPolicy.background
        policy.isDiscretionary = true
        policy.expectedBytesToReceive = bytes
        change(&policy)
        return TurnOrder.Waiting(policy, isReady: isReady, sharesPath: sharesPath)
    }

    private static func next(_ waiting: TurnOrder.Waiting..., path: PathStatus = good) -> Int? {
        TurnOrder.next(waiting, path: path, at: .seconds(10))
    }

    @Test func `S16: the smallest goes next, whichever way its bytes go, then in the order given`()
    {
        #expect(Self.next() == nil)
        #expect(Self.next(Self.waiting(nil), Self.waiting(9), Self.waiting(5)) == 2)
        #expect(Self.next(Self.waiting(nil), Self.waiting(5), Self.waiting(5)) == 1)
        let upload = Self.waiting(nil) { $0.expectedBytesToSend = 4 }
        #expect(Self.next(Self.waiting(5), upload) == 1)
        let both = Self.waiting(4) { $0.expectedBytesToSend = 4 }
        #expect(Self.next(Self.waiting(5), both) == 0)
    }

    @Test func `one that is about to learn of the same good path goes before a larger one`() {
        let ready = Self.waiting(9)
        #expect(Self.next(ready, Self.waiting(5, isReady: false)) == 1)
        #expect(Self.next(ready, Self.waiting(5, isReady: false, sharesPath: false)) == 0)
        #expect(Self.next(ready, Self.waiting(5, isReady: false), path: Self.poor) == 0)
        let offline = PathStatus(isSatisfied: false)
        #expect(Self.next(ready, Self.waiting(5, isReady: false), path: offline) == 0)
    }

    @Test func `one whose time has not come is passed over`() {
        func later(_ seconds: Int64) -> TurnOrder.Waiting {
            Self.waiting(5, isReady: false) { $0.earliestBegin = .seconds(seconds) }
        }
        #expect(Self.next(Self.waiting(9), later(11)) == 0)
        #expect(Self.next(Self.waiting(9), later(10)) == 1)
    }

    // MARK: In a transfer

    private static func bench(_ path: PathStatus) -> DownloadClientBench {
        var bench = download {
            $0.path = .background
            $0.path.isDiscretionary = true
        }
        bench.path(path)
        bench.start()
        return bench
    }

    @Test func `without its turn a transfer waits and says so, also after another wait`() {
        var bench = Self.bench(Self.poor)
        bench.path(Self.withoutTurn)
        #expect(bench.waitings == [.discretionary, .turn] && bench.requests.isEmpty)
        bench.path(Self.poor)
        #expect(bench.waitings == [.discretionary, .turn, .discretionary])
        bench.path(Self.good)
        bench.wake()
        #expect(bench.requests.count == 1 && bench.events.last == .resumed)
    }

    @Test func `a running transfer is not stopped for its turn`() {
        var bench = Self.bench(Self.good)
        bench.path(Self.withoutTurn)
        #expect(bench.isOpen && bench.waitings.isEmpty)
    }

    @Test func `one that a user asks for needs no turn`() {
        var bench = Self.bench(Self.withoutTurn)
        #expect(bench.waitings == [.turn])
        bench.perform(bench.machine.nudge(at: bench.now))
        bench.wake()
        #expect(bench.isOpen)
    }

    @Test func `without its turn not even a first attempt is made while there is no path`() {
        var path = Self.withoutTurn
        path.isSatisfied = false
        #expect(Self.bench(path).waitings == [.unsatisfied])
        #expect(Self.bench(path).requests.isEmpty)
        path.hasTurn = true
        #expect(Self.bench(path).isOpen)
    }
}
