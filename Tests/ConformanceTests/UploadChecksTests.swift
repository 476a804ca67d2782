@testable import Conformance
import HTTPWire
import Testing

@Suite struct UploadChecksTests {
    static let dialects =
        InteropVersion.allCases.map(UploadDialect.ietf)
        + [.tus(extensions: PlantedUploads.extensions, maximum: 1_000_000)]

    private static func number(_ check: ServerCheck) -> Int {
        check.name.split(separator: ".").last.flatMap { Int($0.drop { !$0.isNumber }) } ?? 0
    }

    private static func all(_ dialect: UploadDialect) -> [ServerCheck] {
        UploadChecks.all(dialect, at: PlantedUploads.place)
            + UploadChecks.crashes(dialect, at: PlantedUploads.place)
    }

    private static func verdict(
        _ check: ServerCheck,
        _ dialect: UploadDialect,
        mistake: Int = 0
    ) -> ServerCheck.Verdict {
        let server = PlantedUploads(dialect, mistake: mistake)
        return check.verdict(on: server.respond, crash: server.crash, wait: server.wait)
    }

    @Test(arguments: dialects)
    func `a server that keeps all rules is accused of nothing`(dialect: UploadDialect) {
        for check in Self.all(dialect) {
            #expect(Self.verdict(check, dialect) == .passed, "\(check.name)")
        }
    }

    @Test(arguments: dialects)
    func `each mistake is found by the check that is for it`(dialect: UploadDialect) {
        for check in Self.all(dialect) {
            guard case .failed = Self.verdict(check, dialect, mistake: Self.number(check)) else {
                #expect(Bool(false), "\(check.name) finds nothing: \(check.rule)")
                continue
            }
        }
    }

    /// Mistakes of appends at once, of lifetimes and over crashes.
    private static func isSharp(_ number: Int, _ dialect: UploadDialect) -> Bool {
        switch dialect {
        case .ietf: number >= 20
        case .tus: (14...16).contains(number) || number >= 27
        }
    }

    @Test(arguments: dialects)
    func `a mistake with time, appends at once or a crash is found by no other check`(
        dialect: UploadDialect
    ) {
        let checks = Self.all(dialect)
        for check in checks where Self.isSharp(Self.number(check), dialect) {
            let failed = checks.filter {
                if case .failed = Self.verdict($0, dialect, mistake: Self.number(check)) {
                    true
                } else {
                    false
                }
            }
            #expect(failed.map(\.name) == [check.name])
        }
    }

    @Test(arguments: dialects)
    func `no check of a server that does not answer hangs or passes`(dialect: UploadDialect) {
        var silent = ProbeReply()
        silent.failure = "nothing was sent or received for too long"
        for check in Self.all(dialect) {
            #expect(check.verdict(on: { _ in silent }) != .passed, "\(check.name)")
        }
    }

    @Test(arguments: dialects)
    func `a second final response that names another result completed twice`(
        dialect: UploadDialect
    ) throws {
        let server = PlantedUploads(dialect)
        var count = 0
        let respond = { (request: ProbeRequest) in
            var reply = server.respond(request)
            guard request.method == "PATCH" else { return reply }
            count += 1
            reply.fields.add("Location", "/results/\(count)")
            return reply
        }
        let name = Self.isTus(dialect) ? "T17" : ".16"
        let check = try #require(Self.all(dialect).first { $0.name.hasSuffix(name) })
        #expect(
            check.verdict(on: respond)
                == .failed("completed twice: Location: /results/2, before: /results/1")
        )
    }

    @Test(arguments: dialects)
    func `a creation that is answered by 204 breaks a rule, of which version 8 only warns`(
        dialect: UploadDialect
    ) {
        let failed = Self.all(dialect).filter { check in
            let server = PlantedUploads(dialect)
            let respond = { (request: ProbeRequest) in
                var reply = server.respond(request)
                if reply.status == 201, request.body.isEmpty { reply.status = 204 }
                return reply
            }
            let verdict = check.verdict(on: respond, crash: server.crash, wait: server.wait)
            if case .failed = verdict { return true }
            return false
        }
        let isLatest = dialect == .ietf(.v8)
        #expect(failed.first?.name.hasSuffix(isLatest ? "8.28" : "1") == true)
        #expect(failed.first?.level == (isLatest ? .warning : .error))
    }

    @Test(arguments: dialects)
    func `a life of five seconds is waited for`(dialect: UploadDialect) {
        for check in Self.all(dialect) {
            let server = PlantedUploads(dialect, lifetime: 5)
            let verdict = check.verdict(
                on: server.respond,
                crash: server.crash,
                wait: server.wait
            )
            #expect(verdict == .passed, "\(check.name)")
        }
    }

    @Test(arguments: dialects.filter { $0 != .ietf(.v3) && $0 != .ietf(.v5) })
    func `an upload whose time was up before the crash was over is no finding`(
        dialect: UploadDialect
    ) {
        let check = Self.all(dialect).first { $0.name.hasSuffix("40") }
        let server = PlantedUploads(dialect)
        let verdict = check?.verdict(
            on: server.respond,
            crash: {
                server.wait(4_000)
                server.crash()
            }
        )
        let reason = "an upload is kept for 3 s, which were over too soon"
        #expect(verdict == .doesNotApply(reason))
    }

    @Test(arguments: dialects)
    func `a life that is long is not waited for`(dialect: UploadDialect) {
        let server = PlantedUploads(dialect, lifetime: 6)
        let verdicts = Self.all(dialect).map {
            $0.verdict(on: server.respond, crash: server.crash) { _ in
                #expect(Bool(false), "something waits")
            }
        }
        let tooLong = verdicts.count {
            $0 == .doesNotApply("it is kept for 6 s, too long to wait for")
        }
        let isTimed = dialect != .ietf(.v3) && dialect != .ietf(.v5)
        #expect(tooLong == (isTimed ? 2 : 0))
    }

    private static func isTus(_ dialect: UploadDialect) -> Bool {
        if case .tus = dialect { true } else { false }
    }

    @Test func `an unknown draft version may not be refused`() {
        let check = UploadChecks.unknownVersion(at: PlantedUploads.place)
        #expect(check.verdict(on: { _ in ProbeReply(200) }) == .passed)
        #expect(check.verdict(on: { _ in ProbeReply(400) }) == .failed("it is answered by 400"))
    }

    @Test func `a tus server is known by its version, with its extensions`() {
        let reply = ProbeReply(
            204,
            [
                "Tus-Version": "1.0.0,0.2.2", "Tus-Extension": "creation, checksum",
                "Tus-Max-Size": "9",
            ]
        )
        #expect(UploadChecks.tus(reply) == .tus(extensions: ["creation", "checksum"], maximum: 9))
        #expect(UploadChecks.tus(ProbeReply(204)) == nil)
    }
}
