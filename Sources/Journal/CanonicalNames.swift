internal import Basics

/// Names for what servers and clients invent anew in each run, by first appearance in canonical
/// order.
///
/// - `{u1}`: the URL of an upload, learnt from the `Location` of a 201, a 104 or an answer with upload
///   fields; also where it is asked for later, and the origin's resource of that path
/// - `{authority}`: what `Host` names; `{a1}`: another authority in a URL
/// - `{e1}`, `W/{e1}`: an entity tag; `{t1}`: a modification date; `{k1}`: an idempotency key
/// - `{s1}`, `?{q1}`: what `Redaction` took out, numbered again
/// - `{date}`, `{age}`: dates and ages of answers, which are not told apart
///
/// Naming what has its names already changes nothing.
struct CanonicalNames: Hashable, Sendable {
    private var uploads = Numbering()
    private var authorities = Numbering()
    private var tags = Numbering()
    private var dates = Numbering()
    private var keys = Numbering()
    private var secrets = Numbering()
    private var queries = Numbering()
    /// Of the last request, which the answers behind it belong to.
    struct Request: Hashable {
        fileprivate(set) var target = ""
        fileprivate(set) var host = ""
    }

    var request = Request()
    /// Hashes of upload URLs that were asked for in vain; nil if nobody wants to know.
    private var missed: Set<Int>?
    /// Whether a URL was learnt that had been asked for in vain before, or an answer stood before the
    /// first request: what was renamed would have other names if all records were known.
    private(set) var isContradicted = false

    /// - Parameter expectsAll: whether all records are learnt before the first is renamed.
    init(expectsAll: Bool = true) {
        if !expectsAll { missed = [] }
    }

    /// Types of records that hold such things.
    static let types: Set<String> = ["req", "interim", "resp", "origin"]

    static func isRequest(_ record: JSONText) -> Bool {
        record.place(of: Key.target).map { record.kind(at: $0) == .string } ?? false
    }

    /// Takes note of the URLs that records give to uploads; to be called for all that do and for the
    /// request before each, in canonical order, before the first is written.
    mutating func learn(_ record: JSONText) {
        follow(record)
        guard Self.isIssuing(record), let location = Self.field(Key.location, of: record) else {
            return
        }
        let key = uploadKey(location)
        if uploads.known(key) == nil, missed?.contains(key.hashValue) ?? false {
            isContradicted = true
        }
        _ = uploads.number(of: key)
    }

    /// Appends a record with names instead of values; to be called for all records, in canonical
    /// order.
    mutating func write(_ record: JSONText, to bytes: inout [UInt8]) {
        if Self.isRequest(record) {
            follow(record)
        } else if missed != nil, request.target.isEmpty {
            isContradicted = true
        }
        var copy = Copy(of: record)
        for member in record.members() { write(member, &copy, to: &bytes) }
        copy.copy(to: record.nodes[0].end, &bytes)
    }

    /// A text that is copied up to a place.
    private struct Copy {
        let text: JSONText
        private var place: Int

        init(of text: JSONText) {
            self.text = text
            place = text.nodes[0].start
        }

        mutating func copy(to end: Int, _ bytes: inout [UInt8]) {
            bytes.append(contentsOf: text.bytes[place..<end])
            place = end
        }

        /// Writes something else in place of a value.
        mutating func replace(_ value: JSONNode, by text: String, _ bytes: inout [UInt8]) {
            copy(to: value.start, &bytes)
            JSONValue.string(text).write(to: &bytes)
            place = value.end
        }
    }

    private mutating func write(_ member: Int, _ copy: inout Copy, to bytes: inout [UInt8]) {
        let node = copy.text.nodes[member]
        switch (node.head, node.key.count, node.kind) {
        case (Key.target.head, 6, .string):
            write(member, &copy, to: &bytes) { $0.withPlaceholders($0.url($1)) }
        case (Key.resource.head, 8, .string):
            write(member, &copy, to: &bytes) { $0.upload($1).map { "{u\($0)}" } ?? $1 }
        case (Key.fields.head, 6, .object): write(fields: member, &copy, to: &bytes)
        default: break
        }
    }

    private mutating func write(fields: Int, _ copy: inout Copy, to bytes: inout [UInt8]) {
        let record = copy.text
        for field in record.members(of: fields)
        where Key.named.contains(record.nodes[field].head)
            || record.contains(UInt8(ascii: "{"), at: field)
        {
            let name = record.key(at: field)
            write(field, &copy, to: &bytes) { $0.withPlaceholders($0.field(name, $1)) }
        }
    }

    private enum Key {
        static let target: JSONKey = "target"
        static let resource: JSONKey = "resource"
        static let fields: JSONKey = "fields"
        static let host: JSONKey = "host"
        static let location: JSONKey = "location"
        /// How fields begin whose values get names, see `field`; others may begin so, too.
        static let named = Set(
            [
                "host", "location", "content-location", "etag", "if-range", "if-match",
                "if-none-match", "last-modified", "if-modified-since", "if-unmodified-since",
                "idempotency-key", "date", "expires", "upload-expires", "age", "retry-after",
            ].map { JSONKey($0).head }
        )
    }

