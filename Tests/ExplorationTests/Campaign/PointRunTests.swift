import Faults
import CLibrary
import SystemIO
import Proxy
import Testing
import TrialSupport

@testable import Exploration
@testable import Trials

/// What follows a run whose fault lasts and whose client failed.
@Suite struct PointRunTests {
    /// Fails at once, and takes the address of its first proxy as soon as that has ended.
    private final class HoldingClient: ClientCode {
        private(set) var addresses: [Endpoint] = []
        private var holder: ListeningSocket?
        private(set) var hasHeld = false
        var onFirst: () -> Void = {}

        func start(_ place: TrialPlace, done: @escaping (Int) -> Void) {
            addresses.append(place.listen)
            if addresses.count == 1 {
                // What takes some time to read between the two runs.
                unsafe truncate(place.out, 16_000_000)
                onFirst()
            }
            done(7)
        }

        func cancel() {}

        /// Whether it has the address now.
        func seize() -> Bool {
            guard let address = addresses.first?.numericAddress else { return false }
            holder = try? ListeningSocket(on: address)
            hasHeld = holder != nil
            return hasHeld
        }

        var holds: Bool { holder != nil }

        func release() { holder = nil }
    }

    /// Runs a client whose fault lasts; where it was told to connect, the first time and afterwards.
    private func addresses(heldMilliseconds: UInt64?) throws -> [Endpoint] {
        let rig = try SandboxRig()
        let client = HoldingClient()
        defer { client.release() }
        func seize() {
            if !client.seize() {
                try? rig.after(1, seize)
            } else if let heldMilliseconds {
                try? rig.after(heldMilliseconds) { client.release() }
            }
        }
        client.onFirst = seize
        let point = try Point(parsing: "lc1;c*:connect=refuse")
        #expect(point.isPermanent)
        let run = SearchRun(purpose: nil, point: point, number: 1, isIdle: false)
        let trial = Trial(
            schedule: try FaultSchedule(parsing: "lc1;seed=1;c*:connect=refuse"),
            client: .code(client)
        )
        var outcome: PointRun.Outcome?
        let settings = RunnerSettings(temporaryFolder: rig.folder)
        let pointRun = PointRun(trial, run, settings, object: nil, in: rig.sandbox) {
            [loop = rig.loop] in
            outcome = $0
            loop.stop()
        }
        let expiry = try Timer(loop: rig.loop) { [loop = rig.loop] in
            Issue.record("the run took too long")
            loop.stop()
        }
        expiry.start(afterMilliseconds: 20_000)
        try pointRun.start()
        rig.loop.run()
        expiry.close()
        #expect(client.hasHeld && client.holds == (heldMilliseconds == nil))
        guard case .ended(let result)? = outcome else {
            Issue.record("\(String(describing: outcome))")
            return []
        }
        #expect(result.ending == .exited(7) && result.recovery?.ending == .exited(7))
        return client.addresses
    }

    @Test func `an address that is held for a moment is waited for`() throws {
        let addresses = try addresses(heldMilliseconds: 60)
        #expect(addresses.count == 2 && addresses.first == addresses.last)
    }

    @Test func `an address that somebody has taken is given up`() throws {
        let addresses = try addresses(heldMilliseconds: nil)
        #expect(addresses.count == 2 && addresses.first != addresses.last)
    }
}
