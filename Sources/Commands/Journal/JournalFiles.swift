internal import Arguments
internal import SystemIO

/// The files that a journal's name means: one of this name, or the parts that go by it.
struct JournalFiles {
    let paths: [String]
    /// Whether they are named by numbers, so that no name tells which is the last.
    let areParts: Bool
    /// What to say if that is not all of the journal.
    let note: String?

    /// - Parameter path: as it was given; `-` is standard input.
    init(_ path: String) {
        let parts = path == "-" || FileSystem.isFile(path) ? [] : JournalName(path).partsToRead
        guard let last = parts.last else {
            paths = [path]
            areParts = false
            note = JournalHead(path)?.part.map { "is part \($0) of a journal, read alone" }
            return
        }
        let all = parts.map(JournalName(path).path(part:))
        // A program that is killed may just have begun it.
        let isCutOff = all.count > 1 && all.last.map(Self.isEmpty) == true
        paths = isCutOff ? all.dropLast() : all
        areParts = true
        let lack = Self.gaps(in: parts).map { "lacks \(Self.words($0)) removed or lost" }
        let end = isCutOff ? "ends with part \(last), which is empty: the run was cut off" : nil
        let notes = [lack, end].compactMap(\.self)
        note = notes.isEmpty ? nil : notes.joined(separator: " and ")
    }

    var isSeveral: Bool { paths.count > 1 }

    private static func isEmpty(_ path: String) -> Bool {
        (try? File(path, for: .reading).size()) == 0
    }

    /// - Parameter parts: ascending.
    /// - Returns: the numbers before the last that are none of them; nil if there is none.
    private static func gaps(in parts: [Int]) -> [ClosedRange<Int>]? {
        let gaps = zip([0] + parts, parts).compactMap { before, part in
            part > before + 1 ? before + 1...part - 1 : nil
        }
        return gaps.isEmpty ? nil : gaps
    }

    /// - Returns: words such as `parts 1-3, 7, which were`.
    private static func words(_ ranges: [ClosedRange<Int>]) -> String {
        let texts = ranges.map {
            $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)"
        }
        let list = texts.joined(separator: ", ")
        let isOne = ranges.count == 1 && ranges[0].count == 1
        return isOne ? "part \(list), which was" : "parts \(list), which were"
    }

    /// Refuses parts of different runs, which the same name may have left.
    func requireOneRun() throws(Failure) {
        guard isSeveral, let first = paths.first, let head = JournalHead(first) else { return }
        for path in paths.dropFirst() {
            // What is wrong with one that has none is reported when it is read.
            guard let other = JournalHead(path), other.start != head.start else { continue }
            throw Failure(
                .configuration,
                "'\(path)' and '\(first)' are of different runs; move those of one run elsewhere"
            )
        }
    }
}
