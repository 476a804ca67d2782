internal import Analysis
internal import Basics

/// What makes two runs alike: the judgement, the command's end, what it left and the requests it made.
///
/// Neighbouring points of equal signature are taken to stand for all between them.
package struct Signature: Hashable, Sendable {
    /// The judgement's word.
    package let verdict: String
    package let ending: String
    /// What is known of the result, in a word of `PointOutcome.Content`.
    package let content: String
    /// How the run without faults that followed came out, as in `exit 0, partial`; nil without one.
    package private(set) var later: String?
    /// Runs of equal requests count once, so that one more retry makes no other behaviour.
    package let requests: [String]

    package init(_ judgement: PointJudgement, _ outcome: PointOutcome) {
        var shapes: [String] = []
        for shape in outcome.requests.map(\.text) where shapes.last != shape {
            shapes.append(shape)
        }
        self.init(
            verdict: judgement.word,
            ending: outcome.ending.text,
            content: outcome.content.rawValue,
            later: outcome.recovery.map { "\($0.ending.text), \($0.content.rawValue)" },
            requests: shapes
        )
    }

    /// The signature that a record's text stands for.
    init(verdict: String, ending: String, content: String, later: String?, requests: [String]) {
        self.verdict = verdict
        self.ending = ending
        self.content = content
        self.later = later
        self.requests = requests
    }

    /// Whether behaviour changed between two points.
    ///
    /// That only one left something with which a run without faults could begin is no change, nor is
    /// another order of the same requests: several may be under way at once.
    func differs(from other: Signature) -> Bool {
        let isOtherLater = later != nil && other.later != nil && later != other.later
        return isOtherLater || verdict != other.verdict || ending != other.ending
            || content != other.content || kinds(of: self, other) != kinds(of: other, self)
    }

    /// Which requests were made.
    ///
    /// Of parts that are fetched in parallel, which one continues another is chance.
    private func kinds(of signature: Signature, _ other: Signature) -> Set<String> {
        let next = " \(Attempt.Kind.next.rawValue) "
        let hasParts = (signature.requests + other.requests).contains { $0.contains(next) }
        guard hasParts else { return Set(signature.requests) }
        return Set(
            signature.requests.map { request in
                let words = request.split(separator: " ")
                return "\(words.first ?? "") \(words.last ?? "")"
            }
        )
    }

    package var text: String {
        ([verdict, ending, content] + (later.map { ["later \($0)"] } ?? []) + requests)
            .joined(separator: "; ")
    }

    /// The method of the last request; nil if there was none.
    var lastMethod: String? { requests.last?.split(separator: " ").first.map(String.init) }

    var isSuccess: Bool { ending == PointOutcome.Ending.exited(0).text }
}
