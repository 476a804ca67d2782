import SystemIO
import Testing

@testable import Origin

/// `--on-complete`: a command for each upload that is complete and kept.
@Suite struct CompletionHookTests {
    /// Writes what it is told to files beside those of the uploads.
    private static let report = """
        cd ..; printf '%s\\n' "$LINKCOND_NAME $LINKCOND_BYTES $LINKCOND_PROTOCOL $LINKCOND_METHOD \\
        $LINKCOND_TARGET $LINKCOND_METADATA" >> told; cat "$LINKCOND_FILE" >> content
        """

    private func origin(
        _ folder: OriginFolder,
        _ command: String = report
    ) throws -> LiveOrigin {
        try LiveOrigin(folder: folder) {
            // The folder of uploads is where the command is told that they are.
            $0.onComplete = CompletionCommand(
                "cd \"$(dirname \"$LINKCOND_FILE\")\"; \(command)",
                environment: ["PATH=/usr/bin:/bin", "LINKCOND_METADATA=foreign"]
            )
        }
    }

    private func text(_ folder: OriginFolder, _ name: String) -> String {
        String(decoding: folder.bytes(name) ?? [], as: UTF8.self)
    }

    @Test(arguments: UploadDialect.all)
    func `it hears of a resumable upload once, when all of it is there`(
        dialect: UploadDialect
    ) throws {
        let folder = try OriginFolder()
        let origin = try origin(folder)
        let created = try origin.ask("POST", "/files/a.txt", dialect.creation(last: false), [1, 2])
        let place = try #require(created["Location"])
        #expect(folder.bytes("told") == nil)
        let last = try origin.ask("PATCH", place, dialect.append(at: 2, last: true), [3])
        #expect(last.status == 201)
        // Before the client heard of it.
        #expect(text(folder, "told") == "a.txt 3 ietf-\(dialect.version) POST /files/a.txt \n")
        #expect(folder.bytes("content") == [1, 2, 3])
        _ = try origin.ask("PATCH", place, dialect.append(at: 3, last: true), [])
        #expect(folder.bytes("content") == [1, 2, 3])
    }

    @Test func `it hears of tus with the metadata, of plain uploads and of forms`() throws {
        let folder = try OriginFolder()
        let origin = try origin(folder)
        let tus = [
            ("Tus-Resumable", "1.0.0"), ("Upload-Length", "1"), ("Upload-Metadata", "name Yg=="),
            ("Content-Type", "application/offset+octet-stream"),
        ]
        #expect(try origin.ask("POST", "/files/", tus, [1]).status == 201)
        #expect(try origin.ask("PUT", "/files/c", [], [2]).status == 201)
        let form = [
            "--x", "Content-Disposition: form-data; name=f; filename=d", "", "4", "--x",
            "Content-Disposition: form-data; name=g; filename=e", "", "5", "--x--", "",
        ].joined(separator: "\r\n")
        let fields = [("Content-Type", "multipart/form-data; boundary=x")]
        #expect(try origin.ask("POST", "/files/", fields, Array(form.utf8)).status == 201)
        let told = """
            b 1 tus-1.0.0 POST /files/ name Yg==
            c 1 plain PUT /files/c\u{20}
            d 1 plain POST /files/\u{20}
            e 1 plain POST /files/\u{20}

            """
        #expect(text(folder, "told") == told)
        #expect(folder.bytes("content") == [1, 2] + Array("45".utf8))
    }

    @Test func `where it fails the client hears 500, and the file is kept`() throws {
        let folder = try OriginFolder()
        let origin = try origin(folder, "exit 3")
        var failures: [String] = []
        origin.server.onHookFailure = { failures.append("\($0): \($1)") }
        let plain = try origin.ask("PUT", "/files/a", [], [1])
        #expect(plain.status == 500 && plain.text.contains("the file is kept"))
        let dialect = UploadDialect(version: 8)
        let upload = try origin.ask("POST", "/files/b", dialect.creation(last: true), [1])
        #expect(upload.status == 500)
        #expect(folder.names("files") == ["a", "b"])
        #expect(failures == ["a: exit code 3", "b: exit code 3"])
    }

    @Test func `no more than so many run at a time`() throws {
        let folder = try OriginFolder()
        // Each waits for a file that the test makes, and says that it is there.
        let origin = try LiveOrigin(folder: folder) {
            $0.limits.runningHooks = 2
            let command = """
                cd "$(dirname "$LINKCOND_FILE")/.."; mkdir "run-$LINKCOND_NAME"
                while [ ! -e go ]; do sleep 0.02; done
                """
            $0.onComplete = CompletionCommand(command, environment: ["PATH=/usr/bin:/bin"])
        }
        let clients = try (0..<3).map { number in
            let client = try origin.client()
            try client.send("PUT", "/files/\(number)", [], [1])
            return client
        }
        let running = { folder.names(".").filter { $0.hasPrefix("run-") }.count }
        #expect(origin.run { running() == 2 })
        origin.settle()
        #expect(running() == 2)
        try folder.write("go", [])
        for client in clients { #expect(try client.response().status == 201) }
        #expect(running() == 3)
    }
}
