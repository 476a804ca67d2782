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

    private static let certificateName = "authority.crt"
    private static let bundleName = "authorities.pem"
    private static let wgetName = "wgetrc"
    private static let javaName = "authorities.jks"

    /// Makes it, and the files that clients are told of, in `folder`, which is at `path`.
    init(in folder: Folder, at path: String) throws(SandboxError) {
        trust = TrialPlace.Trust(
            certificate: "\(path)/\(Self.certificateName)",
            bundle: "\(path)/\(Self.bundleName)",
            wgetSettings: "\(path)/\(Self.wgetName)",
            javaStore: "\(path)/\(Self.javaName)"
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
            let own = Array(certificate.utf8)
            let wget = Array("ca_certificate = \(trust.bundle)\n".utf8)
            try folder.replace(Self.certificateName, with: own, durably: false)
            let all = own + SystemAuthorities.pem
            try folder.replace(Self.bundleName, with: all, durably: false)
            try folder.replace(
                Self.javaName,
                with: JavaTrustStore.bytes(pem: all),
                durably: false
            )
            try folder.replace(Self.wgetName, with: wget, durably: false)
        } catch {
            throw SandboxError(.folder, "cannot write an authority to '\(path)': \(error)")
        }
    }
}
