internal import Basics
internal import YAML

/// A value of an Apple property list, and where it stands.
struct PropertyList {
    indirect enum Value {
        case string(String)
        case number(Double)
        case boolean(Bool)
        case array([PropertyList])
        case dictionary([Entry])
        /// Raw data or a date, which no preset has.
        case other
    }

    struct Entry {
        let key: String
        let place: Place
        let value: PropertyList
    }

    let value: Value
    let place: Place

    var dictionary: [Entry]? {
        if case .dictionary(let entries) = value { return entries }
        return nil
    }

    subscript(key: String) -> PropertyList? { dictionary?.first { $0.key == key }?.value }

    enum Limits {
        static let maximumBytes = 1 << 20
        static let maximumDepth = 16
        static let maximumValues = 20_000
    }

    /// Reads an XML or a binary property list.
    ///
    /// - Throws: a mistake with its line and column; a binary list is one place as a whole.
    init(_ bytes: [UInt8], file: String) throws(PropertyListMistake) {
        guard bytes.count <= Limits.maximumBytes else {
            throw PropertyListMistake(
                "the file has \(bytes.count) bytes; a property list has at most 1MiB",
                at: .wholeFile(file)
            )
        }
        if bytes.starts(with: BinaryPropertyListReader.signature) {
            var reader = try BinaryPropertyListReader(bytes, file: file)
            self = try reader.readDocument()
        } else {
            var reader = XMLPropertyListReader(bytes, file: file)
            self = try reader.readDocument()
        }
    }

    init(_ value: Value, at place: Place) {
        self.value = value
        self.place = place
    }
}

/// Why a text is no property list.
struct PropertyListMistake: Error {
    let diagnostic: Diagnostic

    init(_ message: String, at place: Place) { diagnostic = Diagnostic(message, at: place) }
}
