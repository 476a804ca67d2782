import Basics
import ResumableClient
import TestSupport
import Testing

/// Who learns of a better path, and when.
@Suite struct WaitingTransfersTests {
    private static let good = PathStatus()
    private static let poor = PathStatus(hasPower: false)

    private static func discretionary(_ bytes: UInt64?) -> PathPolicy {
        var policy = PathPolicy()
        policy.isDiscretionary = true
        policy.expectedBytesToReceive = bytes
        return policy
    }

    @Test func `there is never more moving than there is room for, and the smallest go first`() {
        var random = SeededRandom.fresh()
        for _ in 0..<200 {
            let sizes = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                UInt64.random(in: 1...4, using: &random)
            }
            var waiting = WaitingTransfers<Int>()
            for name in sizes.indices { waiting.insert(name) }
            waiting.pathChanged()
            var started: [Int] = []
            while waiting.count > 0 {
                let room = Int.random(in: 1...2, using: &random)
                let told = waiting.informed(of: Self.good, room: room, among: Array(sizes.indices))
                {
                    Self.discretionary(sizes[$0])
                }
                #expect(!told.isEmpty && told.count <= room)
                #expect(told.allSatisfy { !waiting.contains($0) })
                started += told
            }
            let order = sizes.indices.sorted { (sizes[$0], $0) < (sizes[$1], $1) }
            #expect(started == order)
        }
    }

    @Test func `those that a path does not help learn of it at once and wait on`() {
        var waiting = WaitingTransfers<Int>()
        for name in 0..<3 { waiting.insert(name) }
        waiting.pathChanged()
        func informed(_ path: PathStatus) -> [Int] {
            waiting.informed(of: path, room: 0, among: [0, 1, 2]) {
                // The last one waits for its time.
                $0 == 2 ? nil : Self.discretionary(nil)
            }
        }
        #expect(informed(Self.poor) == [0, 1, 2])
        #expect(informed(Self.poor).isEmpty, "each learns of a path once")
        waiting.pathChanged()
        #expect(informed(Self.good) == [2])
        #expect(waiting.count == 3)
        waiting.remove(1)
        #expect(
            waiting.informed(of: Self.good, room: 9, among: [0, 1, 2]) { _ in
                Self.discretionary(nil)
            } == [0]
        )
        #expect(waiting.count == 1)
    }
}
