import Basics
import DNS
import DNSWire
import Faults
import Journal
import SystemIO
import TestSupport
import Testing
import TrialSupport

@testable import Trials

/// Asks for addresses in this process, one query after the other.
private final class AskingClient: ClientCode {
    private let loop: EventLoop
    private var questions: [DNSMessage.Question]
    private var peer: TestDatagramPeer?
    private var done: (Int) -> Void = { _ in }
    private(set) var answers: [DNSMessage] = []

    init(_ names: [String], _ type: RecordType = .a, on loop: EventLoop) throws {
        self.loop = loop
        questions = try names.map { .init(try #require(DomainName($0)), type) }
    }

    func start(_ place: TrialPlace, done: @escaping (Int) -> Void) {
        self.done = done
        guard let server = place.nameServer,
            let peer = try? TestDatagramPeer.client(of: server, on: loop)
        else { return done(9) }
        self.peer = peer
        peer.onReceive = { [weak self] _, received in
            guard let self else { return }
            if let answer = try? DNSMessage(parsing: received.bytes) { answers.append(answer) }
            ask()
        }
        ask()
    }

    private func ask() {
        guard !questions.isEmpty else { return finish(0) }
        let question = questions.removeFirst()
        peer?.send(DNSMessage(id: 5, flags: .init(bits: 0x100), questions: [question]).bytes())
    }

    private func finish(_ code: Int) {
        peer?.close()
        done(code)
    }

    func cancel() { finish(1) }
}

/// Name lookups of a trial's client.
@Suite struct LookupTests {
    private static func trial(_ schedule: String, _ client: any ClientCode) throws -> Trial {
        var trial = Trial(
            schedule: try FaultSchedule(parsing: schedule),
            client: .code(client)
        )
        var lookups = LookupSettings()
        lookups.names = [try NamedAddresses(parsing: "a.test=127.0.0.9")]
        lookups.proxied = ["server.example.com", "192.0.2.1", "localhost", "a.test"]
        trial.lookups = lookups
        return trial
    }

    @Test func `faults of lookups are counted with all others`() throws {
        let rig = try SandboxRig()
        let client = try AskingClient(["a.test", "a.test", "server.example.com"], on: rig.loop)
        let schedule =
            "lc1;seed=7;c1:down+1=rst;A(a.test)#1=servfail;A(a.test)#1..3=ttl(3)"
            + ";AAAA(a.test)#1=timeout;A(*)#9=refused;A(server.example.com)#1=rotate"
        let outcome = try rig.run(try Self.trial(schedule, client))
        #expect(outcome.ending == .exited(0))
        #expect(client.answers.map(\.flags.code) == [2, 0, 0])
        #expect(client.answers[1].answers.map(\.address?.text) == ["127.0.0.9"])
        // A server's name leads to the proxy in front of it.
        #expect(client.answers[2].answers.map(\.address?.text) == ["127.0.0.1"])
        let rows = outcome.faults.map { "\($0.id): \($0.fired) \($0.reason)" }
        #expect(
            rows == [
                "c1:down+1=rst: 0 no connection", "A(a.test)#1=servfail: 1 no query",
                "A(a.test)#1..3=ttl(3): 1 no query", "AAAA(a.test)#1=timeout: 0 no query",
                "A(*)#9=refused: 0 not this query's turn",
                "A(server.example.com)#1=rotate: 0 nothing to change in the answer",
            ]
        )
        #expect(outcome.queries == 3 && !outcome.hasNoTraffic)
        let records = outcome.records.map(\.record)
        let lookups = records.compactMap { record in
            if case .dns(let report, _) = record { report } else { nil }
        }
        #expect(lookups.map(\.answer) == ["SERVFAIL", "NOERROR 127.0.0.9", "NOERROR 127.0.0.1"])
        let states = records.compactMap { record in
            if case .fault(let report) = record { report.state } else { nil as FaultReport.State? }
        }
        #expect(states.count { $0 == .fired } == 2 && states.count == 6)
    }

    @Test func `the client is told where lookups are answered`() throws {
        let rig = try SandboxRig()
        let client = try AskingClient(["x.test"], on: rig.loop)
        let outcome = try rig.run(try Self.trial("lc1;seed=7", client))
        let address = try #require(outcome.place.nameServer)
        #expect(address.isLoopback && address.port != 53)
        #expect(outcome.place.expand("@{dns}") == "@\(address)")
        #expect(outcome.place.abbreviate("no answer of \(address)") == "no answer of {dns}")
        #expect(
            outcome.place.names.map(\.canonicalText)
                == ["a.test=127.0.0.9", "server.example.com=127.0.0.1"]
        )
        guard case .start(let start)? = outcome.records.first?.record else {
            Issue.record("no start")
            return
        }
        // What was given, to be given again.
        #expect(
            start.environment["dns"]?.text == #"{"names":["a.test=127.0.0.9"],"upstream":null}"#
        )
    }

    @Test func `a fault of lookups that nobody answers is refused with what to do`() throws {
        let rig = try SandboxRig()
        var trial = try Self.trial("lc1;A(a.test)#1=servfail", CodeOf { 0 })
        trial.lookups = nil
        let error = try #require(throws: SandboxError.self) {
            _ = try rig.sandbox.start(trial) { _ in }
        }
        #expect(error.kind == .refused)
        #expect(
            error.description.hasPrefix("fault 'A(a.test)#1=servfail' acts on name lookups")
                && error.description.contains("add --dns")
        )
    }

    @Test func `an address that is taken is told`() throws {
        let rig = try SandboxRig()
        let other = try TestDatagramPeer.server(at: .loopback(port: 0), on: rig.loop)
        defer { other.close() }
        var trial = try Self.trial("lc1", CodeOf { 0 })
        trial.lookups?.listen = other.address
        let error = try #require(throws: SandboxError.self) {
            _ = try rig.sandbox.start(trial) { _ in }
        }
        #expect(error.kind == .unavailable)
        #expect(error.description.contains("address already in use; choose another port"))
    }

    /// Where the system allows no mount namespace or no port 53, it has to be said.
    @Test func `a command asks this server alone, or the reason is told`() throws {
        let rig = try SandboxRig()
        var trial = try shell("getent ahostsv4 a.test >{out} && cat {out} && exit 7")
        trial.lookups = LookupSettings()
        trial.lookups?.names = [try NamedAddresses(parsing: "a.test=127.0.0.9")]
        trial.lookups?.isPrivate = true
        let outcome: TrialOutcome
        do {
            outcome = try rig.run(trial)
        } catch let error as SandboxError {
            #expect(error.description.contains("cannot listen on 127.0.0."))
            return
        }
        if case .notStarted(let words) = outcome.ending {
            #expect(words.contains("does not allow a private resolv.conf"), "\(words)")
            return
        }
        #expect(outcome.ending == .exited(7))
        #expect(String(decoding: outcome.output, as: UTF8.self).contains("127.0.0.9"))
        #expect(outcome.queries > 0)
        // Its files are gone.
        var missing = try shell("")
        missing.client = .command(TrialCommand(["linkcond-no-such-program"], environment: []))
        missing.lookups = trial.lookups
        let ended = try rig.run(missing)
        guard case .notFound(let words) = ended.ending else {
            Issue.record("\(ended.ending)")
            return
        }
        #expect(words == "'linkcond-no-such-program': no such file or directory")
    }

    @Test(arguments: [
        ("api.example.com", "127.0.0.1", "api.example.com=127.0.0.1"),
        ("API.example.com.", "127.0.0.3", "api.example.com=127.0.0.3"),
        ("api.example.com", "0.0.0.0", "api.example.com=127.0.0.1"),
        ("api.example.com", "::", "api.example.com=::1"),
        ("localhost", "127.0.0.1", ""), ("192.0.2.1", "127.0.0.1", ""), ("::1", "127.0.0.1", ""),
        ("given.test", "127.0.0.1", ""),
    ])
    func `a server's name leads to the proxy, unless it leads elsewhere`(
        server: String,
        listener: String,
        names: String
    ) throws {
        var settings = LookupSettings()
        settings.names = [try NamedAddresses(parsing: "*.test=127.0.0.7")]
        settings.lead(server, to: SocketAddress(numericHost: listener, port: 80))
        #expect(settings.names.dropFirst().map(\.canonicalText).joined() == names)
        settings.lead(server, to: nil)
        #expect(settings.names.count == (names.isEmpty ? 1 : 2))
    }
}

/// A client that ends at once.
private final class CodeOf: ClientCode {
    private let code: () -> Int

    init(_ code: @escaping () -> Int) { self.code = code }

    func start(_ place: TrialPlace, done: @escaping (Int) -> Void) { done(code()) }

    func cancel() {}
}
