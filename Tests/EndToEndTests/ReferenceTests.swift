import Foundation
import SystemIO
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
        #expect(examples.count == 5)
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
            complete_line() { COMP_LINE=$1; COMP_POINT=${#1}; shift; complete_words "$@"; }
            complete_line 'linkcond --fault u1:u' linkcond --fault u1 : u
            complete_line 'linkcond --set down.ra' linkcond --set down.ra
            complete_line 'linkcond run --expect backoff=e' linkcond run --expect backoff = e
            complete_line 'linkcond explore --effects stat' linkcond explore --effects stat
            complete_line 'linkcond --upstream udp' linkcond --upstream udp
            """
        let outcome = try Program("/bin/bash", ["-c", script], in: workspace).wait()
        #expect(outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(
            outcome.outputLines.prefix(4) == ["plan", "100-loss", "--direction", "chrome-slow-4g"]
        )
        // What bash has of the word already, up to its last colon or equals sign, is not repeated.
        #expect(
            outcome.outputLines.dropFirst(4).prefix(5) == [
                "up#3=drop", "down.rate=", "exponential", "status", "udp://127.0.0.1:",
            ]
        )
    }

    @Test func `the version is one line, or names each library with its version, or is JSON`()
        throws
    {
        let line = try Program.run(["--version"]).output
        #expect(line.hasPrefix("linkcond 0."))
        #expect(try Program.run(["version"]).output == line)
        let verbose = try Program.run(["version", "--verbose"]).outputLines
        #expect(verbose.first.map { "\($0)\n" } == line)
        let json = try Program.run(["version", "--json"]).output
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: String]
        for name in ["Swift", "libuv", "OpenSSL", "nghttp2", "libyaml", "zstd", "glibc"] {
            let version = try #require(object?[name.lowercased()])
            #expect(version.wholeMatch(of: /[0-9]+(\.[0-9]+)+/) != nil, "\(name) \(version)")
            #expect(verbose.contains { $0.hasPrefix("  \(name) \(version)") }, "\(name)")
        }
        #expect(try Program.run(["version", "--json"]).output.contains(#""architecture":""#))
    }
}
