internal import HTTPWire

/// How many redirects one transfer follows.
enum RedirectLimits {
    static let uploads = 10
    /// In a row.
    static let downloads = 10
}

extension HTTPURL {
    /// Why a client that was here does not go there; nil if it does.
    func refusal(of next: HTTPURL) -> String? {
        isSecure && !next.isSecure ? "from https to http (\(next.text))" : nil
    }
}
