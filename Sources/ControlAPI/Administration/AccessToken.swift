internal import SystemIO

/// The secret that a request must show: 128 random bits, written in hexadecimal.
package struct AccessToken: Hashable, Sendable {
    /// 32 lower-case hexadecimal digits.
    package let text: String

    /// A new one, from the kernel's generator.
    package init() {
        text = SecureRandom.bytes(16).map { byte in
            let digits = String(byte, radix: 16)
            return digits.utf8.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// One that was chosen before.
    ///
    /// - Returns: nil for a text that is too short to be a secret, or that is no token of
    ///   RFC 6750 §2.1.
    package init?(chosen text: String) {
        guard (16...256).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else {
            return nil
        }
        self.text = text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "+"), UInt8(ascii: "/"),
            UInt8(ascii: "="):
            true
        default: false
        }
    }

    /// Whether a text is this token, in a time that depends on its length alone.
    package func matches(_ other: some StringProtocol) -> Bool {
        let (own, other) = (Array(text.utf8), Array(other.utf8))
        var difference = UInt8(own.count == other.count ? 0 : 1)
        for (index, byte) in other.enumerated() { difference |= byte ^ own[index % own.count] }
        return difference == 0
    }

    /// Whether a value of `Authorization` shows this token (RFC 6750 §2.1).
    func isShown(by authorization: String?) -> Bool {
        guard let authorization else { return false }
        let parts = authorization.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return false }
        return matches(parts[1])
    }
}
