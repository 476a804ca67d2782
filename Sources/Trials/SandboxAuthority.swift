internal import Proxy
internal import SystemIO

/// The authority of a sandbox, which vouches for this machine alone and for a day; its key is in
/// memory only.
struct SandboxAuthority {
    /// In PEM, with its key.
    let pem: [UInt8]
    /// What clients are told.
    let trust: TrialPlace.Trust

    /// By which clients reach a trial's proxy.
    static let hosts = ["localhost", "127.0.0.1", "::1"]
    private static let lifetime = Duration.seconds(86_400)

    /// Makes it, and the files that clients are told of, in `folder`.
    init(in folder: String) throws(SandboxError) {
        trust = TrialPlace.Trust(
            certificate: "\(folder)/authority.crt",
            bundle: "\(folder)/authorities.pem",
            wgetSettings: "\(folder)/wgetrc"
        )
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
            try FileSystem.replace(trust.certificate, with: bytes)
            try FileSystem.replace(trust.bundle, with: bytes + SystemAuthorities.pem)
            try FileSystem.replace(
                trust.wgetSettings,
                with: Array("ca_certificate = \(trust.bundle)\n".utf8)
            )
        } catch {
            throw SandboxError(.folder, "cannot write an authority to '\(folder)': \(error)")
        }
    }
}
