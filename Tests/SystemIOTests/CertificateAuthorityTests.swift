import SystemIO
import Testing
import TestSupport

@Suite struct CertificateAuthorityTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func authority(_ hosts: [String]? = nil) throws -> CertificateAuthority {
        try CertificateAuthority.make(
            name: "linkcond test",
            constrainedTo: hosts,
            lifetime: .seconds(3_600)
        )
    }

    /// What OpenSSL's client says of a certificate for `asked`, seen as a client of `host`.
    private func verdict(
        _ authority: CertificateAuthority,
        asked: String?,
        host: String,
        always: [String] = []
    ) throws -> String {
        let path = "\(folder.path)/ca.pem"
        try FileSystem.replace(path, with: Array(authority.certificatePEM.utf8))
        let client = try TLSSession(try TLSContext.client(authorities: path), host: host)
        let pem = Array((authority.keyPEM + authority.certificatePEM).utf8)
        var settings = TLSServerSettings(identity: .made(authority: pem, hosts: always))
        settings.waitsForAnswer = true
        let server = try TLSSession(TLSContext.server(settings))
        let certificates = ServerCertificates(authority, always: always)
        let buffer = TransferBuffer(capacity: 65_536)
        do throws(TLSError) {
            for _ in 0..<10 {
                let isDone = try client.handshake()
                server.feed(buffer, count: client.drain(into: buffer))
                if isDone, try server.handshake() { return "trusted" }
                _ = try server.handshake()
                if server.awaitsAnswer {
                    let host = server.requestedHost ?? asked
                    server.answer(as: try certificates.certificate(for: host))
                    _ = try server.handshake()
                }
                client.feed(buffer, count: server.drain(into: buffer))
            }
            return "no end"
        } catch {
            return error.description
        }
    }

    @Test(arguments: ["localhost", "api.example.com", "127.0.0.1", "::1"])
    func `a client trusts what the authority signs for the host it asks for`(host: String) throws {
        let verdict = try verdict(authority(), asked: host, host: host)
        #expect(verdict == "trusted")
    }

    @Test func `every certificate is also for the names that are always there`() throws {
        let verdict = try verdict(
            authority(),
            asked: nil,
            host: "127.0.0.1",
            always: ["localhost", "127.0.0.1"]
        )
        #expect(verdict == "trusted")
    }

    @Test func `a client that gives a name gets no address in its certificate`() throws {
        let always = ["localhost", "127.0.0.1"]
        let named = try verdict(authority(), asked: "a.test", host: "localhost", always: always)
        #expect(named == "trusted")
        let address = try verdict(authority(), asked: "a.test", host: "127.0.0.1", always: always)
        #expect(address == "the certificate of 127.0.0.1 was refused: IP address mismatch")
    }

    @Test func `a client refuses a certificate for another host`() throws {
        let verdict = try verdict(authority(), asked: "127.0.0.2", host: "127.0.0.1")
        #expect(verdict == "the certificate of 127.0.0.1 was refused: IP address mismatch")
    }

    @Test(arguments: ["example.com", "127.0.0.2", "::1"])
    func `an authority that is constrained can vouch for nobody else`(host: String) throws {
        let own = try authority(["localhost", "127.0.0.1"])
        #expect(try verdict(own, asked: "localhost", host: "localhost") == "trusted")
        #expect(try verdict(own, asked: "127.0.0.1", host: "127.0.0.1") == "trusted")
        let refused = try verdict(own, asked: host, host: host)
        #expect(refused == "the certificate of \(host) was refused: permitted subtree violation")
        let named = try authority(["localhost"])
        for address in ["127.0.0.2", "::1"] {
            #expect(
                try verdict(named, asked: address, host: address)
                    == "the certificate of \(address) was refused: excluded subtree violation"
            )
        }
    }

    @Test func `an authority is current until its end`() throws {
        func isCurrent(for seconds: Int64) throws -> Bool {
            try CertificateAuthority.make(name: "test", lifetime: .seconds(seconds)).isCurrent
        }
        #expect(try isCurrent(for: 60) && !isCurrent(for: -60))
    }

    @Test func `it is the same one when it is read again`() throws {
        let made = try authority()
        let text = made.keyPEM + made.certificatePEM
        let read = try CertificateAuthority.reading(pem: Array(text.utf8))
        #expect(read.certificatePEM == made.certificatePEM)
        #expect(read.isCurrent)
        #expect(try verdict(read, asked: "a.test", host: "a.test") == "trusted")
    }

    @Test func `another's key, or no key, is told`() throws {
        let (one, other) = (try authority(), try authority())
        let mixed = Array((one.certificatePEM + other.keyPEM).utf8)
        #expect(throws: TLSError.self) { try CertificateAuthority.reading(pem: mixed) }
        let bare = Array(one.certificatePEM.utf8)
        #expect(throws: TLSError.self) { try CertificateAuthority.reading(pem: bare) }
    }

    @Test(arguments: ["", "a b", "a,DNS:evil.test", "a\0b", "x..y", "-,", "é.test"])
    func `what cannot be a host gets no certificate`(host: String) throws {
        let authority = try authority()
        #expect(throws: TLSError.self) { try authority.leaf(for: [host]) }
    }
}
