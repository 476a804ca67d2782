internal import Arguments
internal import SystemIO

/// The authority by which connections are answered that are opened by hand; made only when asked for.
struct AuthorityStore {
    /// The certificate, which clients are told to trust.
    let certificatePath: String
    /// The certificate and its key, which nobody else may read.
    let authorityPath: String
    private let folder: String

    /// Long enough to be set up once, short enough to be forgotten in time.
    private static let lifetime = Duration.seconds(397 * 86_400)

    init() throws(Failure) {
        folder = "\(try StatePlace.folder(for: "an authority"))/tls"
        certificatePath = "\(folder)/authority.crt"
        authorityPath = "\(folder)/authority.pem"
    }

    /// The authority that is there, in PEM with its key; nil if there is none.
    ///
    /// - Throws: if it cannot be read, or has expired.
    func existing() throws(Failure) -> [UInt8]? {
        let pem: [UInt8]
        do throws(SystemError) {
            pem = try FileSystem.read(authorityPath, limit: 65_536)
        } catch .noSuchFile {
            return nil
        } catch {
            throw Failure(.configuration, "cannot read the authority '\(authorityPath)': \(error)")
        }
        guard try isCurrent(pem) else {
            throw Failure(
                .configuration,
                "the authority '\(authorityPath)' has expired; make another one with"
                    + " 'linkcond ca create --force', and let clients trust that"
            )
        }
        return pem
    }

    private func isCurrent(_ pem: [UInt8]) throws(Failure) -> Bool {
        do throws(TLSError) {
            return try CertificateAuthority.reading(pem: pem).isCurrent
        } catch {
            throw Failure(.configuration, "'\(authorityPath)': \(error)")
        }
    }

    /// Makes an authority in place of any that is there; its PEM with the key.
    func create() throws(Failure) -> [UInt8] {
        let made: CertificateAuthority
        do throws(TLSError) {
            made = try CertificateAuthority.make(name: name, lifetime: Self.lifetime)
        } catch {
            throw Failure(.internalError, "cannot make an authority: \(error)")
        }
        let pem = Array((made.keyPEM + made.certificatePEM).utf8)
        try write(pem, Array(made.certificatePEM.utf8))
        return pem
    }

    /// Writes the certificate and the system's to one file, for programs that trust nobody else than
    /// such a file says; its path.
    func writeBundle() throws(Failure) -> String {
        let path = "\(folder)/authorities.pem"
        do throws(SystemError) {
            let own = try FileSystem.read(certificatePath, limit: 65_536)
            try FileSystem.replace(path, with: own + SystemAuthorities.pem)
        } catch {
            throw Failure(.cannotCreate, "cannot write '\(path)': \(error)")
        }
        return path
    }

    /// What a person sees in a list of authorities.
    private var name: String {
        let host = CurrentProcess.environment("HOSTNAME").map { " on \($0.prefix(32))" } ?? ""
        return "linkcond test authority\(host)"
    }

    private func write(_ authority: [UInt8], _ certificate: [UInt8]) throws(Failure) {
        do throws(SystemError) {
            _ = try Folder.make(folder, permissions: 0o700)
            try FileSystem.replace(authorityPath, with: authority, isPrivate: true)
            try FileSystem.replace(certificatePath, with: certificate)
        } catch {
            throw Failure(.cannotCreate, "cannot write the authority to '\(folder)': \(error)")
        }
    }
}
