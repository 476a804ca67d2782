package import Proxy
package import SystemIO

/// Where a proxy is to listen, as clients write it.
package enum ListenText: Hashable, Sendable {
    case place(ListenPlace)
    /// A name that must be looked up.
    case name(String, port: UInt16)

    /// Reads `host:port`, `:port` or nothing.
    ///
    /// A wildcard address, or no host, means every address of the machine, in both families; without
    /// `allowsRemote` it means the machine's own, 127.0.0.1 and ::1.
    ///
    /// - Throws: 500 in the words of Toxiproxy.
    package init(_ text: String, allowsRemote: Bool) throws(ToxiproxyError) {
        guard !text.isEmpty else {
            self = .place(Self.anywhere(0, allowsRemote))
            return
        }
        guard let colon = text.lastIndex(of: ":") else {
            throw Self.error("address \(text): missing port in address")
        }
        let portText = text[text.index(after: colon)...]
        guard portText.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = portText.isEmpty ? 0 : UInt16(portText)
        else { throw Self.error("address \(portText): invalid port") }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
        } else if host.contains(":") {
            throw Self.error("address \(text): too many colons in address")
        }
        self = Self.meaning(host, port, allowsRemote)
    }

    private static func meaning(
        _ host: String,
        _ port: UInt16,
        _ allowsRemote: Bool
    ) -> ListenText {
        if host.isEmpty { return .place(anywhere(port, allowsRemote)) }
        if host.lowercased() == "localhost" { return .place(.address(.loopback(port: port))) }
        guard let address = SocketAddress(numericHost: host, port: port) else {
            return .name(host, port: port)
        }
        return .place(address.isWildcard ? anywhere(port, allowsRemote) : .address(address))
    }

    private static func anywhere(_ port: UInt16, _ allowsRemote: Bool) -> ListenPlace {
        allowsRemote ? .everywhere(port: port) : .loopback(port: port)
    }

    static func error(_ text: String) -> ToxiproxyError {
        ToxiproxyError(500, "listen tcp: \(text)")
    }
}

/// What texts mean, once all names among them were looked up.
package struct ListenAddresses: Sendable {
    private var found: [String: Result<ListenPlace, ToxiproxyError>] = [:]
    private let allowsRemote: Bool
    /// One for each text that asked for all addresses and gets those of this machine.
    package private(set) var warnings: [String] = []

    init(allowsRemote: Bool) { self.allowsRemote = allowsRemote }

    /// The place of a text that was looked up.
    ///
    /// - Throws: 500 if it has none, or other machines could reach it and that is not allowed.
    package func place(of text: String) throws(ToxiproxyError) -> ListenPlace {
        guard let result = found[text] else {
            throw ListenText.error("address \(text): not looked up")
        }
        let place = try result.get()
        if case .address(let address) = place, !allowsRemote, !address.isLoopback {
            throw ToxiproxyError(
                500,
                "listen tcp \(address): other machines could reach it;"
                    + " start linkcond with --allow-remote if you mean that"
            )
        }
        return place
    }

    private mutating func add(_ place: ListenPlace, for text: String) {
        found[text] = .success(place)
        guard case .loopback = place, !text.isEmpty, text != ":0" else { return }
        warnings.append(
            "\(text) accepts connections from this machine only, at 127.0.0.1 and [::1];"
                + " start linkcond with --allow-remote to accept others"
        )
    }

    /// Finds out what texts mean.
    ///
    /// - Parameters:
    ///   - texts: as clients write them.
    ///   - allowsRemote: whether other machines may connect.
    ///   - loop: where names are looked up.
    ///   - done: called on the loop; before this returns if no name has to be looked up.
    package static func find(
        _ texts: [String],
        allowsRemote: Bool,
        on loop: EventLoop,
        then done: @escaping (ListenAddresses) -> Void
    ) {
        let search = Search(ListenAddresses(allowsRemote: allowsRemote), done)
        for text in texts { search.add(text, on: loop) }
        search.finish()
    }

    /// Lookups that are under way; held by them.
    private final class Search {
        private var addresses: ListenAddresses
        private let done: (ListenAddresses) -> Void
        /// One more than the lookups, until all have begun.
        private var waiting = 1

        init(_ addresses: ListenAddresses, _ done: @escaping (ListenAddresses) -> Void) {
            self.addresses = addresses
            self.done = done
        }

        func add(_ text: String, on loop: EventLoop) {
            do throws(ToxiproxyError) {
                switch try ListenText(text, allowsRemote: addresses.allowsRemote) {
                case .place(let place): addresses.add(place, for: text)
                case .name(let host, let port):
                    waiting += 1
                    NameResolver.resolve(host, port: port, on: loop) { [self] answer in
                        addresses.found[text] = Self.first(answer, host)
                        finish()
                    }
                }
            } catch {
                addresses.found[text] = .failure(error)
            }
        }

        func finish() {
            waiting -= 1
            if waiting == 0 { done(addresses) }
        }

        private static func first(
            _ answer: Result<[SocketAddress], SystemError>,
            _ host: String
        ) -> Result<ListenPlace, ToxiproxyError> {
            if case .success(let addresses) = answer, let first = addresses.first {
                return .success(.address(first))
            }
            return .failure(ListenText.error("lookup \(host): no such host"))
        }
    }
}
