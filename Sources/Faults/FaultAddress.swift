package import Basics
package import DNSWire
package import QUICWire

/// Where in the traffic of a run something happens: whose traffic it is, and where in it.
package struct FaultAddress: Hashable, Sendable {
    /// Of connections: those to this host are meant, and only they are counted; nil for all.
    package var host: HostPattern?
    package var target: FaultTarget
    package var anchor: Anchor

    package init(_ target: FaultTarget, _ anchor: Anchor, host: HostPattern? = nil) {
        self.host = host
        self.target = target
        self.anchor = anchor
    }

    package var canonicalText: String {
        let place = anchor.canonicalText
        return place.isEmpty ? whose : "\(whose):\(place)"
    }

    /// Whose traffic it is: the text before the anchor.
    package var whose: String {
        (host.map { "host(\($0.canonicalText))/" } ?? "") + target.canonicalText
    }

    /// The number that selects a connection here.
    ///
    /// - Parameters:
    ///   - connection: its ordinal among all, from 1.
    ///   - hosts: its ordinals among those to each host that it fits.
    /// - Returns: nil if it is none of those that are counted.
    func ordinal(of connection: UInt32, _ hosts: HostOrdinals) -> UInt32? {
        guard let host else { return connection }
        return hosts[host]
    }

    /// Whether this place is in a request or response, or between two.
    package var isOfRequests: Bool {
        switch (target, anchor) {
        case (.requests, _), (.matching, _), (.object, _): true
        case (.flows, _), (.queries, _), (_, .datagrams), (_, .silence), (_, .tls): false
        case (.connections, .connect), (.connections, .byte): false
        case (.connections, .idle), (.connections, .message), (.connections, .interim),
            (.connections, .whole), (.connections, .inside):
            true
        }
    }

    /// Sorts by whose traffic it is, then by place.
    fileprivate var order: [UInt64] {
        let name = host?.canonicalText.utf8.map { UInt64($0) } ?? []
        return target.order + anchor.order + name
    }
}

extension FaultAddress: Comparable {
    /// The order of a schedule line: connections, requests on them, requests by pattern, objects;
    /// for one target, the course of an exchange.
    package static func < (a: FaultAddress, b: FaultAddress) -> Bool {
        a.order.lexicographicallyPrecedes(b.order)
    }
}

/// The ordinals of a connection, from 1, among those to each host that it fits.
package typealias HostOrdinals = [HostPattern: UInt32]

/// Whose traffic a fault is for.
package enum FaultTarget: Hashable, Sendable {
    /// Connections in the order in which one listener accepts them, and all requests on them.
    case connections(OrdinalSelector)
    /// Requests on such connections in the order of their heads.
    case requests(on: OrdinalSelector, OrdinalSelector)
    /// Requests of the run that match, in the order in which their heads arrive.
    case matching(RequestPattern, OrdinalSelector)
    /// An object or upload of the embedded origin, from a request for it on.
    case object(PathGlob, OrdinalSelector)
    /// Flows of datagrams in the order in which one listener first hears of them; of QUIC packets of
    /// one type, if one is given.
    case flows(OrdinalSelector, QUICPacketType?)
    /// Name lookups of a type, or of any type, in the order in which the name server gets them; those for
    /// names that fit are counted.
    case queries(RecordType?, HostPattern, OrdinalSelector)

    package var canonicalText: String {
        switch self {
        case .connections(let connections): "c\(connections.canonicalText)"
        case .requests(let connections, let requests):
            "c\(connections.canonicalText)/r\(requests.canonicalText)"
        case .matching(let pattern, let requests):
            "\(pattern.canonicalText)#\(requests.canonicalText)"
        case .object(let path, let requests):
            "obj(\(path.canonicalText))#\(requests.canonicalText)"
        case .flows(let flows, let type):
            "u\(flows.canonicalText)" + (type.map { "/\($0.rawValue)" } ?? "")
        case .queries(let type, let names, let queries):
            "\(type?.name ?? "*")(\(names.canonicalText))#\(queries.canonicalText)"
        }
    }

    fileprivate var order: [UInt64] {
        switch self {
        case .connections(let connections): [0] + connections.order
        case .requests(let connections, let requests): [1] + connections.order + requests.order
        case .matching(let pattern, let requests):
            [2] + pattern.canonicalText.utf8.map { UInt64($0) } + [0] + requests.order
        case .object(let path, let requests):
            [3] + path.canonicalText.utf8.map { UInt64($0) } + [0] + requests.order
        case .flows(let flows, let type):
            [4] + flows.order + (type?.rawValue.utf8.map { UInt64($0) } ?? [])
        case .queries(let type, let names, let queries):
            [5, UInt64(type?.number ?? 0)] + names.canonicalText.utf8.map { UInt64($0) } + [0]
                + queries.order
        }
    }
}

/// Requests by method, host and path.
package struct RequestPattern: Hashable, Sendable {
    /// Nil for any method; methods are case-sensitive (RFC 9110 §9.1).
    package let method: String?
    /// Nil for any host.
    package let host: HostPattern?
    package let path: PathGlob

    package init(method: String?, host: HostPattern? = nil, path: PathGlob) {
        self.method = method
        self.host = host
        self.path = path
    }

    /// - Parameters:
    ///   - method: of a request.
    ///   - host: what its Host field has; nil if there is none.
    ///   - target: in any form.
    /// - Returns: whether the request is meant.
    package func matches(method: String, host: String?, target: String) -> Bool {
        guard self.method == nil || self.method == method else { return false }
        if let wanted = self.host {
            guard let host, wanted.matches(authority: host) else { return false }
        }
        return path.matches(target: target)
    }

    /// `PATCH(/u/*)` or `PATCH(//example.com/u/*)`.
    package var canonicalText: String {
        let host = host.map { "//\($0.canonicalText)" } ?? ""
        return "\(method ?? "*")(\(host)\(path.canonicalText))"
    }
}
