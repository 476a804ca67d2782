package import Basics
internal import SystemIO

/// Where a forward proxy may connect to.
///
/// Servers on this machine always, if they are named as such; others by pattern. What a name means is
/// judged by the address that is connected to, so that no name leads where its address may not.
package struct DestinationRules: Hashable, Sendable {
    package typealias Pattern = HostPattern

    package var patterns: [Pattern] = []

    package init() {}

    /// Why a connection may not go somewhere.
    enum Refusal: Error, Hashable {
        /// No pattern has it.
        case notAllowed
        /// The host is no name, and not an address as four decimal numbers or in the form of IPv6.
        case unclearHost
    }

    /// Looks at what was asked for, before any name is looked up.
    func check(_ destination: Destination) throws(Refusal) {
        guard !Self.isUnclear(destination.host) else { throw .unclearHost }
        if Self.isLocal(destination) { return }
        guard
            patterns.contains(where: { $0.matches(host: destination.host, port: destination.port) })
        else { throw .notAllowed }
    }

    /// Those addresses of a destination that may be connected to.
    func allowed(_ addresses: [SocketAddress], for destination: Destination) -> [SocketAddress] {
        addresses.filter { address in
            let plain = address.canonical
            guard !plain.isUnix, !plain.isWildcard else { return false }
            if plain.isLoopback || Self.isLocal(destination) {
                return plain.isLoopback && Self.isLocal(destination)
            }
            guard plain.isSpecial else { return true }
            // Link-local addresses and the metadata of clouds have to be named.
            return patterns.contains {
                $0.host == destination.host
                    && $0.matches(host: destination.host, port: destination.port)
            }
        }
    }

    /// Whether a destination says that it is on this machine.
    private static func isLocal(_ destination: Destination) -> Bool {
        if destination.host == "localhost" || destination.host.hasSuffix(".localhost") {
            return true
        }
        return SocketAddress(numericHost: destination.host, port: 0)?.canonical.isLoopback ?? false
    }

    /// Whether some programs read a number as an address and others as a name: 2130706433, 0x7f.1,
    /// 0177.0.0.1, 127.1 (WHATWG URL §3.5, "ends in a number").
    private static func isUnclear(_ host: String) -> Bool {
        guard !host.isEmpty, !host.contains("%") else { return true }
        if host.contains(":") { return SocketAddress(numericHost: host, port: 0) == nil }
        let labels = host.split(separator: ".")
        guard let last = labels.last?.lowercased() else { return true }
        let isNumber =
            last.utf8.allSatisfy { (0x30...0x39).contains($0) }
            || last.hasPrefix("0x") && last.dropFirst(2).allSatisfy(\.isHexDigit)
        guard isNumber else { return false }
        let isPlain = labels.allSatisfy { $0 == "0" || !$0.hasPrefix("0") }
        return !isPlain || host.hasSuffix(".") || SocketAddress(numericHost: host, port: 0) == nil
    }
}

extension SocketAddress {
    /// Whether it is link-local, or where clouds keep what programs may not tell others.
    fileprivate var isSpecial: Bool {
        switch self {
        case .ipv4(let address, _): address >> 16 == 0xA9FE
        case .ipv6(let bytes, _, _):
            bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 || bytes == Self.metadata
        case .unix: false
        }
    }

    /// The address fd00:ec2::254.
    private static let metadata: [UInt8] =
        [0xFD, 0x00, 0x0E, 0xC2] + Array(repeating: 0, count: 10) + [0x02, 0x54]
}
