package import Journal

/// The latest records of a run, as lines with their numbers, for whoever asks later.
package struct RecordHistory: Sendable {
    /// A record as a line of a journal, its line feed included.
    package struct Line: Hashable, Sendable {
        /// Order among all records, from 0.
        package var number: UInt64
        package var bytes: [UInt8]
    }

    private let lineLimit: Int
    private let byteLimit: Int
    private var lines: ArraySlice<Line> = []
    private var byteCount = 0
    /// The record that every journal begins with.
    private var start: Line?
    /// The number of the record that comes next.
    package private(set) var nextNumber: UInt64 = 0

    /// Keeps at most so many lines and bytes; older ones are forgotten.
    package init(lineLimit: Int = 8_192, byteLimit: Int = 4 << 20) {
        self.lineLimit = lineLimit
        self.byteLimit = byteLimit
    }

    /// The number of the oldest record that is known.
    package var firstNumber: UInt64 { lines.first?.number ?? nextNumber }

    /// Takes the next record.
    package mutating func add(_ record: JournalRecord, elapsedNanoseconds: UInt64) {
        let bytes = record.line(sequence: nextNumber, elapsedNanoseconds: elapsedNanoseconds)
        lines.append(Line(number: nextNumber, bytes: bytes))
        if case .start = record { start = lines.last }
        nextNumber += 1
        byteCount += bytes.count
        while lines.count > lineLimit || byteCount > byteLimit, let first = lines.popFirst() {
            byteCount -= first.bytes.count
        }
        // What was forgotten at the front is given back now and then.
        if lines.startIndex > lineLimit { lines = ArraySlice(Array(lines)) }
    }

    /// All that is known, as a journal: `start` is first even if what followed it is forgotten.
    package var journal: [UInt8] {
        let isForgotten = start.map { $0.number < firstNumber } ?? false
        return (isForgotten ? start?.bytes ?? [] : []) + lines.flatMap(\.bytes)
    }

    /// The lines from a number on, in their order, up to so many bytes but at least one.
    package func lines(from number: UInt64, byteLimit: Int = .max) -> ArraySlice<Line> {
        guard let first = lines.first, number < nextNumber else { return [] }
        let start = lines.startIndex + Int(number > first.number ? number - first.number : 0)
        var end = start
        var count = 0
        while end < lines.endIndex, end == start || count + lines[end].bytes.count <= byteLimit {
            count += lines[end].bytes.count
            end += 1
        }
        return lines[start..<end]
    }
}
