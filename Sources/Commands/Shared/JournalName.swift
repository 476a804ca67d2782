internal import SystemIO

/// The names of a journal's parts: of `run.jsonl.zst` they are `run.1.jsonl.zst`, `run.2.jsonl.zst`.
struct JournalName {
    /// With its slash; empty for the working folder.
    private let folder: String
    private let stem: String
    private let suffix: String

    init(_ path: String) {
        let start = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
        folder = String(path[..<start])
        var (name, suffix) = (path[start...], "")
        if name.hasSuffix(JournalOutput.compressedSuffix) {
            suffix = JournalOutput.compressedSuffix
            name.removeLast(suffix.count)
        }
        if let dot = name.lastIndex(of: "."), dot != name.startIndex {
            suffix = name[dot...] + suffix
            name = name[..<dot]
        }
        stem = String(name)
        self.suffix = suffix
    }

    func path(part: Int) -> String { "\(folder)\(stem).\(part)\(suffix)" }

    /// Whether a path is that of a part, written in the same way.
    func hasPart(at path: String) -> Bool {
        path.hasPrefix(folder) && number(of: String(path.dropFirst(folder.count))) != nil
    }

    /// The numbers of files that are named like parts and say that they are, in ascending order.
    ///
    /// `run.2026.jsonl` may be something else.
    var parts: [Int] { candidates.filter { JournalHead(path(part: $0))?.part == $0 } }

    /// The same, and those that cannot be read far enough to say what they are.
    ///
    /// A part that is damaged is not to be missed without a word.
    var partsToRead: [Int] {
        candidates.filter {
            guard let head = JournalHead(path(part: $0)) else { return true }
            return head.part == $0
        }
    }

    private var candidates: [Int] {
        FileSystem.names(in: folder.isEmpty ? "." : folder).compactMap(number).sorted()
    }

    private func number(of name: String) -> Int? {
        guard name.hasPrefix("\(stem)."), name.hasSuffix(suffix) else { return nil }
        let digits = name.dropFirst(stem.count + 1).dropLast(suffix.count)
        guard let number = Int(digits), number > 0, String(number) == digits
        else { return nil }
        return number
    }
}
