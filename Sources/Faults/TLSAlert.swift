internal import Basics

/// What a fatal alert of TLS says (RFC 8446 §6).
package struct TLSAlert: Hashable, Sendable {
    package let code: UInt8

    package init(_ code: UInt8) { self.code = code }

    /// Reads a name or a number; nil for anything else.
    init?(_ text: String) {
        let known = Self.named.first { $0.name == text.replacing("-", with: "_") }?.code
        guard let code = known ?? UInt8(digits: text) else { return nil }
        self.init(code)
    }

    var canonicalText: String { Self.named.first { $0.code == code }?.name ?? "\(code)" }

    /// Those that a server sends (RFC 8446 §6, RFC 7301 §3.2).
    static let named: [(name: String, code: UInt8)] = [
        ("unexpected_message", 10), ("bad_record_mac", 20), ("record_overflow", 22),
        ("handshake_failure", 40), ("bad_certificate", 42), ("unsupported_certificate", 43),
        ("certificate_revoked", 44), ("certificate_expired", 45), ("certificate_unknown", 46),
        ("illegal_parameter", 47), ("unknown_ca", 48), ("access_denied", 49), ("decode_error", 50),
        ("decrypt_error", 51), ("protocol_version", 70), ("insufficient_security", 71),
        ("internal_error", 80), ("inappropriate_fallback", 86), ("missing_extension", 109),
        ("unsupported_extension", 110), ("unrecognized_name", 112), ("unknown_psk_identity", 115),
        ("certificate_required", 116), ("no_application_protocol", 120),
    ]

    /// The record that carries it in plain text (RFC 8446 §5.1).
    package var record: [UInt8] { [0x15, 3, 3, 0, 2, 2, code] }
}
