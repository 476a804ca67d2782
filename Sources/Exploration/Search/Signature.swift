/// What makes two runs alike: the judgement, the command's end and the requests it made.
///
/// Neighbouring points of equal signature are taken to stand for all between them.
package struct Signature: Hashable, Sendable {
    /// The judgement's word.
    package let verdict: String
    package let ending: String
    /// Runs of equal requests count once, so that one more retry makes no other behaviour.
    package let requests: [String]

    package init(_ judgement: PointJudgement, _ outcome: PointOutcome) {
        verdict = judgement.word
        ending = outcome.ending.text
        var shapes: [String] = []
        for shape in outcome.requests.map(\.text) where shapes.last != shape {
            shapes.append(shape)
        }
        requests = shapes
    }

    /// The signature that a record's text stands for.
    init(verdict: String, ending: String, requests: [String]) {
        self.verdict = verdict
        self.ending = ending
        self.requests = requests
    }

    package var text: String {
        ([verdict, ending] + requests).joined(separator: "; ")
    }
}
