package import HTTPWire

/// What a request asks for.
package enum ToxiproxyOperation: Hashable, Sendable {
    case version, metrics
    case listProxies, createProxy, populate, reset
    case showProxy, updateProxy, removeProxy
    case listToxics, createToxic
    case showToxic, updateToxic, removeToxic

    /// Whether there is content to read.
    var readsBody: Bool {
        switch self {
        case .createProxy, .populate, .updateProxy, .createToxic, .updateToxic: true
        default: false
        }
    }
}

/// Which request asks for what.
package enum ToxiproxyRoute: Hashable, Sendable {
    /// The names are those in the path: a proxy's, and a toxic's.
    case operation(ToxiproxyOperation, [String])
    /// The path is known, with other methods.
    case wrongMethod
    case unknown
    /// `OPTIONS *`: about the server as a whole (RFC 9110 §9.3.7).
    case server
    /// The path means another one.
    case moved(String)

    private struct Resource {
        /// `nil` stands for a name.
        let pattern: [String?]
        let operations: [String: ToxiproxyOperation]
    }

    private static let resources: [Resource] = [
        Resource(pattern: ["version"], operations: ["GET": .version]),
        Resource(
            pattern: ["proxies"],
            operations: ["GET": .listProxies, "POST": .createProxy]
        ),
        Resource(pattern: ["populate"], operations: ["POST": .populate]),
        Resource(pattern: ["reset"], operations: ["POST": .reset]),
        Resource(
            pattern: ["proxies", nil],
            operations: [
                "GET": .showProxy, "POST": .updateProxy, "PATCH": .updateProxy,
                "DELETE": .removeProxy,
            ]
        ),
        Resource(
            pattern: ["proxies", nil, "toxics"],
            operations: ["GET": .listToxics, "POST": .createToxic]
        ),
        Resource(
            pattern: ["proxies", nil, "toxics", nil],
            operations: [
                "GET": .showToxic, "POST": .updateToxic, "PATCH": .updateToxic,
                "DELETE": .removeToxic,
            ]
        ),
    ]

    /// Finds out what a request asks for.
    ///
    /// - Parameters:
    ///   - head: of the request; its query means nothing.
    ///   - hasMetrics: whether there is `/metrics`.
    package init(_ head: RequestHead, hasMetrics: Bool = false) {
        let target = RequestTarget(head)
        if case .asterisk? = target {
            self = .server
            return
        }
        guard let path = target?.resource?.path, !path.hazards.contains(.badEscape) else {
            self = .unknown
            return
        }
        if !path.hazards.isDisjoint(with: [.emptySegment, .dotSegment]) {
            self = .moved(Self.cleaned(path.segments))
            return
        }
        if hasMetrics, path.segments == ["metrics"] {
            self = .operation(.metrics, [])
            return
        }
        for resource in Self.resources {
            guard let names = Self.match(resource.pattern, path.segments) else { continue }
            self = resource.operations[head.method].map { .operation($0, names) } ?? .wrongMethod
            return
        }
        self = .unknown
    }

    private static func match(_ pattern: [String?], _ segments: [String]) -> [String]? {
        guard pattern.count == segments.count else { return nil }
        var names: [String] = []
        for (part, segment) in zip(pattern, segments) {
            if let part {
                guard part == segment else { return nil }
            } else {
                guard !segment.isEmpty else { return nil }
                names.append(segment)
            }
        }
        return names
    }

    /// Without empty segments and steps up.
    private static func cleaned(_ segments: [String]) -> String {
        var kept: [String] = []
        for segment in segments {
            switch segment {
            case "", ".": continue
            case "..": _ = kept.popLast()
            default: kept.append(PercentEncoding.encode(segment))
            }
        }
        return "/" + kept.joined(separator: "/")
    }
}
