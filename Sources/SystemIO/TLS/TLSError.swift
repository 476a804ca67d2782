internal import COpenSSL

/// Why a TLS connection or its settings failed.
package struct TLSError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// A certificate, key or list of authorities cannot be used.
        case settings
        /// The peer's certificate is not trusted, is out of date or is for another name.
        case certificate
        /// Anything else that is not as the protocol says.
        case `protocol`
    }

    package let kind: Kind
    package let description: String

    /// A session that only writes to memory has not taken content: the peer wants something first that
    /// we do not do, such as new keys by a second handshake.
    package static let writeRefused = TLSError(.protocol, "the peer lets no content be sent")

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    /// Takes what OpenSSL has noted on this thread; `fallback` if it noted nothing.
    static func taken(_ kind: Kind, _ fallback: String) -> TLSError {
        var code: CUnsignedLong = 0
        while true {
            let next = ERR_get_error()
            if next == 0 { break }
            if code == 0 { code = next }
        }
        guard code != 0, let reason = unsafe ERR_reason_error_string(code) else {
            return TLSError(kind, fallback)
        }
        return unsafe TLSError(kind, "\(fallback): \(String(cString: reason))")
    }
}
