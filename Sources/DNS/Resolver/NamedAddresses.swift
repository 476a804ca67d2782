package import Basics
package import DNSWire
package import Faults

/// Where names lead, written as `api.example.com=127.0.0.1,::1`.
package struct NamedAddresses: Hashable, Sendable {
    /// `*` stands for any characters, dots too.
    package var names: HostPattern
    package var addresses: [NetworkAddress]

    package init(_ names: HostPattern, _ addresses: [NetworkAddress]) {
        self.names = names
        self.addresses = addresses
    }

    /// The one way to write it.
    package var canonicalText: String {
        "\(names.canonicalText)=\(addresses.map(\.text).joined(separator: ","))"
    }

    /// Reads them.
    ///
    /// - Throws: what is wrong, and at which column.
    package init(parsing text: String) throws(ScheduleError) {
        var scanner = try FaultScanner(text)
        let name = scanner.takeText { $0 != UInt8(ascii: "=") }
        guard let names = HostPattern.ofNames(name) else {
            throw scanner.error(
                "'\(QuantityError.shown(name))' is no name; write NAME=ADDRESS, like"
                    + " 'api.example.com=127.0.0.1' or '*.example.com=127.0.0.1,::1'",
                at: 0
            )
        }
        guard scanner.take("=") else {
            throw scanner.error("expected '=' and an address, found \(scanner.foundHere)")
        }
        self.names = names
        addresses = try scanner.addresses()
        guard scanner.isAtEnd else {
            throw scanner.error("expected the end of the text, found \(scanner.foundHere)")
        }
    }
}
