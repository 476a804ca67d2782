import Basics
import Foundation
import Journal
import SystemIO
import TestSupport
import Testing

/// `linkcond dns`, asked over real sockets.
@Suite struct DNSTests {
    /// A query for `a.test`, type A, with the number 7.
    private static let query: [UInt8] = [
        0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 97, 4, 116, 101, 115, 116, 0, 0, 1, 0, 1,
    ]

    private static func start(_ options: [String], in workspace: Workspace) throws -> Program {
        let program = try Program(
            Program.linkcond,
            ["dns", "--ready-file", "ready", "--seed", "7"] + options,
            in: workspace
        )
        try program.waitFor("listening")
        return program
    }

    private static func address(in workspace: Workspace) throws -> SocketAddress {
        #expect(Program.poll(seconds: 20) { !workspace.bytes("ready").isEmpty })
        let ready = try JSONSerialization.jsonObject(with: Data(workspace.bytes("ready")))
        let port = try #require((ready as? [String: Any])?["port"] as? Int)
        return .loopback(port: UInt16(port))
    }

    /// The flags of each answer, in turn.
    private static func flags(_ count: Int, from address: SocketAddress) throws -> [[UInt8]] {
        let loop = try EventLoop()
        let client = try TestDatagramPeer.client(of: address, on: loop)
        defer { client.close() }
        for number in 1...count {
            client.send(query)
            try loop.run("answer \(number)") { client.received.count == number }
        }
        return client.received.map { Array($0.bytes[2..<4]) }
    }

    private static func journal(_ options: [String]) throws -> (CanonicalJournal, Outcome) {
        let workspace = Workspace()
        let program = try start(options + ["--journal", "journal"], in: workspace)
        let flags = try flags(3, from: try address(in: workspace))
        #expect(flags == [[0x81, 0x83], [0x85, 0x80], [0x83, 0x80]])
        program.signal(SIGINT)
        let outcome = try program.wait()
        return (try CanonicalJournal(reading: workspace.bytes("journal")), outcome)
    }

    private static let faults = [
        "--name", "a.test=127.0.0.1", "--fault", "A(a.test)#1=nxdomain", "--fault",
        "A(*)#3=truncate", "--fault", "AAAA(a.test)#*=timeout",
    ]

