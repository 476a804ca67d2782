/// The authorities that the system trusts.
package enum SystemAuthorities {
    /// Where systems keep them: Debian and its kin, Fedora and its kin, SUSE, Alpine and BSD.
    static let paths = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
        "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
    ]
    private static let sizeLimit = 1 << 24

    /// All of them, in PEM; nothing on a system that has none.
    package static var pem: [UInt8] {
        for path in paths {
            if let bytes = try? FileSystem.read(path, limit: sizeLimit) { return bytes }
        }
        return []
    }
}
