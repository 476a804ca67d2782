package import Basics
package import Journal

/// Something of a journal with its place and time.
package struct Timed<Value> {
    package let value: Value
    /// Line in the journal, from 1.
    package let line: Int
    /// On the journal's clock.
    package let at: Instant

    package init(_ value: Value, line: Int, at: Instant) {
        self.value = value
        self.line = line
        self.at = at
    }

    /// The same place and time for something else.
    func with<Other>(_ other: Other) -> Timed<Other> {
        Timed<Other>(other, line: line, at: at)
    }
}

extension Timed: Equatable where Value: Equatable {}
extension Timed: Hashable where Value: Hashable {}
extension Timed: Sendable where Value: Sendable {}

extension Timed where Value == JournalRecord {
    /// Understands a record that was read; nil for one of a type that is not known.
    package init?(_ entry: JournalEntry) {
        guard let record = JournalRecord(entry) else { return nil }
        self.init(record, line: entry.line, at: entry.at)
    }

    /// Reads a journal file; records of types that are not known are passed over.
    ///
    /// - Parameter bytes: the file. A cut last line is left out.
    /// - Returns: the records in the order of their lines.
    /// - Throws: the first mistake.
    package static func reading(_ bytes: some Sequence<UInt8>) throws(JournalError) -> [Self] {
        var reader = JournalReader()
        reader.append(bytes)
        var records: [Self] = []
        while let entry = try reader.next() {
            if let record = Self(entry) { records.append(record) }
        }
        return records
    }
}
