/// How a route finds its server: each connection says where it is to go.
package struct ForwardSettings: Hashable, Sendable {
    /// What clients may speak; the first byte of a connection tells which it is.
    package var takesHTTP = true
    package var takesSOCKS = true
    /// What clients have to say in either protocol; nil for nothing.
    package var credentials: Credentials?
    package var rules = DestinationRules()
    /// Networks of some hosts; of several that fit, the first one counts.
    package var networks: [HostNetwork] = []

    package struct Credentials: Hashable, Sendable {
        package var user: String
        package var password: String

        package init(user: String, password: String) {
            self.user = user
            self.password = password
        }
    }

    package init() {}
}

/// A server as a client names it.
package struct Destination: Hashable, Sendable {
    /// A name in small letters, or an address without brackets.
    package let host: String
    package let port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    var endpoint: Endpoint { .tcp(host: host, port: port) }
}
