import Foundation
import Libuv
import Testing

/// Commands that only print.
@Suite struct ReferenceTests {
    @Test(arguments: [
        "proxy", "profiles", "plan", "journal", "version", "completions", "man", "help",
    ])
    func `every command has help`(command: String) throws {
        let outcome = try Program.run([command, "--help"])
        #expect(outcome.code == 0)
        #expect(outcome.output.hasPrefix("linkcond"))
        #expect(outcome.errors.isEmpty)
    }

    @Test(arguments: ["faults", "misbehaviour", "config", "exit-codes"])
    func `every topic has help`(topic: String) throws {
        let outcome = try Program.run(["help", topic])
        #expect(outcome.code == 0)
        #expect(outcome.output.hasPrefix("linkcond help \(topic) - "))
        #expect(!outcome.outputLines.contains { $0.count > 80 })
    }

    @Test func `a reader that has seen enough is no error`() throws {
        let workspace = Workspace()
        for command in [
            "profiles --json", "help faults", "man", "plan --bytes 5MB --packets -", "profiles",
        ] {
            let script =
                "{ trap '' PIPE; sleep 0.2; \(Program.linkcond) \(command); echo $? >code; } | :"
            let outcome = try Program("/bin/sh", ["-c", script], in: workspace).wait()
            #expect(outcome.errors.isEmpty, "\(command): \(outcome.errors)")
            #expect(Program.poll(seconds: 10) { workspace.text("code") == "0\n" }, "\(command)")
            try workspace.write("code", "")
        }
    }

    @Test func `help shows examples that work`() throws {
        let help = try Program.run(["--help"]).output
        #expect(help.contains("linkcond plan --profile 3g --bytes 1MB"))
        #expect(try Program.run(["plan", "--profile", "3g", "--bytes", "1MB"]).code == 0)
        let other = try Program.run(["plan", "--help"]).output
        let examples = other.split(separator: "\n").filter { $0.hasPrefix("  linkcond plan") }
        #expect(examples.count == 3)
        for example in examples {
            let words = example.split(separator: " ").dropFirst().map(String.init)
            #expect(try Program.run(words).code == 0, "\(example)")
        }
    }

    @Test func `colour is asked for or refused`() throws {
        let escape = "\u{1B}["
        #expect(try !Program.run(["--help"]).output.contains(escape))
        let forced = try Program.run(["help"], environment: ["FORCE_COLOR": "1"])
        #expect(forced.output.contains(escape))
        let refused = try Program.run(
            ["plan", "--no-color"],
            environment: ["FORCE_COLOR": "1"]
        )
        #expect(!refused.output.contains(escape))
    }

    @Test func `the man page has no mistake`() throws {
        let workspace = Workspace()
        let script = "\(Program.linkcond) man | man --warnings -l - > page"
        let outcome = try Program("/bin/sh", ["-c", script], in: workspace).wait()
        try #require(outcome.code == 0)
        #expect(outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(workspace.text("page").contains("EXIT STATUS"))
    }

    @Test func `bash takes the completions`() throws {
        let workspace = Workspace()
        let script = """
            source <(\(Program.linkcond) completions bash)
            complete_words() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _linkcond; echo "${COMPREPLY[*]}"; }
            PATH=\(URL(fileURLWithPath: Program.linkcond).deletingLastPathComponent().path):$PATH
            complete_words linkcond pla
            complete_words linkcond --profile 100-l
            complete_words linkcond plan --dir
            complete_words linkcond profiles show chrome-slow-4
            """
        let outcome = try Program("/bin/bash", ["-c", script], in: workspace).wait()
        #expect(outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(
            outcome.outputLines.prefix(4) == ["plan", "100-loss", "--direction", "chrome-slow-4g"]
        )
    }

    @Test func `the version is one line and JSON`() throws {
        #expect(try Program.run(["--version"]).output.hasPrefix("linkcond 0."))
        let json = try Program.run(["version", "--json"]).output
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        #expect(object?["libuv"] != nil && object?["openssl"] != nil)
    }
}

