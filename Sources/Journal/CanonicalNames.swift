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
struct CanonicalNames {
    private var uploads = Numbering()
    private var authorities = Numbering()
    private var tags = Numbering()
    private var dates = Numbering()
    private var keys = Numbering()
    private var secrets = Numbering()
    private var queries = Numbering()
    /// Of the last request, which the answers behind it belong to.
    private var target = ""
    private var host = ""

    /// Types of records that hold such things.
    static let types: Set<String> = ["req", "interim", "resp", "origin"]

    /// Takes note of the URL that a record gives to an upload; to be called for all records, in
    /// canonical order, before the first `renamed`.
    mutating func learn(_ object: JSONObject) {
        follow(object)
        guard let location = Self.field("location", of: object), Self.isIssuing(object) else {
            return
        }
        _ = uploads.number(of: uploadKey(location))
    }

    /// The record with names instead of values; to be called for all records, in canonical order.
    mutating func renamed(_ object: JSONObject) -> JSONObject {
        follow(object)
        return object.mapped { key, value in
            switch (key, value) {
            case ("target", .string(let text)): return .string(withPlaceholders(url(text)))
            case ("resource", .string(let text)):
                return .string(uploads.known(uploadKey(text)).map { "{u\($0)}" } ?? text)
            case ("fields", .object(let fields)):
                let named = fields.mapped { name, value in
                    guard case .string(let text) = value else { return value }
                    return .string(withPlaceholders(field(name, text)))
                }
                return .object(named)
            default: return value
            }
        }
    }

    private mutating func follow(_ object: JSONObject) {
        guard case .string(let target) = object["target"] else { return }
        self.target = target
        host = Self.field("host", of: object) ?? ""
    }

    private static func field(_ name: String, of object: JSONObject) -> String? {
        guard case .object(let fields) = object["fields"], case .string(let text) = fields[name]
        else {
            return nil
        }
        return text
    }

    private static func isIssuing(_ object: JSONObject) -> Bool {
        if object["status"] == .integer(201) || object["status"] == .integer(104) { return true }
        return ["upload-offset", "upload-complete", "tus-resumable"].contains {
            field($0, of: object) != nil
        }
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
        if let number = uploads.known(uploadKey(text)) { return "{u\(number)}" }
        let bytes = Array(text.utf8)
        guard let place = URLText.authority(in: bytes[...]) else { return text }
        let authority = String(decoding: bytes[place], as: UTF8.self)
        let isOurs = authority == host || authority == "{authority}"
        let name = isOurs ? "{authority}" : "{a\(authorities.number(of: authority))}"
        return String(decoding: bytes[..<place.lowerBound], as: UTF8.self) + name
            + String(decoding: bytes[place.upperBound...], as: UTF8.self)
    }

    private func uploadKey(_ text: String) -> String {
        text.hasPrefix("{u") ? text : URLText.path(of: text, base: target)
    }

    /// Numbers `{s7}` and `{q7}` anew.
    private mutating func withPlaceholders(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "{")) else { return text }
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
    private struct Numbering {
        private var numbers: [String: Int] = [:]

        func known(_ text: String) -> Int? { numbers[text] }

        mutating func number(of text: String) -> Int {
            if let number = numbers[text] { return number }
            numbers[text] = numbers.count + 1
            return numbers.count
        }
    }
}

extension JSONObject {
    /// The same keys with other values.
    fileprivate func mapped(_ change: (String, JSONValue) -> JSONValue) -> JSONObject {
        var result = JSONObject()
        for member in members { result.appendNew(member.key, change(member.key, member.value)) }
        return result
    }
}
