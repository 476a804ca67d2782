import Foundation
import SystemIO

/// A Markdown page of this repository: README.md, or a file below docs.
struct DocumentPage {
    /// Below the root of the repository.
    let path: String
    var lines: [String]

    /// A fenced block.
    struct Block {
        /// The words after the opening fence: the language, then marks that no reader sees.
        var words: [String]
        /// The lines between the fences.
        var content: Range<Int>

        /// Its commands are run, and what they print is compared.
        var isRun: Bool { words.first == "console" }
        /// Numbers and digests differ from run to run, and `...` stands for lines left out.
        var varies: Bool { words.contains("varying") }
    }

    static let root: URL = {
        var folder = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { folder.deleteLastPathComponent() }
        return folder
    }()

    /// The paths of all pages, in ascending order.
    static let paths: [String] = {
        let entries = FileManager.default.enumerator(atPath: root.appending(path: "docs").path)
        let below = (entries?.allObjects as? [String] ?? []).filter { $0.hasSuffix(".md") }
        return ["CONTRIBUTING.md", "Profiles/README.md", "README.md"]
            + below.map { "docs/\($0)" }.sorted()
    }()

    init(_ path: String) throws {
        self.path = path
        let text = try FileSystem.read(Self.root.appending(path: path).path, limit: 1 << 20)
        lines = String(decoding: text, as: UTF8.self).components(separatedBy: "\n")
    }

    func write() throws {
        try Data(lines.joined(separator: "\n").utf8).write(to: Self.root.appending(path: path))
    }

    var blocks: [Block] {
        var blocks: [Block] = []
        var open: (words: [String], start: Int)?
        for (number, line) in lines.enumerated() where line.hasPrefix("```") {
            if let block = open {
                blocks.append(Block(words: block.words, content: block.start..<number))
                open = nil
            } else {
                open = (line.dropFirst(3).split(separator: " ").map(String.init), number + 1)
            }
        }
        return blocks
    }

    /// Files that the commands of the page use: blocks with a file's name after the language.
    var files: [(name: String, text: String)] {
        blocks.filter { $0.words.count == 2 && $0.words[1].contains(".") }.map {
            ($0.words[1], lines[$0.content].joined(separator: "\n"))
        }
    }

    /// What stands between backticks in running text.
    var codeSpans: [String] {
        let fenced = blocks.map { ($0.content.lowerBound - 1)...$0.content.upperBound }
        let prose = lines.indices.filter { line in !fenced.contains { $0.contains(line) } }
        let parts = prose.map { lines[$0] }.joined(separator: " ").components(separatedBy: "`")
        return stride(from: 1, to: parts.count, by: 2).map { parts[$0] }
    }

    /// Lines that may hold commands, one on several lines as one: of blocks for a shell, and code
    /// spans.
    var commands: [String] {
        let shells: Set = ["console", "sh", "yaml", "text"]
        return lines(of: shells) + codeSpans
    }

    /// The same without commands that are run, whose mistakes may be meant.
    var unrunCommands: [String] { lines(of: ["sh", "yaml", "text"]) + codeSpans }

    private func lines(of languages: Set<String>) -> [String] {
        blocks.filter { $0.words.first.map(languages.contains) ?? false }
            .flatMap { joined(lines[$0.content]) }
    }

    private func joined(_ lines: ArraySlice<String>) -> [String] {
        var result: [String] = []
        var isContinued = false
        for line in lines {
            let text = line.hasSuffix("\\") ? String(line.dropLast()) : line
            if isContinued { result[result.count - 1] += text } else { result.append(text) }
            isContinued = line.hasSuffix("\\")
        }
        return result
    }
}