@Suite struct ReadmeTests {
    private static var root: URL {
        var folder = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { folder.deleteLastPathComponent() }
        return folder
    }

    @Test func `commands in the README print what stands there`() throws {
        let readme = Self.root.appendingPathComponent("README.md").path
        let script = Self.root.appendingPathComponent(".ci/readme").path
        let outcome = try Program("/bin/bash", [script, Program.linkcond, readme]).wait()
        #expect(outcome.code == 0)
        let text = String(decoding: try FileSystem.read(readme, limit: 1 << 20), as: UTF8.self)
        // What has one source in the program is shown from there.
        for command in [
            "plan", "help faults", "help config", "help exit-codes", "profiles show", "profiles |",
        ] {
            #expect(text.contains("\n$ linkcond \(command)"), "\(command)")
        }
        #expect(outcome.output == text, "run `make readme`")
    }

    /// Lines of the README's block that holds a line that begins like this.
    private func block(_ start: String) throws -> [String] {
        let readme = Self.root.appendingPathComponent("README.md").path
        let text = String(decoding: try FileSystem.read(readme, limit: 1 << 20), as: UTF8.self)
        let place = try #require(text.range(of: "```text\n\(start)"))
        return text[place.lowerBound...].split(separator: "\n", omittingEmptySubsequences: false)
            .dropFirst().prefix { $0 != "```" }.map(String.init)
    }

    /// Lines without their numbers and digests, which depend on the machine and on wget's version.
    private func shapes(_ lines: some Sequence<String>) -> [String] {
        lines.map { $0.replacing(#/[0-9a-f]{10,}|[0-9][0-9,.]*/#, with: "N") }
    }

    private func shell(_ script: String) throws -> Outcome {
        let program = "linkcond() { \(Program.linkcond) \"$@\"; }"
        return try Program("/bin/bash", ["-c", "\(program); \(script)"]).wait()
    }

    @Test func `the exploration in the README is what the program prints`() throws {
        let lines = try block("$ linkcond explore")
        let command = lines.prefix(2).joined(separator: "\n").dropFirst(2)
        let printed = try shell(String(command)).outputLines.dropLast()
        let isFinding = { (line: String) in line.hasPrefix("FINDING") }
        #expect(
            shapes(lines.drop { !isFinding($0) }) == shapes(printed.drop { !isFinding($0) }),
            "\(printed.joined(separator: "\n"))"
        )
        // The middle of the table is left out.
        let table = lines.dropFirst(2).prefix { !isFinding($0) }.filter { $0 != "..." }
        #expect(Set(shapes(table)).isSubset(of: shapes(printed)), "\(printed)")
    }

    @Test func `the summary in the README is what the program prints`() throws {
        let lines = try block("summary none")
        let line = try #require(lines.first { $0.hasPrefix("  repeat with  ") })
        let outcome = try shell(
            "linkcond run -q -- curl -sS -o right.bin {url}/bytes/300000; \(line.dropFirst(15))"
        )
        let printed = outcome.errors.split(separator: "\n").map(String.init)
            .drop { !$0.hasPrefix("summary") }
        #expect(shapes(lines) == shapes(printed), "\(outcome.errors)")
        #expect(outcome.code == 0)
    }

    @Test func `the live view in the README agrees with itself`() throws {
        let readme = Self.root.appendingPathComponent("README.md").path
        let text = String(decoding: try FileSystem.read(readme, limit: 1 << 20), as: UTF8.self)
        let start = try #require(text.range(of: "```text\nlinkcond  lte"))
        let block = text[start.lowerBound...].split(separator: "\n").dropFirst()
            .prefix { $0 != "```" }
        let header = try #require(block.first?.firstMatch(of: #/(\d+) open, (\d+) total/#))
        #expect(block.count { $0.wholeMatch(of: #/c\d+ .*/#) != nil } == Int(header.1))
        #expect(block.allSatisfy { $0.count <= 80 })
    }
}
