internal import HTTPWire
internal import ResumableServer

/// Which requests go wrong on request, and how: rules, and how many requests came since they hold.
struct PlannedFaults {
    /// The rules as they were written.
    let text: String
    private let rules: Misbehaviour
    private var tally = RequestTally()

    /// What is to become of one request.
    struct Fate {
        var effects: [Misbehaviour.Effect] = []
        /// Of all objects.
        var mutations: [(Misbehaviour.Mutation, count: Int)] = []
        /// Identities of the origin faults that act.
        var fired: [String] = []
    }

    init(rules text: String) throws(MisbehaviourError) {
        self.text = text
        rules = try Misbehaviour(parsing: text)
    }

    init(_ text: String) throws(OriginError) {
        do throws(MisbehaviourError) {
            try self.init(rules: text)
        } catch {
            throw OriginError(
                .refused,
                "misbehaviour, column \(error.column): \(error.description)"
            )
        }
    }

    /// Counts a request.
    mutating func fate(of head: RequestHead, _ request: UploadRequest) -> Fate {
        let ordinals = tally.count(Self.kind(of: head, request))
        return Fate(
            effects: rules.effects(for: ordinals),
            mutations: rules.mutations(upTo: ordinals)
        )
    }

    /// What has become of all objects so far; counts nothing.
    func standing(of head: RequestHead, _ request: UploadRequest) -> Fate {
        let ordinals = tally.ordinals(of: Self.kind(of: head, request))
        return Fate(mutations: rules.mutations(upTo: ordinals))
    }

    private static func kind(of head: RequestHead, _ request: UploadRequest) -> RequestTally.Kind {
        switch request {
        case .create: return .creation
        case .options, .refused, .plain: return .otherUpload
        case .resource:
            switch head.fields["X-HTTP-Method-Override"] ?? head.method {
            case "PATCH": return .append
            case "HEAD", "GET": return .status
            case "DELETE": return .cancel
            default: return .otherUpload
            }
        case .elsewhere: return ["GET", "HEAD"].contains(head.method) ? .object : .other
        }
    }
}
