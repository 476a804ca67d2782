internal import Basics
internal import Analysis
internal import Faults

/// How a run fails, whatever made it fail: its class and what came of it.
///
/// Schedules of equal sign fail alike, so that one of them may stand for the other.
package struct FindingSign: Hashable, Sendable {
    package let kind: FindingClass
    /// As in `success partial`, `never tries again` or `R5`.
    package let outcome: String

    package init(_ kind: FindingClass, _ outcome: String) {
        self.kind = kind
        self.outcome = outcome
    }

    /// - Parameter record: of a failure; nil for others.
    init?(_ record: PointRecord) {
        guard case .failure(let kind, let reason) = record.judgement else { return nil }
        self.init(kind, Self.outcome(kind, reason, record))
    }

    private static func outcome(
        _ kind: FindingClass,
        _ reason: String,
        _ record: PointRecord
    ) -> String {
        if let check = Judge.failedCheck(in: reason) { return String(check) }
        if reason.contains(Judge.laterRun) { return "later \(record.signature.later ?? "")" }
        switch kind {
        case .giveup: return record.triesAgain ? "tries again" : neverTriesAgain
        case .hang: return record.signature.ending
        case .crash: return record.signature.ending
        case .duplicate: return "repeated"
        default:
            let ending = record.signature.isSuccess ? "success" : "failure"
            return "\(ending) \(record.signature.content)"
        }
    }

    /// What stands for answers that send a client elsewhere.
    fileprivate static let redirection = "redirect"
    static let neverTriesAgain = "never tries again"

    /// Whether it is that of a client that makes one attempt.
    var isWithoutRetry: Bool { kind == .giveup && outcome == Self.neverTriesAgain }

    /// Whether a command says that all is well.
    var isFalseSuccess: Bool { outcome.hasPrefix("success ") }

    private var isOfCheck: Bool { !kind.isOfOutcome || Judge.isCheck(outcome[...]) }

    /// Whether it is the run afterwards that fails.
    var isOfLaterRun: Bool { outcome.hasPrefix("later ") }

    /// What of the faults belongs to the cause of a failure like this.
    fileprivate func context(_ record: PointRecord) -> [String] {
        let point = record.point
        let families = point.families
        // Who makes one attempt fails at whatever meets it, and for another reason at what is no failure.
        if isWithoutRetry { return families.filter { !$0.isFailure }.map(\.rawValue).sorted() }
        // A rule that is broken, and a part that is misused, are so wherever the fault was, unless the
        // server has a share in it.
        if isOfCheck || isOfLaterRun {
            return families.filter(\.isOfServer).map(\.rawValue).sorted()
        }
        if point.faults.contains(where: \.redirects) { return [Self.redirection] }
        switch kind {
        case .giveup, .hang, .crash: return families.map(\.rawValue).sorted()
        // What another attempt sends is wrong whatever made the one before it fail, and wherever.
        case .lost where record.triesAgain, .duplicate where record.triesAgain:
            let others = families.filter { !$0.isFailure }.map(\.rawValue).sorted()
            return others + ["again \(record.signature.lastMethod ?? "")"]
        default:
            // Whoever waits for too little time takes a silence for a cut.
            let others = families.subtracting([.end, .silence]).map(\.rawValue).sorted()
            // A whole answer is mistaken for a part by other clients than one part for another.
            let isWhole = point.faults.contains { $0.effect == .range(.ignore) }
            return others + (isWhole ? ["whole"] : [])
                + Set(point.faults.map(\.lackingPart)).sorted()
        }
    }
}

extension Fault {
    /// The part of a message that does not come whole: of an answer that is kept in part, not the request
    /// that it answers.
    fileprivate var lackingPart: String {
        guard case .swallow(let keep, _) = effect else { return address.anchor.message }
        switch keep {
        case .none, .interim: return address.anchor.message
        case .head: return Anchor.message(.down, .head, .end).message
        case .half: return Anchor.message(.down, .body, .end).message
        }
    }
}

extension PointRecord {
    /// What it fails as; nil if it does not, or tells nothing of a schedule that it is a smaller form of.
    ///
    /// What a server does wrong between a cut and the request for the rest means something else to a client
    /// that asks for the whole.
    var signOfPart: FindingSign? {
        // A later start may go on with what this one has left.
        let continuesNothing =
            signature.later == nil
            && signature.requests.allSatisfy { $0.contains(" \(Attempt.Kind.first.rawValue) ") }
        let isOfServer = !isSingle && point.families.contains(where: \.isOfServer)
        return continuesNothing && isOfServer ? nil : FindingSign(self)
    }
}

/// What failures have in common that are told as one finding.
///
/// How they fail, and the kind of fault and the part of a message that they need for it; the request
/// does not belong to it.
struct FindingCause: Hashable {
    let sign: FindingSign
    private let context: [String]

    /// Whether failed exchanges alone bring it about.
    var isOfFailure: Bool { context.isEmpty }

    /// Whether another answer than the server's brings it about.
    var isOfAnswer: Bool { context.contains(FaultFamily.answer.rawValue) }

    /// Whether a redirection brings it about.
    var isOfRedirection: Bool { context == [FindingSign.redirection] }

    /// What the server has to do for it.
    private var serverFamilies: [String] {
        context.filter { FaultFamily(rawValue: $0)?.isOfServer ?? false }
    }

    /// Whether a client that makes this mistake within a start makes another one over two starts, too.
    func explains(nextStart other: FindingCause) -> Bool {
        guard other.sign.isOfLaterRun, !sign.isOfLaterRun, sign.kind == other.sign.kind else {
            return false
        }
        return sign.kind == .duplicate
            || !serverFamilies.isEmpty && serverFamilies == other.serverFamilies
    }

    /// - Parameter record: of a failure; nil for others.
    init?(_ record: PointRecord) {
        guard let sign = record.signOfPart else { return nil }
        self.sign = sign
        context = sign.context(record)
    }

    /// Equal in every run, shard and machine.
    var text: String { ([sign.kind.rawValue, sign.outcome] + context).joined(separator: "\n") }
}

extension Point {
    /// What befalls the client.
    var families: Set<FaultFamily> { Set(faults.map(\.effect.kind.family)) }
}
