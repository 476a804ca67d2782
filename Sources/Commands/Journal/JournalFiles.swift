internal import Arguments
internal import SystemIO

/// The files that a journal's name means: one of this name, or the parts that go by it.
struct JournalFiles {
    let paths: [String]
    /// What to say if that is not all of the journal.
    let note: String?

    /// - Parameter path: as it was given; `-` is standard input.
    init(_ path: String) {
        let parts = path == "-" || FileSystem.isFile(path) ? [] : JournalName(path).parts
        guard let last = parts.last else {
            paths = [path]
            note = JournalHead(path)?.part.map { "is part \($0) of a journal, read alone" }
            return
        }
        paths = parts.map(JournalName(path).path(part:))
        let missing = Set(1...last).subtracting(parts).sorted()
        note = missing.isEmpty ? nil : "lacks \(Self.words(missing)) removed or lost"
    }

    var isSeveral: Bool { paths.count > 1 }

    /// - Parameter numbers: ascending, not empty.
    /// - Returns: words such as `parts 1-3, 7, which were`.
    private static func words(_ numbers: [Int]) -> String {
        var ranges: [ClosedRange<Int>] = []
        for number in numbers {
            if let range = ranges.last, range.upperBound == number - 1 {
                ranges[ranges.count - 1] = range.lowerBound...number
            } else {
                ranges.append(number...number)
            }
        }
        let texts = ranges.map {
            $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)"
        }
        let list = texts.joined(separator: ", ")
        return numbers.count == 1 ? "part \(list), which was" : "parts \(list), which were"
    }

    /// Refuses parts of different runs, which the same name may have left.
    func requireOneRun() throws(Failure) {
        guard isSeveral, let first = paths.first, let head = JournalHead(first) else { return }
        for path in paths.dropFirst() where JournalHead(path)?.start != head.start {
            throw Failure(
                .configuration,
                "'\(path)' and '\(first)' are of different runs; move those of one run elsewhere"
            )
        }
    }
}
