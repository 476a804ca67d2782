import Foundation
import SystemIO
import Testing

/// QUIC connections that are read with the secrets that a stack writes.
@Suite struct QUICSecretsTests {
    /// A download of 300 kB whose client comes from another port meanwhile.
    private static func download(
        in workspace: Workspace,
        fault: String = "u1/1rtt:up#20=rebind(port)"
    ) throws -> [[String: Any]] {
        try QUICStack.prepare(workspace)
        let options = [
            "run", "--seed", "7", "--profile", "quic-simple", "--journal", "journal", "--dir",
            "dir",
            "--fault", fault, "--quic-secrets", "{dir}/secrets",
            "--record-datagrams", "9",
        ]
        let command = [
            "--transport", "udp", "--origin-cmd", QUICStack.serving, "--", QUICStack.client, "-q",
            "--exit-on-all-streams-close", "--qlog-file", "qlog", "{host}", "{port}",
            "https://{host}:{port}/object",
        ]
        let outcome = try Program.run(options + command, in: workspace)
        try #require(outcome.code == 0, "\(outcome.errors)")
        return try workspace.text("journal").split(separator: "\n").map(QUICStack.object)
    }

    @Test(.enabled(if: QUICStack.isThere))
    func `packet numbers are those of the stack, and no secret is told`() throws {
        let workspace = Workspace()
        let journal = try Self.download(in: workspace)
        func numbers(_ direction: String) -> Set<Int> {
            Set(
                journal.filter {
                    $0["t"] as? String == "qpacket" && $0["packet"] as? String == "1rtt"
                        && $0["dir"] as? String == direction
                }.compactMap { $0["number"] as? Int }
            )
        }
        let qlog = workspace.text("qlog")
        #expect(try numbers("up") == QUICStack.numbers("sent", in: qlog))
        let received = try QUICStack.numbers("received", in: qlog)
        #expect(received.count > 200 && numbers("down").isSuperset(of: received))
        let end = try #require(journal.first { $0["t"] as? String == "flowend" })
        #expect(end["up_unopened_approx"] == nil && end["down_unopened_approx"] == nil)
        #expect(journal.count { $0["t"] as? String == "datagram" } == 18)

        let report = try Program.run(["report", "journal"], in: workspace)
        #expect(report.output.contains("pass         Q4"), "\(report.output)")
        #expect(report.output.contains("pass         Q5"))
        let text = workspace.text("journal")
        let secrets = workspace.text("dir/secrets").split(separator: "\n")
        #expect(secrets.count >= 5)
        for line in secrets {
            #expect(line.split(separator: " ").dropFirst().allSatisfy { !text.contains($0) })
        }
    }

    /// The next one comes once the client has sent something by the new port.
    @Test(.enabled(if: QUICStack.isThere))
    func `a server's datagram that triggers a rebinding came by the former path`() throws {
        let workspace = Workspace()
        let journal = try Self.download(in: workspace, fault: "u1/1rtt:down#20=rebind(port)")
        let packets = journal.filter {
            $0["t"] as? String == "qpacket" && $0["packet"] as? String == "1rtt"
                && $0["dir"] as? String == "down"
        }
        // Two packets may share a datagram, of which the number counts.
        var paths: [Int: Int] = [:]
        for packet in packets {
            paths[try #require(packet["k"] as? Int)] = packet["path"] as? Int ?? 0
        }
        let inOrder = paths.sorted { $0.key < $1.key }.map(\.value)
        #expect(inOrder.prefix(20).allSatisfy { $0 == 0 })
        #expect(inOrder.dropFirst(20).allSatisfy { $0 == 1 })
        let report = try Program.run(["report", "journal"], in: workspace)
        #expect(report.output.contains("pass         Q4"), "\(report.output)")
    }

    @Test(
        arguments: [
            (["--quic-secrets", "."], "cannot read '.'"),
            (["--record-datagrams", "0"], "1 to 1000000"),
            (["--record-datagrams", "5,digests"], "followed by ,digest"),
        ]
    )
    func `what cannot be is refused`(options: [String], words: String) throws {
        let outcome = try Program.run(["run"] + options + ["--", "true"], in: Workspace())
        #expect(outcome.code == 125)
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }

    @Test func `a proxy without a journal records nothing`() throws {
        let options = ["proxy", "--quic-secrets", "x", "--dry-run"]
        let outcome = try Program.run(options, in: Workspace())
        #expect(outcome.code == 64 && outcome.errors.contains("add --journal FILE"))
    }
}
