import Foundation
import TestSupport
import Testing

/// HTTP/2 as the test server and the client of the program speak it.
@Suite struct HTTP2EndTests {
    private let workspace = Workspace()

    @Test(arguments: [
        (["--https", "--http2"], "2"), (["--https"], "1.1"), (["--http2"], "1.1"), ([], "1.1"),
    ])
    func `the test server speaks HTTP2 where that is asked for`(
        options: [String],
        version: String
    ) throws {
        let curl = ["curl", "-sS", "-o", "{out}", "-w", "%{http_version}", "{url}/bytes/9"]
        let outcome = try Program.run(["run", "-q"] + options + ["--"] + curl, in: workspace)
        #expect(outcome.output == version, "\(outcome.errors)")
    }

    @Test func `our client continues after a stream that was reset`() throws {
        let fault = "GET(/*)#1:resp.body+150000=rst"
        let outcome = try Program.run(
            ["run", "--https", "--http2", "--fault", fault, "--"]
                + [
                    Program.linkcond, "download", "{url}/bytes/300000", "--cacert", "{ca}", "-o",
                    "it",
                ]
                + ["--explain", "--progress", "none", "--seed", "1"],
            in: workspace
        )
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.errors.contains("the server ended the stream with INTERNAL_ERROR"))
        #expect(outcome.errors.contains("bytes=150000-"), "\(outcome.errors)")
        #expect(outcome.errors.contains("answer 206 by HTTP/2"))
        #expect(workspace.bytes("it").count == 300_000)
    }

    @Test func `our client repeats what was not processed`() throws {
        let fault = "POST(/*)#1:req.head=rst-stream(REFUSED_STREAM)"
        try workspace.write("source", String(repeating: "7", count: 100_000))
        let outcome = try Program.run(
            ["run", "--https", "--http2", "--fault", fault, "--"]
                + [Program.linkcond, "upload", "source", "{url}/files/it", "--cacert", "{ca}"]
                + ["--explain", "--progress", "none", "--seed", "1"],
            in: workspace
        )
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("1 attempt"), "\(outcome.output)")
        #expect(outcome.errors.contains("fired once"), "\(outcome.errors)")
    }
}
