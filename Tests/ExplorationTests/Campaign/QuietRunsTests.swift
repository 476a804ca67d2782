import Faults
import SystemIO
import Proxy
import TestSupport
import Testing
import TrialSupport

@testable import Exploration
@testable import Trials

/// Which runs leave their place to others.
@Suite struct QuietRunsTests {
    /// Explores a command two runs at a time, and answers the most that were under way at once.
    private func mostAtOnce(_ pause: String, quietMilliseconds: UInt64? = 250) throws -> Int {
        let once = "curl -sf --max-time 5 -o {out} {url}/bytes/3000"
        var settings = CampaignRunnerTests.settings([.finish])
        settings.runLimit = 8
        settings.confirmations = 0
        var most = 0
        let (report, _, failure) = try CampaignRunnerTests().explore(
            "\(once) || { \(pause); \(once); }",
            settings
        ) {
            $0.jobs = 2
            $0.quietMilliseconds = quietMilliseconds
        } meanwhile: { runner in
            runner.onProgress = { [unowned runner] in
                most = max(most, runner.campaign.progress.running)
            }
        }
        #expect(failure == nil && report.counts.total == 8)
        return most
    }

    @Test(.onLinux("how busy a session is"))
    func `a client that sleeps before its next try leaves its place to another`() throws {
        #expect(try mostAtOnce("sleep 2") > 2)
    }

    @Test func `a client that works keeps its place`() throws {
        let work = "timeout 1.5 sh -c 'while :; do :; done'"
        #expect(try mostAtOnce(work) <= 2)
    }

    @Test func `runs that must be alone keep their places when they sleep`() throws {
        #expect(try mostAtOnce("sleep 1", quietMilliseconds: nil) <= 2)
    }

    /// A client that does what it is told.
    private final class ToldClient: ClientCode {
        private var place: TrialPlace?
        private var done: ((Int) -> Void)?
        private let buffer = TransferBuffer(capacity: 16)
        private var socket = Socket()

        func start(_ place: TrialPlace, done: @escaping (Int) -> Void) {
            self.place = place
            self.done = done
        }

        func cancel() { finish() }

        func connect() {
            guard let address = place?.listen.numericAddress else { return }
            #expect(throws: Never.self) {
                socket = try Socket(like: address)
                _ = try socket.connect(to: address)
            }
        }

        func send(_ text: String) {
            buffer.store(Array(text.utf8), at: 0)
            _ = socket.send(buffer, from: 0, count: text.utf8.count)
        }

        func finish() {
            done?(0)
            done = nil
        }
    }

    @Test func `a connection or a byte is progress, what comes after the client is none of it`()
        throws
    {
        let rig = try SandboxRig()
        let client = ToldClient()
        let trial = Trial(
            schedule: try FaultSchedule(parsing: "lc1;seed=1"),
            client: .code(client)
        )
        var quiet = QuietRuns()
        var seen: [[Int]] = []
        _ = try rig.run(trial) { running in
            let look = { seen.append(quiet.look(at: [7: running, 8: nil])) }
            var steps = [
                look, look, client.connect, look, look, { client.send("GET /") }, look, look,
                client.finish, look, look,
            ]
            // One after the other, so that the loop has its turn in between.
            func next() {
                guard !steps.isEmpty else { return }
                steps.removeFirst()()
                try? rig.after(60, next)
            }
            next()
        }
        #expect(seen == [[], [7], [], [7], [], [7], [], []])
    }
}
