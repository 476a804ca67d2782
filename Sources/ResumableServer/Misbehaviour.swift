package import HTTPWire

/// What the origin does wrong on request: rules that look at nothing but how many requests came.
///
/// One line of text, rules separated by `;`. A rule is `[scope:]effect[=value][@ordinals]` and, for
/// a status, `,retry-after=2` or `,retry-after-date=2` (seconds, as a number or as a date). Ordinals
/// are `3`, `1-3` or `2-` and count the requests of the scope from 1; without them a rule always
/// applies. `503@1-3,retry-after=2; append:lose=1000@2; drop-104; mutate=grow@2` is an example.
package struct Misbehaviour: Hashable, Sendable {
    package struct Rule: Hashable, Sendable {
        package let scope: Scope
        package let effect: Effect
        package let ordinals: ClosedRange<Int>
    }

    /// The requests that a rule counts and applies to.
    package enum Scope: String, CaseIterable, Hashable, Sendable {
        case any
        /// All that concerns uploads.
        case upload
        case creation
        case append
        /// HEAD, or GET for version 8, of an upload.
        case status
        case cancel
        /// GET or HEAD of an object.
        case object
    }

    package enum Effect: Hashable, Sendable {
        /// Answer so instead of doing what was asked.
        case status(Int, retryAfter: RetryAfterForm?)

        /// Send no 104.
        case drop104
        /// Forget the upload before looking at the request.
        case forget
        /// Lose the last bytes of the upload before looking at the request.
        case lose(Int)
        /// Let so many milliseconds pass between the end of the body and the final answer.
        case slowFinal(Int)

        /// Change the object before looking at the request, for good.
        case mutate(Mutation)
        case entityTag(TagForm)
        case lastModified(DateForm)
        /// Answer a range request with everything.
        case ignoreRange
        /// Answer with a part that begins so many bytes off, and say so.
        case shiftRange(Int)
        /// 206 without `Content-Range`.
        case noContentRange
        /// A `Content-Range` with a complete length that is one too large.
        case wrongTotal
        /// 304 to a range request.
        case notModified
        /// 416 to a range request.
        case unsatisfiable
        /// The part that was asked for, as a 200.
        case partialAs200
        /// A part of at most so many bytes.
        case short(Int)
        /// One part in the form that is for several.
        case multipart
        /// The answer says that its content is compressed with gzip; it is not.
        case falseGzip
        /// The object is given compressed with gzip, asked for or not, with the same tag; ranges count
        /// the compressed bytes.
        case gzip
        /// The object as it was before all changes, with this `Age` in seconds, as from a cache that did
        /// not ask the server; see `isAvoided(by:)`.
        case stale(Int)
        /// From here on no more than so many bytes are taken in one append, and that is announced.
        case limitAppend(Int)
        /// From here on no upload may be larger, and that is announced.
        case limitSize(Int)
    }

    /// How `Retry-After` says when (RFC 9110 §10.2.3); seconds from now.
    package enum RetryAfterForm: Hashable, Sendable {
        case seconds(Int)
        case date(in: Int)

        package func text(now: HTTPDate) -> String {
            switch self {
            case .seconds(let seconds): "\(seconds)"
            case .date(let seconds):
                HTTPDate(secondsSince1970: now.secondsSince1970 + seconds).text
            }
        }
    }

    /// How an object becomes another one.
    package enum Mutation: String, CaseIterable, Hashable, Sendable {
        /// Other bytes, as many.
        case sameSize = "same-size"
        case grow
        case shrink
        /// The same bytes with new validators.
        case touch
        /// Other bytes, as many, under the same tag made weak.
        case weakTag = "weak-etag"
        /// Other bytes, as many, of an object that never has a tag; only `Last-Modified` tells.
        case dateOnly = "lm-only"
        /// Other bytes, as many, within the second of the last change: a new tag, the same date.
        case sameSecond = "same-second"

        /// Whether the object has no tag even before it changes.
        package var isWithoutTag: Bool { self == .dateOnly }
    }

    package enum TagForm: String, CaseIterable, Hashable, Sendable {
        case strong, weak, none
    }

    package enum DateForm: String, CaseIterable, Hashable, Sendable {
        /// Whole seconds that are known to hold one change only.
        case exact
        /// Whole seconds that may hold several.
        case coarse
        case none
    }

    package let rules: [Rule]

    package init(_ rules: [Rule] = []) { self.rules = rules }

    /// What is to go wrong with one request, in the order of the rules.
    ///
    /// Mutations are not among them; see `mutations`.
    package func effects(for request: RequestTally.Ordinals) -> [Effect] {
        rules.filter { rule in
            if case .mutate = rule.effect { return false }
            return request[rule.scope].map(rule.ordinals.contains) ?? false
        }.map(\.effect)
    }

    /// All changes of objects up to a request and including it, each with how often it came, which may
    /// be never for one that shows before.
    package func mutations(upTo request: RequestTally.Ordinals) -> [(Mutation, count: Int)] {
        rules.compactMap { rule in
            guard case .mutate(let mutation) = rule.effect, let now = request[rule.scope] else {
                return nil
            }
            let count = min(now, rule.ordinals.upperBound) - rule.ordinals.lowerBound + 1
            return count > 0 || mutation.isWithoutTag ? (mutation, count: max(0, count)) : nil
        }
    }
}

extension Misbehaviour.Effect {
    /// The answer in place of another one; nil for all effects but a status.
    package func answer(now: HTTPDate) -> UploadAnswer? {
        guard case .status(let status, let retryAfter) = self else { return nil }
        var fields: HeaderFields = ["Cache-Control": "no-store"]
        fields["Retry-After"] = retryAfter?.text(now: now)
        return UploadAnswer(status, fields, needsDrain: true)
    }
}
