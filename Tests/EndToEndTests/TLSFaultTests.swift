import Foundation
import Testing

/// Faults at places in TLS, as curl meets them.
@Suite struct TLSFaultTests {
    private func run(_ arguments: [String], in workspace: Workspace = Workspace()) throws -> Outcome
    {
        try Program.run(
            arguments,
            environment: ["XDG_STATE_HOME": "\(workspace.path)/state"],
            in: workspace
        )
    }

    private func curl(
        _ fault: String,
        _ options: [String] = [],
        curl words: [String] = [],
        size: Int = 100_000
    ) throws -> Outcome {
        try run(
            ["run", "--https", "--seed", "5", "--fault", fault] + options + [
                "--", "curl", "-sS", "-m", "20", "-w", "%{size_download} bytes", "-o", "{out}",
                "{url}/bytes/\(size)",
            ] + words
        )
    }

    @Test(arguments: [
        ("certificate(expired)", 60, "certificate has expired"),
        ("certificate(not-yet-valid)", 60, "certificate is not yet valid"),
        ("certificate(wrong-name)", 60, "no alternative certificate subject name matches"),
        ("certificate(self-signed)", 60, "self-signed certificate"),
        ("certificate(no-chain)", 60, "unable to get local issuer certificate"),
        ("certificate(wrong-usage)", 60, "unsuitable certificate purpose"),
        ("alert(handshake_failure)", 35, "alert handshake failure"),
        ("alert(112)", 35, "unrecognized name"),
        ("alpn(h2)", 35, "no application protocol"),
        ("rst", 35, "reset by peer"),
        ("fin", 35, "SSL_connect"),
    ])
    func `the first message is answered as a fault says`(
        effect: String,
        code: Int32,
        words: String
    ) throws {
        for profile in ["none", "wifi"] {
            // Where linkcond's own lines cannot come between its words.
            let outcome = try curl(
                "c1:tls.hello=\(effect)",
                ["--profile", profile],
                curl: ["--stderr", "-"]
            )
            #expect(outcome.code == code, "\(outcome.errors)")
            #expect(outcome.output.contains(words), "\(outcome.output)")
            #expect(outcome.errors.contains("fired once"), "\(outcome.errors)")
        }
    }

    @Test(arguments: ["rst", "fin"])
    func `a handshake is cut after the ServerHello`(effect: String) throws {
        for profile in ["none", "wifi"] {
            let outcome = try curl("c1:tls.handshake=\(effect)", ["--profile", profile])
            #expect(outcome.code == 35, "\(outcome.errors)")
            #expect(outcome.errors.contains("fired once"), "\(outcome.errors)")
        }
    }

    @Test(arguments: [
        "tls.hello=stall(200ms)", "tls.handshake=stall(200ms)", "tls.record[3]=stall(200ms)",
        "tls.hello=alpn(none)", "tls.hello=alpn(http/1.1)",
    ])
    func `what the connection survives loses nothing`(fault: String) throws {
        for profile in ["none", "wifi"] {
            let outcome = try curl(
                "c1:\(fault)",
                ["--profile", profile, "--fetch-check", "{out}=/bytes/100000", "--expect", "pass"]
            )
            #expect(outcome.code == 0, "\(outcome.errors)")
            #expect(outcome.errors.contains("fired once"), "\(outcome.errors)")
        }
    }

    /// A head of 271 bytes and 32,497 of content fill the first two records.
    @Test(arguments: [("rst", 56), ("fin", 18), ("corrupt", 56)])
    func `a record that is not whole gives its reader nothing`(effect: String, code: Int32) throws {
        for profile in ["none", "wifi"] {
            let outcome = try curl("c1:tls.record[3]=\(effect)", ["--profile", profile])
            #expect(outcome.code == code, "\(outcome.errors)")
            #expect(outcome.output == "32497 bytes")
            #expect(outcome.errors.contains("fired on c1 at byte 32,768"), "\(outcome.errors)")
        }
    }

