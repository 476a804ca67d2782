import Testing

/// Requests in TLS early data (0-RTT), as OpenSSL's client sends them.
@Suite struct EarlyDataTests {
    /// Two connections to a place: the second resumes the session of the first, and sends its request,
    /// with `method`, before the handshake is over, and after that what `words` write.
    private static func script(method: String, words: String) -> String {
        """
        request() { printf '%s /bytes/20000 HTTP/1.1\\r\\nHost: a\\r\\n%s\\r\\n\\r\\n' "$1" \
            'Connection: close'; }
        client() { openssl s_client -connect "$0" -servername localhost -CAfile "$1" -tls1_3 \
            -verify_return_error -ign_eof "${@:2}"; }
        request GET | client "$1" -sess_out session >full 2>full.log
        request \(method) >early
        \(words) | client "$1" -sess_in session -early_data early >resumed 2>resumed.log
        grep -ao 'Early data was [a-z ]*\\|HTTP/1.1 [0-9]*' full resumed
        """
    }

    private func run(
        _ options: [String] = [],
        method: String = "GET",
        then words: String = ":",
        in workspace: Workspace = Workspace()
    ) throws -> Outcome {
        try Program.run(
            ["run", "--https", "--seed", "5"] + options + [
                "--", "bash", "-c", Self.script(method: method, words: words),
                "{host}:{port}", "{ca}",
            ],
            in: workspace
        )
    }

    private static let taken = """
        full:Early data was not sent
        full:HTTP/1.1 200
        resumed:Early data was accepted
        resumed:HTTP/1.1 200

        """

    @Test(arguments: [[], ["--rtt", "20ms"], ["--set", "down.rate=2Mbit/s"]])
    func `early data is answered, and its end follows the handshake`(link: [String]) throws {
        let outcome = try run(link)
        #expect(outcome.output == Self.taken, "\(outcome.errors)")
        #expect(outcome.errors.contains("2: 2 closed normally"), "\(outcome.errors)")
    }

    @Test func `equal runs with early data have equal digests`() throws {
        let digests = try (0..<3).map { _ in
            let outcome = try run(["--rtt", "5ms", "--journal", "journal"])
            #expect(outcome.output == Self.taken, "\(outcome.errors)")
            return outcome.errors.split(separator: "\n").first { $0.contains("digest") }
        }
        #expect(Set(digests).count == 1 && digests[0] != nil)
    }

    @Test(arguments: [("GET", 0), ("POST", 1)])
    func `a request that may change something in early data fails T2`(
        method: String,
        code: Int32
    ) throws {
        let outcome = try run(["--expect", "T2"], method: method)
        #expect(outcome.code == code, "\(outcome.errors)")
        #expect(outcome.errors.contains("POST in early data on c2") == (code == 1))
    }

    @Test(arguments: [[], ["--rtt", "20ms"]])
    func `a client whose early data is rejected sends it again`(link: [String]) throws {
        let fault = ["--fault", "c2:tls.hello=no-early-data"]
        let outcome = try run(link + fault, then: "request GET")
        let rejected = Self.taken.replacing("accepted", with: "rejected")
        #expect(outcome.output == rejected, "\(outcome.errors)")
        #expect(outcome.errors.contains("fired once"), "\(outcome.errors)")
    }

    @Test(arguments: [[], ["--rtt", "20ms"]])
    func `words of the handshake come after a record that is held`(link: [String]) throws {
        let outcome = try run(link + ["--fault", "c2:tls.record[1]=stall(200ms)"])
        #expect(outcome.output == Self.taken, "\(outcome.errors)")
        #expect(outcome.errors.contains("fired once"), "\(outcome.errors)")
    }

    @Test func `a handshake that breaks tells what became of its early data`() throws {
        let faults = ["--fault", "c2:tls.hello=no-early-data", "--fault", "c2:tls.handshake=rst"]
        let outcome = try run(faults)
        #expect(outcome.errors.contains("no-early-data: fired once"), "\(outcome.errors)")
    }

    @Test func `where there is no early data, none is rejected`() throws {
        let outcome = try run(["--fault", "c1:tls.hello=no-early-data"])
        #expect(outcome.output == Self.taken, "\(outcome.errors)")
        #expect(outcome.errors.contains("never reached (no early data)"), "\(outcome.errors)")
    }

    @Test func `a request in early data can be answered by 425`() throws {
        let outcome = try run(["--fault", "c2/r1:req.head=status(425)"])
        #expect(outcome.output.hasSuffix("accepted\nresumed:HTTP/1.1 425\n"), "\(outcome.errors)")
    }
}
