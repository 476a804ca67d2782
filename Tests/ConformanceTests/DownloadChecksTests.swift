@testable import Conformance
import HTTPWire
import Testing

@Suite struct DownloadChecksTests {
    private static let names = checks(PlantedDownloads()).map(\.name)

    private static func checks(_ server: PlantedDownloads) -> [ServerCheck] {
        let request = ProbedObject.request(PlantedDownloads.url, [:])
        guard let object = try? ProbedObject(PlantedDownloads.url, [:], server(request)) else {
            return []
        }
        return DownloadChecks.all(object) + DownloadChecks.crashes(object)
    }

    @Test func `a server that keeps all rules is accused of nothing`() {
        let server = PlantedDownloads()
        for check in Self.checks(server) {
            let verdict = check.verdict(on: server.callAsFunction, crash: server.crash)
            #expect(verdict == .passed, "\(check.name)")
        }
    }

    @Test(arguments: names)
    func `each mistake is found by the check that is for it`(name: String) throws {
        let server = PlantedDownloads(mistake: name)
        // The first GET is right; what a later one does wrong is to be found.
        let first = name == "D1" ? PlantedDownloads() : server
        let check = try #require(Self.checks(first).first { $0.name == name })
        guard case .failed = check.verdict(on: server.callAsFunction, crash: server.crash) else {
            return #expect(Bool(false), "\(name) finds nothing: \(check.rule)")
        }
    }

    @Test(arguments: ["D6", "D7", "D50", "D51", "D52"])
    func `a mistake with codings or over a crash is found by no other check`(name: String) {
        let failed = Self.checks(PlantedDownloads()).filter { check in
            let server = PlantedDownloads(mistake: name)
            let verdict = check.verdict(on: server.callAsFunction, crash: server.crash)
            if case .failed = verdict { return true }
            return false
        }
        #expect(failed.map(\.name) == [name])
    }

    @Test(arguments: names)
    func `a server that does not answer breaks rules or none apply, and no check hangs`(
        name: String
    ) throws {
        let check = try #require(Self.checks(PlantedDownloads()).first { $0.name == name })
        var silent = ProbeReply()
        silent.failure = "nothing was sent or received for too long"
        let usesRequests = check.verdict(on: PlantedDownloads().callAsFunction) == .passed
        #expect(usesRequests)
        let needsNone = ["D2", "D4"].contains(name)
        #expect((check.verdict(on: { _ in silent }) == .passed) == needsNone)
    }

    @Test func `a server without ranges and validators can be checked, too`() throws {
        let respond = { (_: ProbeRequest) in ProbeReply(200, body: PlantedDownloads.content) }
        let object = try ProbedObject(
            PlantedDownloads.url,
            [:],
            respond(ProbedObject.request(PlantedDownloads.url, [:]))
        )
        let failed = DownloadChecks.all(object).filter {
            if case .failed = $0.verdict(on: respond) { true } else { false }
        }
        #expect(failed.map(\.name) == ["D2", "D4", "D10", "D33"])
        #expect(failed.allSatisfy { $0.level == .warning })
    }

    @Test(arguments: [
        (404, 10, "GET is answered by 404; name an object that can be fetched"),
        (200, 3, "it has 3 bytes; name an object of at least 4"),
    ])
    func `what cannot be checked is told`(status: Int, length: Int, problem: String) {
        let reply = ProbeReply(status, body: Array(repeating: 1, count: length))
        #expect(throws: ProbeProblem(problem)) {
            try ProbedObject(PlantedDownloads.url, [:], reply)
        }
    }

    @Test(arguments: [
        "--b\r\n\r\nx\r\n--b--\r\n", "", "--b--", "\r\n--b\r\nContent-Range: bytes 0-0/1\r\n\r\nx",
        "--b\r\nContent-Range: bytes 1-0/1\r\n\r\nx\r\n--b--",
    ])
    func `parts that do not follow the grammar are none`(text: String) {
        #expect(ByteRangesPart.all(in: Array(text.utf8), boundary: "b") == nil)
    }
}
