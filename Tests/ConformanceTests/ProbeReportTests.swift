import HTTPWire
import Reports
import Testing

@testable import Conformance

/// How a failed check is repeated without linkcond.
@Suite struct ProbeReportTests {
    private func line(_ fields: HeaderFields, method: String = "GET") throws -> String? {
        let request = ProbeRequest(method, try HTTPURL("http://h/a"), fields)
        let server = PlantedDownloads()
        let whole = server(ProbedObject.request(PlantedDownloads.url, [:]))
        let object = try ProbedObject(PlantedDownloads.url, [:], whole)
        let check = try #require(DownloadChecks.all(object).first)
        return ProbeResult(
            check: check,
            verdict: .failed("x"),
            course: ProbeCourse().adding(request, ProbeReply(200))
        ).curlLine
    }

    @Test(arguments: ["Authorization", "authorization", "COOKIE", "Proxy-Authorization"])
    func `credentials are not printed, however their field is written`(name: String) throws {
        let line = try line([name: "secret", "Range": "bytes=0-"])
        #expect(line == "curl -sS -D - -o /dev/null -H 'Range: bytes=0-' 'http://h/a'")
    }

    @Test func `methods become options`() throws {
        #expect(try line([:], method: "HEAD") == "curl -I 'http://h/a'")
        #expect(
            try line([:], method: "OPTIONS") == "curl -sS -D - -o /dev/null -X OPTIONS 'http://h/a'"
        )
        #expect(try line(["A": "it's"]) == nil)
    }
}
