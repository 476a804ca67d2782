package import HTTPWire

/// Where a request goes, and how.
package struct ClientEndpoint: Hashable, Sendable {
    /// For the certificate and for `Host`.
    package var host: String
    package var port: UInt16
    package var isSecure: Bool
    /// The path of a Unix socket to connect to instead of host and port.
    package var unixPath: String?
    /// The value of `Host`.
    package var hostField: String

    package init(_ url: HTTPURL, unixPath: String? = nil) {
        host = url.host
        port = UInt16(clamping: url.port)
        isSecure = url.isSecure
        hostField = url.hostField
        self.unixPath = unixPath
    }

    /// A socket file of this machine, without TLS.
    package init(socketFile path: String) {
        host = "localhost"
        port = 80
        isSecure = false
        hostField = host
        unixPath = path
    }
}
