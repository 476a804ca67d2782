internal import Proxy
internal import SystemIO

/// The authority of a sandbox, which vouches for this machine alone and for a day; its key is in
/// memory only.
struct SandboxAuthority {
    /// In PEM, with its key.
    let pem: [UInt8]
    /// A file with its certificate.
    let certificatePath: String
    /// A file with its certificate and the system's.
    let bundlePath: String

    /// By which clients reach a trial's proxy.
    static let hosts = ["localhost", "127.0.0.1", "::1"]
    private static let lifetime = Duration.seconds(86_400)

    /// Makes it, and the files that clients are told of, in `folder`.
    init(in folder: String) throws(SandboxError) {
        certificatePath = "\(folder)/authority.crt"
        bundlePath = "\(folder)/authorities.pem"
        let certificate: String
        do throws(TLSError) {
            let authority = try CertificateAuthority.make(
                name: "linkcond run",
                constrainedTo: Self.hosts,
                lifetime: Self.lifetime
            )
            certificate = authority.certificatePEM
            pem = Array((authority.keyPEM + certificate).utf8)
        } catch {
            throw SandboxError(.internal, "cannot make an authority: \(error)")
        }
        do throws(SystemError) {
            let bytes = Array(certificate.utf8)
            try FileSystem.replace(certificatePath, with: bytes)
            try FileSystem.replace(bundlePath, with: bytes + SystemAuthorities.pem)
        } catch {
            throw SandboxError(.folder, "cannot write an authority to '\(folder)': \(error)")
        }
    }
}
