internal import Journal

/// One of each of the equal texts and header fields of a run, so that many take the room of one.
struct SharedValues: Hashable, Sendable {
    private var texts: Set<String> = []
    private var fields: Set<ReportedFields> = []

    /// How many are kept.
    var count: Int { texts.count + fields.count }

    /// Shorter ones take no room of their own.
    private static let shortest = 16

    mutating func one(_ text: String) -> String {
        guard text.utf8.count >= Self.shortest else { return text }
        return texts.insert(text).memberAfterInsert
    }

    mutating func one(_ fields: ReportedFields) -> ReportedFields {
        if let place = self.fields.firstIndex(of: fields) { return self.fields[place] }
        let new = ReportedFields(fields.fields.map { (name: one($0.name), value: one($0.value)) })
        self.fields.insert(new)
        return new
    }
}
