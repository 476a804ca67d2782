/// What is known of the state of a resource that a request may ask about (RFC 9110 §8.8).
package struct Validators: Hashable, Sendable {
    package var entityTag: EntityTag?
    package var lastModified: HTTPDate?
    /// Whether the content surely did not change twice within that second (RFC 9110 §8.8.2.2).
    package var isLastModifiedStrong: Bool

    package init(
        entityTag: EntityTag? = nil,
        lastModified: HTTPDate? = nil,
        isLastModifiedStrong: Bool = false
    ) {
        self.entityTag = entityTag
        self.lastModified = lastModified
        self.isLastModifiedStrong = isLastModifiedStrong
    }
}

/// The preconditions of a request (RFC 9110 §13).
///
/// They are to be asked only where the answer without them would be a 2xx (§13.2.1).
package struct ConditionalRequest: Sendable {
    package enum Outcome: Hashable, Sendable {
        /// As if there were no preconditions.
        case proceed
        /// 304, without doing what was asked.
        case notModified
        /// 412, without doing what was asked.
        case failed
    }

    private let method: String
    private let fields: HeaderFields
    private let now: HTTPDate

    /// - Parameters:
    ///   - head: the request.
    ///   - now: tells the century of a year of two digits.
    package init(_ head: RequestHead, now: HTTPDate) {
        method = head.method
        fields = head.fields
        self.now = now
    }

    /// Evaluates all preconditions but `If-Range`, in the order of RFC 9110 §13.2.2.
    ///
    /// A list of entity tags that cannot be read matches nothing: a change that hangs on it is not
    /// made, a download goes on.
    ///
    /// - Parameter current: of the representation that there is; nil if there is none.
    /// - Returns: what to do.
    package func outcome(_ current: Validators?) -> Outcome {
        guard !["CONNECT", "OPTIONS", "TRACE"].contains(method) else { return .proceed }
        if let condition = fields.combined("If-Match") {
            guard ifMatch(condition, current) else { return .failed }
        } else if let limit = date("If-Unmodified-Since"), let changed = current?.lastModified {
            guard changed <= limit else { return .failed }
        }
        if let condition = fields.combined("If-None-Match") {
            if ifNoneMatch(condition, current) { return .proceed }
            return isRetrieval ? .notModified : .failed
        }
        if isRetrieval, let limit = date("If-Modified-Since"), let changed = current?.lastModified,
            changed <= limit
        {
            return .notModified
        }
        return .proceed
    }

    /// Whether `Range` is to be obeyed (RFC 9110 §13.1.5, §14.2): the request is a GET with the field,
    /// and any `If-Range` names exactly the current state.
    package func rangeApplies(_ current: Validators) -> Bool {
        guard method == "GET", fields.contains("Range") else { return false }
        guard let condition = fields.combined("If-Range") else { return true }
        if let tag = EntityTag(parsing: condition) {
            return current.entityTag?.matchesStrongly(tag) ?? false
        }
        guard current.isLastModifiedStrong, let date = HTTPDate(condition, now: now) else {
            return false
        }
        return current.lastModified == date
    }

    private var isRetrieval: Bool { method == "GET" || method == "HEAD" }

    private func ifMatch(_ text: String, _ current: Validators?) -> Bool {
        guard let current else { return false }
        switch EntityTagSet(text) {
        case .any: return true
        case .tags(let tags):
            return current.entityTag.map { tag in tags.contains { $0.matchesStrongly(tag) } }
                ?? false
        case nil: return false
        }
    }

    private func ifNoneMatch(_ text: String, _ current: Validators?) -> Bool {
        switch EntityTagSet(text) {
        case .any: return current == nil
        case .tags(let tags):
            guard let tag = current?.entityTag else { return true }
            return !tags.contains { $0.matchesWeakly(tag) }
        case nil: return isRetrieval
        }
    }

    /// A date; nil if the field is missing, comes twice or is garbage, and so is to be ignored.
    private func date(_ name: String) -> HTTPDate? {
        let values = fields.values(name)
        return values.count == 1 ? HTTPDate(values[0], now: now) : nil
    }
}
