import Faults
import Glibc
import SystemIO
import Proxy
import Testing
import TrialSupport

@testable import Exploration
@testable import Trials

/// What follows a run whose fault lasts and whose client failed.
@Suite struct PointRunTests {
    /// Fails at once, the first time with a copy of the descriptor that its proxy listens on: so does
    /// a child have it between fork and exec.
    private final class HoldingClient: ClientCode {
        private(set) var addresses: [Endpoint] = []
        private(set) var held: CInt?
        var onHeld: () -> Void = {}

        func start(_ place: TrialPlace, done: @escaping (Int) -> Void) {
            addresses.append(place.listen)
            if addresses.count == 1 {
                held = Self.copyOfListener(place.listen.numericAddress?.port)
                onHeld()
            }
            done(7)
        }

        func cancel() {}

        func release() {
            if let held { close(held) }
            held = nil
        }

        deinit { release() }

        private static func copyOfListener(_ port: UInt16?) -> CInt? {
            let isFound = { (descriptor: CInt) in
                port != nil && listeningPort(of: descriptor) == port
            }
            // Tests beside this one may have thousands open.
            return FileSystem.names(in: "/proc/self/fd").compactMap { CInt($0) }
                .first(where: isFound).map { dup($0) }
        }

        private static func listeningPort(of descriptor: CInt) -> UInt16? {
            var isListening: CInt = 0
            var size = socklen_t(MemoryLayout<CInt>.size)
            unsafe getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size)
            var address = sockaddr_in()
            size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let status = unsafe withUnsafeMutablePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe getsockname(descriptor, $0, &size)
                }
            }
            return isListening == 1 && status == 0 ? UInt16(bigEndian: address.sin_port) : nil
        }
    }

    /// Runs a client whose fault lasts; where it was told to connect, the first time and afterwards.
    private func addresses(heldMilliseconds: UInt64?) throws -> [Endpoint] {
        let rig = try SandboxRig()
        let client = HoldingClient()
        defer { client.release() }
        client.onHeld = {
            guard let heldMilliseconds else { return }
            try? rig.after(heldMilliseconds) { client.release() }
        }
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
        #expect((client.held == nil) == (heldMilliseconds != nil))
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
