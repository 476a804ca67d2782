package import Basics
package import Journal

/// The latest records of a run, as lines with their numbers, for whoever asks later.
package struct RecordHistory: Sendable {
    /// A record as a line of a journal, its line feed included.
    package struct Line: Hashable, Sendable {
        /// Order among all records, from 0.
        package var number: UInt64
        package var bytes: [UInt8]
        /// The number of the proxy that it is of; nil for the run as a whole.
        package var proxy: UInt32?

        /// Whether it is of a proxy, or of all; each is of nil.
        func concerns(_ proxy: UInt32?) -> Bool {
            proxy == nil || self.proxy == nil || self.proxy == proxy
        }
    }

    /// Some lines, in their order.
    package struct Excerpt: Hashable, Sendable {
        package var lines: [Line] = []
        /// The number from which on there may be more.
        package var next: UInt64
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

    /// Takes the next record, of a proxy or of the run as a whole.
    package mutating func add(
        _ record: JournalRecord,
        at time: Instant,
        of proxy: UInt32? = nil
    ) {
        let bytes = record.line(sequence: nextNumber, at: time)
        lines.append(Line(number: nextNumber, bytes: bytes, proxy: proxy))
        if case .start = record { start = lines.last }
        nextNumber += 1
        byteCount += bytes.count
        while lines.count > lineLimit || byteCount > byteLimit, let first = lines.popFirst() {
            byteCount -= first.bytes.count
        }
        // What was forgotten at the front is given back now and then.
        if lines.startIndex > lineLimit { lines = ArraySlice(Array(lines)) }
    }

    /// The latest record.
    package var last: Line? { lines.last }

    /// All that is known, as a journal: `start` is first even if what followed it is forgotten.
    package var journal: [UInt8] {
        let isForgotten = start.map { $0.number < firstNumber } ?? false
        return (isForgotten ? start?.bytes ?? [] : []) + lines.flatMap(\.bytes)
    }

    /// The lines from a number on, up to so many bytes but at least one.
    ///
    /// - Parameters:
    ///   - number: of the first one.
    ///   - byteLimit: bytes at most.
    ///   - proxy: whose they are, with those of the run as a whole; nil for all.
    /// - Returns: them, and where to go on.
    package func excerpt(
        from number: UInt64,
        byteLimit: Int = .max,
        of proxy: UInt32? = nil
    ) -> Excerpt {
        guard let first = lines.first, number < nextNumber else { return Excerpt(next: number) }
        var excerpt = Excerpt(next: nextNumber)
        var count = 0
        let start = lines.startIndex + Int(number > first.number ? number - first.number : 0)
        for line in lines[start...] where line.concerns(proxy) {
            guard excerpt.lines.isEmpty || count + line.bytes.count <= byteLimit else {
                excerpt.next = line.number
                break
            }
            count += line.bytes.count
            excerpt.lines.append(line)
        }
        return excerpt
    }
}