    @Test func `queries are answered, written down and summed up`() throws {
        let (journal, outcome) = try Self.journal(Self.faults)
        #expect(outcome.code == 130)
        #expect(
            outcome.output.contains(
                """
                  queries      3: 1 from names, 2 by faults
                  fault        A(a.test)#1=nxdomain: fired once
                  fault        A(*)#3=truncate: fired once
                  fault        AAAA(a.test)#*=timeout: never reached (no query)
                """
            ),
            "\(outcome.output)"
        )
        #expect(outcome.errors.contains("udp a.test A: NXDOMAIN, by A(a.test)#1=nxdomain"))
        #expect(outcome.errors.contains("udp a.test A: NOERROR 127.0.0.1\n"))
        #expect(journal.isComplete)
        let types = journal.orderedSections.flatMap(\.records).map(\.type)
        #expect(types == ["start", "dns", "dns", "dns", "fault", "fault", "fault"])
        // The same again has the same digest.
        let (again, _) = try Self.journal(Self.faults)
        #expect(again.text == journal.text)
    }

    @Test func `JSON has a line for each query and a summary`() throws {
        let workspace = Workspace()
        let program = try Self.start(["--json", "--name", "*=::1"], in: workspace)
        _ = try Self.flags(1, from: try Self.address(in: workspace))
        program.signal(SIGTERM)
        let outcome = try program.wait()
        #expect(outcome.code == 143)
        let events = try outcome.output.split(separator: "\n").map { line in
            try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            )
        }
        #expect(events.map { $0["event"] as? String } == ["listening", "query", "summary"])
        #expect(events[1]["name"] as? String == "a.test")
        #expect(events[1]["answer"] as? String == "NODATA")
    }

    @Test(arguments: [
        (["--fault", "A(x)#1=nxdomian"], "--fault: 'A(x)#1=nxdomian', column 8: unknown effect"),
        (["--name", "x"], "--name: 'x', column 2: expected '=' and an address"),
        (["--upstream", "resolver"], "--upstream: 'resolver': give the address of a name server"),
        (["--listen", "192.0.2.1:53"], "--listen: 192.0.2.1:53 can be reached by other machines"),
        (["--listen", "unix:x"], "--listen: 'unix:x': give an address of this machine"),
        (["--ttl", "-1"], "--ttl: '-1' is not a whole number from 0 to 2147483647"),
        (["--journal", "-", "--json"], "--journal - and --json both want standard output"),
    ])
    func `a mistake is named with its option`(options: [String], words: String) throws {
        let outcome = try Program.run(["dns"] + options)
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }

    @Test func `an address that is taken is told`() throws {
        let workspace = Workspace()
        let program = try Self.start([], in: workspace)
        let address = try Self.address(in: workspace)
        let outcome = try Program.run(["dns", "--listen", "\(address)"])
        #expect(outcome.code == 69)
        #expect(outcome.errors.contains("cannot listen on \(address): address already in use"))
        program.signal(SIGINT)
        _ = try program.wait()
    }

    /// Without the right to have port 53 or a mount namespace, it has to be said.
    @Test func `a command asks it and its code is passed on, or the reason is told`() throws {
        let script = "cat /etc/resolv.conf; getent ahostsv4 a.test | head -n 1; exit 7"
        let outcome = try Program.run(
            [
                "dns", "--name", "a.test=127.0.0.9", "--fault", "A(a.test)#1=truncate", "--",
                "sh", "-c", script,
            ]
        )
        guard outcome.code != 125 else {
            let reasons = ["cannot listen on 127.0.0.", "does not allow a private resolv.conf"]
            #expect(reasons.contains { outcome.errors.contains($0) }, "\(outcome.errors)")
            return
        }
        #expect(outcome.code == 7, "\(outcome.errors)")
        #expect(outcome.output.hasPrefix("nameserver 127.0.0."))
        #expect(outcome.output.contains("127.0.0.9"), "\(outcome.output)")
        #expect(outcome.errors.contains("tcp a.test A: NOERROR 127.0.0.9"))
        #expect(outcome.errors.contains("A(a.test)#1=truncate: fired once"))
    }

    // Beside a proxy.

    private static let beside = [
        "--dns", "--name", "a.test=127.0.0.9", "--seed", "7", "--fault", "A(a.test)#1=nxdomain",
        "--fault", "A(*)#2=refused", "--fault", "AAAA(a.test)#*=timeout",
    ]

    private static func besideAddress(
        _ file: String = "ready",
        in workspace: Workspace
    ) throws -> SocketAddress {
        #expect(Program.poll(seconds: 20) { !workspace.bytes(file).isEmpty })
        let ready = try JSONSerialization.jsonObject(with: Data(workspace.bytes(file)))
        let dns = try #require((ready as? [String: Any])?["dns"] as? [String: Any])
        #expect(dns["names"] as? [String] == ["a.test=127.0.0.9"])
        return .loopback(port: UInt16(try #require(dns["port"] as? Int)))
    }

    @Test func `a proxy answers lookups, too, and counts their faults with its own`() throws {
        let workspace = Workspace()
        let program = try Program(
            Program.linkcond,
            Self.beside + [
                "--ready-file", "ready", "--journal", "journal", "--fault", "c1:down+9=rst",
            ],
            in: workspace
        )
        let address = try Self.besideAddress(in: workspace)
        #expect(
            try Self.flags(3, from: address) == [[0x81, 0x83], [0x81, 0x85], [0x85, 0x80]]
        )
        program.signal(SIGINT)
        let outcome = try program.wait()
        #expect(
            outcome.output.contains("\ndns \(address), a.test=127.0.0.9\n"),
            "\(outcome.output)"
        )
        for line in [
            "  queries      3: 1 from names, 2 by faults",
            "  fault        A(a.test)#1=nxdomain: fired once",
            "  fault        A(*)#2=refused: fired once",
            "  fault        AAAA(a.test)#*=timeout: never reached (no query)",
            "  fault        c1:down+9=rst: never reached (no connection)",
            "--name a.test=127.0.0.9 --dns --seed 7",
        ] {
            #expect(outcome.output.contains(line), "\(outcome.output)")
        }
        let journal = try CanonicalJournal(reading: workspace.bytes("journal"))
        #expect(journal.isComplete)
        let types = journal.orderedSections.flatMap(\.records).map(\.type)
        #expect(types.count { $0 == "dns" } == 3 && types.count { $0 == "fault" } == 4)
    }

    @Test func `a run answers lookups, and its journal repeats it`() throws {
        let workspace = Workspace()
        for (command, name) in [
            (["run"] + Self.beside, "first"), (["replay", "--from-journal", "first"], "second"),
        ] {
            let program = try Program(
                Program.linkcond,
                command + ["--journal", name, "--ready-file", "ready-\(name)"],
                in: workspace
            )
            let address = try Self.besideAddress("ready-\(name)", in: workspace)
            _ = try Self.flags(3, from: address)
            program.signal(SIGINT)
            let outcome = try program.wait()
            #expect(outcome.code == 130, "\(outcome.errors)")
            #expect(outcome.errors.contains("fault A(*)#2=refused fired"))
            // The fault that never fired is no pass.
            #expect(outcome.errors.contains("AAAA(a.test)#*=timeout never fired (no query)"))
            #expect(
                outcome.errors.contains("the same happened as in the recorded run")
                    == (name == "second"),
                "\(outcome.errors)"
            )
        }
    }

    @Test func `without --dns a fault of lookups says what to add`() throws {
        for command in [[], ["run"]] {
            let outcome = try Program.run(command + ["--fault", "A(a.test)#1=servfail"])
            #expect(outcome.code == (command.isEmpty ? 64 : 125))
            #expect(outcome.errors.contains("nobody answers here; add --dns"), "\(outcome.errors)")
        }
        let outcome = try Program.run(["--dns", "--name", "x.test=::1", "--dry-run"])
        #expect(outcome.code == 0 && outcome.output.contains("name             x.test=::1"))
    }

    @Test func `a command is explored by the lookups that it makes`() throws {
        // It takes what comes first.
        let script = "getent ahostsv4 a.test | head -n 1 >{out}; [ -s {out} ]"
        let outcome = try Program.run(
            [
                "explore", "--dns", "--name", "a.test=127.0.0.9", "--effects", "dns", "--forget",
                "--no-canary", "--deadline", "12s", "--", "sh", "-c", script,
            ]
        )
        guard outcome.code != 69, outcome.code != 4 else {
            let reasons = ["cannot listen on 127.0.0.", "does not allow a private resolv.conf"]
            let text = outcome.output + outcome.errors
            #expect(reasons.contains { text.contains($0) }, "\(text)")
            return
        }
        #expect(outcome.code == 1, "\(outcome.output)\(outcome.errors)")
        let schedule = "replay 'lc1;seed=1;A(a.test)#1=wrong(127.0.0.251)'"
        #expect(outcome.output.contains(schedule), "\(outcome.output)")
        #expect(outcome.output.contains("--name a.test=127.0.0.9 --dns"), "\(outcome.output)")
    }
}