    /// Appends a member, its text changed.
    private mutating func write(
        _ member: Int,
        _ copy: inout Copy,
        to bytes: inout [UInt8],
        _ change: (inout Self, String) -> String
    ) {
        guard let text = copy.text.string(at: member) else { return }
        let changed = change(&self, text)
        if changed != text { copy.replace(copy.text.nodes[member], by: changed, &bytes) }
    }

    private mutating func follow(_ record: JSONText) {
        guard let target = record.place(of: Key.target).flatMap(record.string(at:)) else { return }
        request.target = target
        request.host = Self.field(Key.host, of: record) ?? ""
    }

    private static func field(_ name: JSONKey, of record: JSONText) -> String? {
        guard let fields = record.place(of: Key.fields), record.kind(at: fields) == .object else {
            return nil
        }
        return record.place(of: name, in: fields).flatMap(record.string(at:))
    }

    /// Whether a record gives a URL to an upload.
    static func isIssuing(_ record: JSONText) -> Bool {
        guard let fields = record.place(of: Key.fields), record.kind(at: fields) == .object else {
            return false
        }
        func has(_ name: JSONKey) -> Bool {
            record.place(of: name, in: fields).map { record.kind(at: $0) == .string } ?? false
        }
        guard has(Key.location) else { return false }
        let status = record.place(of: "status").flatMap(record.integer(at:))
        return status == 201 || status == 104 || has("upload-offset") || has("upload-complete")
            || has("tus-resumable")
    }

    /// The number of an upload by its URL.
    private mutating func upload(_ text: String) -> Int? {
        let key = uploadKey(text)
        if let number = uploads.known(key) { return number }
        missed?.insert(key.hashValue)
        return nil
    }

    private mutating func field(_ name: String, _ text: String) -> String {
        switch name {
        case "host": "{authority}"
        case "location", "content-location": url(text)
        case "etag", "if-range", "if-match", "if-none-match": validator(text)
        case "last-modified", "if-modified-since", "if-unmodified-since":
            "{t\(dates.number(of: text))}"
        case "idempotency-key": "{k\(keys.number(of: text))}"
        case "date", "expires", "upload-expires": "{date}"
        case "age": "{age}"
        case "retry-after": text.hasSuffix("GMT") ? "{date}" : text
        default: text
        }
    }

    private mutating func validator(_ text: String) -> String {
        if text.hasPrefix("W/") { return "W/{e\(tags.number(of: String(text.dropFirst(2))))}" }
        let isTag = text.hasPrefix("\"") || text.hasPrefix("{e") || text == "*"
        return isTag ? "{e\(tags.number(of: text))}" : "{t\(dates.number(of: text))}"
    }

    private mutating func url(_ text: String) -> String {
        if let number = upload(text) { return "{u\(number)}" }
        let bytes = Array(text.utf8)
        guard let place = URLText.authority(in: bytes[...]) else { return text }
        let authority = String(decoding: bytes[place], as: UTF8.self)
        let isOurs = authority == request.host || authority == "{authority}"
        let name = isOurs ? "{authority}" : "{a\(authorities.number(of: authority))}"
        return String(decoding: bytes[..<place.lowerBound], as: UTF8.self) + name
            + String(decoding: bytes[place.upperBound...], as: UTF8.self)
    }

    private func uploadKey(_ text: String) -> String {
        text.hasPrefix("{u") ? text : URLText.path(of: text, base: request.target)
    }

    /// Numbers `{s7}` and `{q7}` anew.
    private mutating func withPlaceholders(_ text: String) -> String {
        guard Self.holdsPlaceholder(text) else { return text }
        var result = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            result += rest[..<open]
            rest = rest[open...]
            guard let close = rest.firstIndex(of: "}") else { break }
            result += placeholder(rest[open...close])
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }

    /// Whether `{s` or `{q` is in it.
    private static func holdsPlaceholder(_ text: String) -> Bool {
        var last: UInt8 = 0
        for byte in text.utf8 {
            if last == UInt8(ascii: "{"), byte == UInt8(ascii: "s") || byte == UInt8(ascii: "q") {
                return true
            }
            last = byte
        }
        return false
    }

    private mutating func placeholder(_ text: Substring) -> String {
        let digits = text.dropFirst(2).dropLast()
        guard !digits.isEmpty, digits.utf8.allSatisfy(Self.isDigit) else { return String(text) }
        switch text.dropFirst().first {
        case "s": return "{s\(secrets.number(of: String(digits)))}"
        case "q": return "{q\(queries.number(of: String(digits)))}"
        default: return String(text)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Numbers from 1 by first appearance.
    private struct Numbering: Hashable {
        private var numbers: [String: Int] = [:]

        func known(_ text: String) -> Int? { numbers[text] }

        mutating func number(of text: String) -> Int {
            if let number = numbers[text] { return number }
            numbers[text] = numbers.count + 1
            return numbers.count
        }
    }
}
