package import Faults
package import Origin
internal import ResumableServer

// What effects do at the embedded origin.
extension OriginFault {
    /// The faults of a run that act at the embedded origin, with the identities of the plan.
    package static func all(in plan: FaultPlan) -> [OriginFault] {
        plan.faults.compactMap { id, fault in
            guard case .object(let path, let selector) = fault.address.target else { return nil }
            let times = fault.options.times
            return OriginFault(
                id: id,
                effect: fault.effect.atOrigin,
                matches: { path.matches(target: $0) },
                names: { selector.names($0, times: times) }
            )
        }
    }
}

extension Effect {
    /// What the origin does, for an effect that acts there.
    fileprivate var atOrigin: Misbehaviour.Effect {
        switch self {
        case .mutate(let mutation): .mutate(mutation.atOrigin)
        case .expire: .forget
        case .limit(.maximumAppendSize, let bytes): .limitAppend(Int(clamping: bytes))
        case .limit(.maximumSize, let bytes): .limitSize(Int(clamping: bytes))
        case .range(let misbehaviour): misbehaviour.atOrigin
        default: preconditionFailure("'\(name)' does nothing at the origin")
        }
    }
}

extension Effect.ObjectMutation {
    fileprivate var atOrigin: Misbehaviour.Mutation {
        switch self {
        case .sameSize: .sameSize
        case .shrink: .shrink
        case .grow: .grow
        case .weakTag: .weakTag
        case .dateOnly: .dateOnly
        case .sameSecond: .sameSecond
        case .touch: .touch
        }
    }
}

extension Effect.RangeMisbehaviour {
    fileprivate var atOrigin: Misbehaviour.Effect {
        switch self {
        case .ignore: .ignoreRange
        case .shift(let distance): .shiftRange(Int(clamping: distance))
        case .short(let bytes): .short(Int(clamping: bytes))
        case .noContentRange: .noContentRange
        case .wrongTotal: .wrongTotal
        case .partialAs200: .partialAs200
        case .notModified: .notModified
        case .unsatisfiable: .unsatisfiable
        case .multipart: .multipart
        case .gzip: .gzip
        }
    }
}
