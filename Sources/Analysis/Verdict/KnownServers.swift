internal import Basics
internal import DNSWire
internal import HTTPWire
internal import Journal

/// A host and a port, in one form for all ways to write them.
struct ServerPlace: Hashable, Sendable {
    enum Host: Hashable, Sendable {
        /// In small letters, without a dot at its end.
        case name(String)
        case address(NetworkAddress)
    }

    let host: Host
    let port: Int

    init(_ host: Host, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads `host`, `host:port` or `[address]:port`, perhaps after user information (RFC 3986 §3.2);
    /// nil for anything else.
    ///
    /// - Parameters:
    ///   - authority: as in a URL.
    ///   - isSecure: whether the URL's scheme is `https`, whose default port is 443.
    init?(_ authority: some StringProtocol, isSecure: Bool = false) {
        let text = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        guard let url = try? HTTPURL("\(isSecure ? "https" : "http")://\(text)"),
            url.target == "/"
        else { return nil }
        let name = url.host.hasSuffix(".") ? String(url.host.dropLast()) : url.host
        host = NetworkAddress(name).map { .address($0.plain) } ?? .name(name)
        port = url.port
    }

    /// The same, with one host for all that is this machine to itself.
    ///
    /// To connect to the wildcard is to connect to the loopback; names below `localhost` are the loopback's
    /// (RFC 6761 §6.3).
    var withOneLoopback: ServerPlace {
        switch host {
        case .name("localhost"): break
        case .name(let name) where name.hasSuffix(".localhost"): break
        case .address(let address) where address.isThisMachine: break
        case .name, .address: return self
        }
        return ServerPlace(.name("localhost"), port: port)
    }
}

/// The servers of a run's connections, and the names that the run showed to lead to them.
struct KnownServers: Hashable, Sendable {
    private var places: Set<ServerPlace> = []
    /// The addresses that the client was given for each name.
    private var addresses: [String: Set<NetworkAddress>] = [:]

    /// Whether a place is one of the servers, by whatever name.
    func contain(_ place: ServerPlace?) -> Bool {
        guard let place else { return false }
        if places.contains(place.withOneLoopback) { return true }
        guard case .name(let name) = place.host else { return false }
        return addresses[name, default: []].contains {
            places.contains(ServerPlace(.address($0), port: place.port).withOneLoopback)
        }
    }

    /// Adds servers as they were named to linkcond.
    mutating func add(_ start: RunStart) {
        guard case .array(let list) = start.environment["upstream"] else { return }
        for case .string(let text) in list {
            // A Unix socket has no port, nor has the embedded server or a proxy to any server.
            let name = text.firstRange(of: "://").map { text[$0.upperBound...] } ?? text[...]
            if name.contains(":") { add(name) }
        }
    }

    /// Adds the address that a connection went to.
    mutating func add(_ end: ConnectionEnd) {
        if let server = end.server { add(server) }
    }

    private mutating func add(_ text: some StringProtocol) {
        if let place = ServerPlace(text) { places.insert(place.withOneLoopback) }
    }

    /// Adds the addresses of a name.
    mutating func add(_ report: DNSReport) {
        let found = report.answer.split(separator: " ").compactMap { NetworkAddress(String($0)) }
        guard !found.isEmpty else { return }
        addresses[report.name, default: []].formUnion(found.map(\.plain))
    }
}

extension NetworkAddress {
    private static let mappedPrefix: [UInt8] = Array(repeating: 0, count: 10) + [255, 255]

    /// The IPv4 address that is written as one of IPv6 (RFC 4291 §2.5.5.2), or this one.
    fileprivate var plain: NetworkAddress {
        guard bytes.starts(with: Self.mappedPrefix) else { return self }
        return NetworkAddress(bytes: Array(bytes.dropFirst(Self.mappedPrefix.count))) ?? self
    }

    /// Whether it is a loopback address, or stands for every address of the machine.
    fileprivate var isThisMachine: Bool {
        if bytes.allSatisfy({ $0 == 0 }) { return true }
        return bytes.count == 4
            ? bytes[0] == 127 : bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 }
    }
}
