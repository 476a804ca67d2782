import Foundation
import Journal
import SystemIO
import Testing

/// The programs of ngtcp2.
enum QUICStack {
    static let client = "/usr/bin/gtlsclient"
    static let server = "/usr/sbin/gtlsserver"

    static var isThere: Bool { FileSystem.isFile(client) && FileSystem.isFile(server) }

    /// The server, in a workspace that `prepare` has made ready.
    static let serving = "exec \(server) -q -d served 127.0.0.1 {port} key cert"

    /// Makes a certificate, and 300 kB to download at `/object`.
    static func prepare(_ workspace: Workspace) throws {
        let names = ["-subj", "/CN=localhost", "-keyout", "key", "-out", "cert"]
        let made = try Program(
            "/usr/bin/openssl",
            ["req", "-x509", "-newkey", "rsa:2048", "-nodes"] + names,
            in: workspace
        ).wait()
        try #require(made.code == 0, "\(made.errors)")
        try workspace.write("served/object", String(repeating: "x", count: 300_000))
    }

    /// A line of a journal or of a qlog.
    static func object(_ line: Substring) throws -> [String: Any] {
        let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
        return try #require(value as? [String: Any])
    }

    /// The numbers of 1-RTT packets that a qlog has as `sent` or `received`.
    static func numbers(_ event: String, in qlog: String) throws -> Set<Int> {
        var numbers: Set<Int> = []
        for line in qlog.split(separator: "\n") {
            let record = try object(line.drop { $0 == "\u{1E}" })
            guard record["name"] as? String == "transport:packet_\(event)",
                let data = record["data"] as? [String: Any],
                let header = data["header"] as? [String: Any],
                header["packet_type"] as? String == "1RTT",
                let number = header["packet_number"] as? Int
            else { continue }
            numbers.insert(number)
        }
        return numbers
    }
}

/// A QUIC stack's own account of what it received, beside the journal's of what was lost.
@Suite(.enabled(if: QUICStack.isThere)) struct QUICStackTests {
    /// What is known of a download of 300 kB through a profile.
    private struct Download {
        /// Datagrams towards the client that were lost, by number, as the journal has them.
        var dropped: [Int] = []
        /// Numbers of 1-RTT packets that the client received.
        var received: Set<Int> = []
        /// Addresses of the faults that fired.
        var fired: [String] = []

        init(_ profile: String) throws {
            let workspace = Workspace()
            try QUICStack.prepare(workspace)
            let options = ["run", "--seed", "7", "--profile", profile, "--journal", "journal"]
            let command = [
                "--transport", "udp", "--origin-cmd", QUICStack.serving, "--", QUICStack.client,
                "-q",
                "--exit-on-all-streams-close", "--download", "{dir}/", "--qlog-file", "qlog",
                "{host}", "{port}", "https://{host}:{port}/object",
            ]
            let outcome = try Program.run(options + command, in: workspace)
            try #require(outcome.code == 0, "\(outcome.errors)")
            try read(journal: workspace.text("journal"))
            received = try QUICStack.numbers("received", in: workspace.text("qlog"))
        }

        private mutating func read(journal: String) throws {
            for line in journal.split(separator: "\n") {
                let record = try QUICStack.object(line)
                if record["t"] as? String == "fault", let address = record["address"] as? String {
                    fired.append(address)
                    if address.hasPrefix("down#") { dropped.append(Int(address.dropFirst(5)) ?? 0) }
                }
                guard record["t"] as? String == "flowend",
                    let ranges = record["down_lost_approx"] as? String
                else { continue }
                for range in ranges.split(separator: ",") {
                    let ends = range.split(separator: "-").compactMap { Int($0) }
                    dropped += Array(ends[0]...ends[ends.count - 1])
                }
            }
            dropped.sort()
        }
    }

    @Test(arguments: ["quic-transferloss", "quic-simple"])
    func `the packets that a client misses are the datagrams that the journal lost`(
        profile: String
    ) throws {
        let download = try Download(profile)
        let last = try #require(download.received.max())
        let missing = (0...last).filter { !download.received.contains($0) }
        // On a busy machine a queue may never be full.
        if missing.isEmpty, download.dropped.isEmpty { return }
        // The handshake takes a few datagrams before those with one 1-RTT packet each.
        let first = try #require(missing.first)
        let offset = try #require(download.dropped.first) - first
        let dropped = download.dropped.map { $0 - offset }.filter { $0 <= last }
        #expect((1...3).contains(offset))
        #expect(missing == dropped)
    }

    @Test func `faults lose the same datagrams of a stack in each run`() throws {
        let runs = try (0..<3).map { _ in try Download("quic-transferloss") }
        // What is resent, and so how many datagrams there are, is up to the stack.
        let common = runs.map { Set($0.fired) }.reduce(Set(runs[0].fired)) { $0.intersection($1) }
        #expect(common.count >= 3)
        for run in runs {
            let numbers = run.dropped
            #expect(numbers.contains(63) && numbers.contains(76))
        }
    }
}