    @Test(arguments: ["tls.hello=hole", "tls.handshake=hole", "tls.record[1]=hole(300ms)"])
    func `silence lasts until the client has enough of it`(fault: String) throws {
        let outcome = try run([
            "run", "--https", "--fault", "c1:\(fault)", "--", "curl", "-sS", "-m", "1", "-o",
            "{out}", "{url}/bytes/1000",
        ])
        let ended: Int32 = fault.contains("300ms") ? 56 : 28
        #expect(outcome.code == ended, "\(outcome.errors)")
        #expect(outcome.errors.contains("fired once"), "\(outcome.errors)")
    }

    @Test func `a ticket is refused where there is one`() throws {
        let session = """
            import socket, ssl, sys, urllib.parse
            place = urllib.parse.urlparse(sys.argv[1])
            trust = ssl.create_default_context()
            trust.maximum_version = ssl.TLSVersion.TLSv1_2
            session = None
            for _ in range(3):
                plain = socket.create_connection((place.hostname, place.port))
                sealed = trust.wrap_socket(plain, server_hostname=place.hostname, session=session)
                sealed.sendall(b"GET /bytes/9 HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n")
                while sealed.recv(4096): pass
                print(sealed.session_reused)
                session = sealed.session
                sealed.close()
            """
        let outcome = try run([
            "run", "--https", "--fault", "c2:tls.hello=no-ticket", "--", "python3", "-c", session,
            "{url}",
        ])
        #expect(outcome.output == "False\nFalse\nTrue\n", "\(outcome.errors)")
        #expect(outcome.errors.contains("fired once"), "\(outcome.errors)")
        let none = try curl("c1:tls.hello=no-ticket")
        #expect(none.errors.contains("never reached (no ticket shown)"), "\(none.errors)")
    }

    @Test func `a client that says anything to a wrong server fails T1`() throws {
        let trusting = try run([
            "run", "--https", "--fault", "c1:tls.hello=certificate(expired)", "--expect", "T1",
            "--",
            "curl", "-k", "-sS", "-o", "{out}", "{url}/bytes/1000",
        ])
        #expect(trusting.code == 1, "\(trusting.errors)")
        #expect(trusting.errors.contains("accepted certificate(expired) on c1"))
        let careful = try curl("c1:tls.hello=certificate(expired)", ["--expect", "T1"])
        #expect(careful.code == 0, "\(careful.errors)")
    }

    @Test func `an end without close_notify is no end where nothing else tells it`() throws {
        let trusting = """
            import socket, ssl, sys, urllib.parse
            place = urllib.parse.urlparse(sys.argv[1])
            plain = socket.create_connection((place.hostname, place.port))
            sealed = ssl.create_default_context().wrap_socket(
                plain, server_hostname=place.hostname, suppress_ragged_eofs=True)
            sealed.sendall(b"GET /bytes/900 HTTP/1.1\\r\\nHost: a\\r\\nConnection: close\\r\\n\\r\\n")
            while sealed.recv(4096): pass
            """
        func check(_ scheme: [String]) throws -> Outcome {
            try run(
                ["run"] + scheme + [
                    "--framing", "close", "--fault", "c1/r1:resp.body+9=truncate", "--expect",
                    "R10",
                    "--", "python3", "-c", trusting, "{url}",
                ]
            )
        }
        let outcome = try check(["--https"])
        #expect(outcome.code == 1, "\(outcome.errors)")
        #expect(outcome.errors.contains("R10"), "\(outcome.errors)")
    }

    @Test func `a fault in TLS that is not answered is refused`() throws {
        let outcome = try run(
            ["run", "--fault", "c1:tls.hello=certificate(expired)", "--", "true"]
        )
        #expect(outcome.code == 125)
        #expect(
            outcome.errors.contains(
                "is in TLS, which is passed through; let linkcond answer it, with --https"
            ),
            "\(outcome.errors)"
        )
    }

    @Test func `a search tries what TLS can do, and finds who accepts anyone`() throws {
        let outcome = try run([
            "explore", "-q", "--https", "--effects", "certificate,alert,alpn", "--", "curl", "-k",
            "-sS", "-o", "{out}", "{url}/bytes/300",
        ])
        #expect(outcome.code == 1, "\(outcome.errors)")
        #expect(outcome.output.contains("c1:tls.hello=certificate(expired)"), "\(outcome.output)")
        #expect(outcome.output.contains("11 points: 2 passed, 3 failed honestly, 6 failed"))
    }
}
