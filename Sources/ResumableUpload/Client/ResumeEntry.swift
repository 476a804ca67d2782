package import HTTPWire

/// One named value of resume data.
package struct ResumeEntry: Hashable, Sendable {
    package var key: String
    package var value: ResumeValue

    package init(_ key: String, _ value: ResumeValue) {
        self.key = key
        self.value = value
    }
}

/// A value of resume data, as JSON has them.
package enum ResumeValue: Hashable, Sendable {
    case text(String)
    /// From 0 on.
    case number(UInt64)
    /// A list of pairs of texts.
    case fields(HeaderFields)
    case null
    /// Anything that no key takes: a fraction, a negative number, another list, an object.
    case other
}

/// Why something is no resume data.
package struct ResumeDataError: Error, Hashable, Sendable, CustomStringConvertible {
    package var key: String
    package var problem: String

    package init(key: String, problem: String) {
        self.key = key
        self.problem = problem
    }

    package var description: String { "resume data: '\(key)' \(problem)" }
}

/// Takes values by their keys and knows which were left.
struct ResumeEntryReader {
    private var left: [String: ResumeValue] = [:]

    init(_ entries: [ResumeEntry]) throws(ResumeDataError) {
        for entry in entries {
            guard left.updateValue(entry.value, forKey: entry.key) == nil else {
                throw ResumeDataError(key: entry.key, problem: "is there twice")
            }
        }
    }

    /// Throws if a key was not asked for.
    func end() throws(ResumeDataError) {
        guard let key = left.keys.min() else { return }
        throw ResumeDataError(key: key, problem: "is unknown")
    }

    private mutating func take(_ key: String) throws(ResumeDataError) -> ResumeValue {
        guard let value = left.removeValue(forKey: key) else {
            throw ResumeDataError(key: key, problem: "is missing")
        }
        return value
    }

    mutating func text(_ key: String) throws(ResumeDataError) -> String {
        guard case .text(let text) = try take(key) else {
            throw ResumeDataError(key: key, problem: "must be a text")
        }
        return text
    }

    mutating func optionalText(_ key: String) throws(ResumeDataError) -> String? {
        switch try take(key) {
        case .text(let text): return text
        case .null: return nil
        default: throw ResumeDataError(key: key, problem: "must be a text or null")
        }
    }

    mutating func number(_ key: String) throws(ResumeDataError) -> UInt64 {
        guard case .number(let number) = try take(key), number <= UInt64(Int64.max) else {
            throw ResumeDataError(key: key, problem: "must be a whole number from 0 on")
        }
        return number
    }

    mutating func optionalNumber(_ key: String) throws(ResumeDataError) -> UInt64? {
        if left[key] == .null {
            left[key] = nil
            return nil
        }
        return try number(key)
    }

    mutating func url(_ key: String) throws(ResumeDataError) -> HTTPURL {
        let text = try text(key)
        do { return try HTTPURL(text) } catch {
            throw ResumeDataError(key: key, problem: "is \(error)")
        }
    }

    mutating func fields(_ key: String) throws(ResumeDataError) -> HeaderFields {
        guard case .fields(let fields) = try take(key) else {
            throw ResumeDataError(key: key, problem: "must be a list of pairs of texts")
        }
        return fields
    }
}
