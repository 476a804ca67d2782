internal import HTTPWire
package import ResumableServer

/// Something that goes wrong with one object or upload, by how many requests for it came.
///
/// Where `Misbehaviour` counts all requests of a kind, this counts those with a target of its own.
package struct OriginFault: Sendable {
    /// Reported when it acts.
    package let id: String
    package let effect: Misbehaviour.Effect
    /// Whether a request target is the object's or the upload's.
    package let matches: @Sendable (_ target: String) -> Bool
    /// Whether it acts on this request for it, counted from 1.
    package let names: @Sendable (_ ordinal: UInt32) -> Bool

    package init(
        id: String,
        effect: Misbehaviour.Effect,
        matches: @escaping @Sendable (_ target: String) -> Bool,
        names: @escaping @Sendable (_ ordinal: UInt32) -> Bool
    ) {
        self.id = id
        self.effect = effect
        self.matches = matches
        self.names = names
    }
}

/// Counts the requests that origin faults are for.
struct OriginFaultCounter {
    private struct Entry {
        let fault: OriginFault
        var requests: UInt32 = 0
        /// How often an object has changed.
        var changes = 0
        /// Whether it had changed before any request for it.
        var isOtherFromTheStart = false

        /// What changes an object before its first request does so before one for its head, too: it is
        /// another one from the start then.
        ///
        /// - Returns: whether it changes now.
        mutating func changesBeforeFirst() -> Bool {
            guard case .mutate = fault.effect, changes == 0, fault.names(1) else { return false }
            changes = 1
            isOtherFromTheStart = true
            return true
        }
    }

    private var entries: [Entry]

    init(_ faults: [OriginFault]) { entries = faults.map { Entry(fault: $0) } }

    /// Counts a request, and adds what becomes of it.
    ///
    /// - Parameters:
    ///   - head: of the request.
    ///   - fate: gets effects and changes.
    mutating func count(_ head: RequestHead, into fate: inout PlannedFaults.Fate) {
        let target = head.target
        for index in entries.indices where entries[index].fault.matches(target) {
            // What becomes of content is counted by those who ask for it.
            if entries[index].fault.effect.isOfContent, head.method == "HEAD" {
                if entries[index].changesBeforeFirst() {
                    fate.fired.append(entries[index].fault.id)
                }
                continue
            }
            entries[index].requests += 1
            let effect = entries[index].fault.effect
            let isMet = !effect.needsRange || head.fields["Range"] != nil
            let isDone = entries[index].isOtherFromTheStart && entries[index].requests == 1
            let acts = isMet && !isDone && entries[index].fault.names(entries[index].requests)
            if acts { fate.fired.append(entries[index].fault.id) }
            guard case .mutate = effect else {
                if acts { fate.effects.append(effect) }
                continue
            }
            // A change stays.
            if acts { entries[index].changes += 1 }
        }
        addChanges(of: target, to: &fate)
    }

    /// Adds what an object has become so far.
    func addChanges(of target: String, to fate: inout PlannedFaults.Fate) {
        for entry in entries where entry.fault.matches(target) {
            guard case .mutate(let mutation) = entry.fault.effect else { continue }
            if entry.changes > 0 || mutation.isWithoutTag {
                fate.mutations.append((mutation, count: entry.changes))
            }
        }
    }
}

extension Misbehaviour.Effect {
    /// Whether it is about a range, so that nothing is wrong with an answer to a request without one.
    fileprivate var needsRange: Bool {
        switch self {
        case .ignoreRange, .shiftRange, .noContentRange, .wrongTotal, .multipart: true
        default: false
        }
    }

    /// Whether it is about what a request for content gets, so that one for the head alone is not counted.
    fileprivate var isOfContent: Bool {
        switch self {
        case .mutate, .ignoreRange, .shiftRange, .noContentRange, .wrongTotal, .notModified,
            .unsatisfiable, .partialAs200, .short, .multipart, .falseGzip, .gzip:
            true
        default: false
        }
    }
}
