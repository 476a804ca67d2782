internal import Basics
internal import SystemIO

/// Servers that are reached without a proxy, as the variable `NO_PROXY` lists them.
///
/// What programs agree on: a host means those below it, too, with a dot before it or without; `*` means
/// everything; an address may have a prefix length, as in 10.0.0.0/8; anything may have a port.
package struct ProxyExceptions: Hashable, Sendable {
    private var hosts: [HostPattern] = []
    private var networks: [Network] = []

    /// Addresses that begin with the same bits.
    private struct Network: Hashable {
        let bytes: [UInt8]
        let bits: Int

        /// Reads an address, or one with a prefix length; nil for anything else.
        init?(_ text: Substring) {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard (1...2).contains(parts.count),
                let address = SocketAddress(numericHost: String(parts[0]), port: 0)
            else { return nil }
            bytes = address.canonical.hostBytes
            let all = bytes.count * 8
            guard let bits = parts.count == 2 ? Int(parts[1]) : all, (0...all).contains(bits)
            else { return nil }
            self.bits = bits
        }

        func contains(_ address: [UInt8]) -> Bool {
            address.count == bytes.count
                && (0..<bits).allSatisfy { bit in
                    (address[bit / 8] ^ bytes[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0
                }
        }
    }

    package init() {}

    /// Reads a list with commas or spaces; what makes no sense in it is left out, as others do.
    package init(_ list: String) {
        for word in list.split(whereSeparator: { $0 == "," || $0.isWhitespace }) { add(word) }
    }

    private mutating func add(_ word: Substring) {
        if let network = Network(word) { return networks.append(network) }
        let host = word.hasPrefix("*.") ? word.dropFirst(2) : word.drop { $0 == "." }
        guard let exact = HostPattern(String(host)) else { return }
        hosts.append(exact)
        if let below = HostPattern("*.\(host)") { hosts.append(below) }
    }

    /// Adds one server under a name that it is known by.
    package mutating func add(_ server: Endpoint) {
        if let pattern = HostPattern(server.description) { hosts.append(pattern) }
    }

    /// - Parameter server: by name or address.
    /// - Returns: whether it is reached without a proxy.
    package func contains(_ server: Endpoint) -> Bool {
        guard case .tcp(let host, let port) = server else { return true }
        if hosts.contains(where: { $0.matches(host: host, port: port) }) { return true }
        guard let address = server.numericAddress?.canonical.hostBytes else { return false }
        return networks.contains { $0.contains(address) }
    }
}

extension SocketAddress {
    /// Four or sixteen bytes; none of a path.
    var hostBytes: [UInt8] {
        switch self {
        case .ipv4(let address, _): [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: address >> $0) }
        case .ipv6(let bytes, _, _): bytes
        case .unix: []
        }
    }
}
