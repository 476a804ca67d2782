import Foundation
import SystemIO
import Testing

/// Holds README.md and docs to the program.
///
/// `make docs` runs these tests with LINKCOND_DOCS=write, which brings the pages up to date.
@Suite struct DocumentTests {
    private static let isWriting = ProcessInfo.processInfo.environment["LINKCOND_DOCS"] == "write"

    private static let pagesThatRun = DocumentPage.paths.filter { path in
        !(Platform.isPortable && pagesForLinux.contains(path))
            && (try? DocumentPage(path))?.blocks.contains { $0.isRun } ?? false
    }
    /// Elsewhere, a server is found by connecting, which uses up the one of `iperf3 --one-off`.
    private static let pagesForLinux = ["docs/guide/datagrams.md"]

    @Test(arguments: pagesThatRun)
    func `the commands on a page print what stands below them`(path: String) throws {
        var page = try DocumentPage(path)
        let blocks = page.blocks.filter(\.isRun)
        let shown = blocks.map { ConsoleBlock(page.lines[$0.content]) }
        var outputs = try Self.outputs(of: shown.flatMap(\.steps), files: page.files)[...]
        var updated = shown
        for index in shown.indices {
            let printed = outputs.prefix(shown[index].steps.count)
            outputs = outputs.dropFirst(printed.count)
            updated[index].update(with: Array(printed), varies: blocks[index].varies)
        }
        for (block, text) in zip(blocks, updated).reversed() {
            page.lines.replaceSubrange(block.content, with: text.lines)
        }
        if Self.isWriting { return try page.write() }
        for (old, new) in zip(shown.flatMap(\.steps), updated.flatMap(\.steps)) {
            #expect(old.output == new.output, "\(path): \(old.command): run `make docs`")
        }
    }

    /// What each command prints, in one shell and one empty folder.
    private static func outputs(
        of steps: [ConsoleBlock.Step],
        files: [(name: String, text: String)]
    ) throws -> [[String]] {
        let separator = "\u{1E}"
        let folder = URL(fileURLWithPath: Program.linkcond).deletingLastPathComponent().path
        let commands = steps.map { $0.command.joined(separator: "\n") }
        let making = files.map { "cat >\($0.name) <<'\(separator)'\n\($0.text)\n\(separator)\n" }
        let script =
            making.joined() + "exec 2>&1\nPATH=\(folder):$PATH\n"
            + commands.map { "printf '\(separator)'\n\($0)\n" }.joined()
        let outcome = try Program("/bin/bash", ["-c", script], environment: ["NO_COLOR": "1"])
            .wait(seconds: 120)
        return outcome.output.components(separatedBy: separator).dropFirst().map { text in
            let lines = text.components(separatedBy: "\n")
            return lines.last == "" ? lines.dropLast() : lines
        }
    }

    @Test(arguments: DocumentPage.paths)
    func `every option on a page exists`(path: String) throws {
        let page = try DocumentPage(path)
        for command in page.commands.flatMap(DocumentedCommand.all) {
            let known = try #require(Self.options[command.name], "no linkcond \(command.name)")
            let unknown = command.options.filter { !known.contains($0) }
            #expect(unknown.isEmpty, "\(path): linkcond \(command.name)")
        }
        let all = Set(Self.options.values.joined())
        for option in page.codeSpans where option.hasPrefix("--") {
            let name = String(option.prefix { !" =".contains($0) })
            #expect(all.contains(name), "\(path): no command has \(name)")
        }
    }

    /// The words of each command's help that are options.
    private static let options: [String: Set<String>] = {
        let pages = DocumentedCommand.names.compactMap { name -> (String, Set<String>)? in
            let words = name.split(separator: " ").map(String.init)
            guard let help = try? Program.run(words + ["--help"]), help.code == 0 else {
                return nil
            }
            let shown = help.output.split { " \n,[|".contains($0) }.map(String.init)
            return (name, Set(shown.filter { $0.hasPrefix("-") }))
        }
        return Dictionary(uniqueKeysWithValues: pages)
    }()

    @Test(arguments: DocumentPage.paths)
    func `every fault on a page can be read`(path: String) throws {
        let page = try DocumentPage(path)
        let form = #/c[0-9*][^ ]*:[a-z][^ ]*=[a-z].*/#
        let commands = page.unrunCommands.flatMap(DocumentedCommand.all)
        let spans = page.codeSpans
        try Self.expect(
            ["--dry-run"],
            toRead: commands.filter { $0.name != "dns" }.flatMap(\.faults)
                + spans.filter { $0.wholeMatch(of: form) != nil },
            on: path
        )
        let queries = #/([A-Z]+|\*)\([^\/]*\)#[^ ]*=[a-z].*/#
        try Self.expect(
            ["dns", "--duration", "1ms"],
            toRead: commands.filter { $0.name == "dns" }.flatMap(\.faults)
                + spans.filter { $0.wholeMatch(of: queries) != nil },
            on: path
        )
    }

    private static func expect(
        _ command: [String],
        toRead faults: [String],
        on path: String
    ) throws {
        let complete = Set(faults).filter { !$0.contains("$") && !$0.contains("...") }.sorted()
        guard !complete.isEmpty else { return }
        let outcome = try Program.run(command + complete.flatMap { ["--fault", $0] })
        #expect(!outcome.errors.contains("--fault"), "\(path): \(outcome.errors)")
    }

    @Test func `the picture of the live view agrees with itself`() throws {
        let picture = DocumentPage.root.appending(path: "docs/images/live.svg")
        let text = try String(contentsOf: picture, encoding: .utf8)
            .replacing(#/<[^>]*>/#, with: "").replacing("\u{A0}", with: " ").split(separator: "\n")
        let counts = text.compactMap { $0.firstMatch(of: #/(\d+) open, (\d+) total/#)?.1 }
        let open = try #require(counts.first)
        let rows = text.count { $0.hasPrefix("c") && $0.contains("127.0.0.1:") }
        #expect(rows == Int(open))
    }
}
