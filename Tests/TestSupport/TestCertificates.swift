package import SystemIO

/// An authority, and a certificate from it for `localhost` and 127.0.0.1, made by `openssl`.
package struct TestCertificates {
    package let folder: TemporaryFolder
    package var authority: String { "\(folder.path)/authority.pem" }
    package var certificate: String { "\(folder.path)/server.pem" }
    package var key: String { "\(folder.path)/server.key" }

    /// What a server shows.
    package var serverSettings: TLSServerSettings {
        TLSServerSettings(identity: .files(certificates: certificate, key: key))
    }

    package init() throws {
        folder = try TemporaryFolder()
        let path = folder.path
        let loop = try EventLoop()
        let make = """
            set -e; cd \(path)
            new="openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 9"
            $new -subj /CN=Test -keyout authority.key -out authority.pem
            $new -subj /CN=server -CA authority.pem -CAkey authority.key \
                -addext subjectAltName=DNS:localhost,IP:127.0.0.1 \
                -addext basicConstraints=critical,CA:FALSE -keyout server.key -out server.pem
            """
        var settings = ChildProcess.Settings("/bin/sh", ["-c", make])
        settings.error = .file("\(path)/log")
        let child = try ChildProcess(settings, on: loop) { _ in loop.stop() }
        loop.run()
        child.close()
        let log = try String(decoding: FileSystem.read("\(path)/log", limit: 65_536), as: UTF8.self)
        guard child.ending == .exited(0) else { throw Failure(log: log) }
    }

    /// What `openssl` said.
    private struct Failure: Error { var log: String }
}
