import Basics
import Journal
import Testing

@testable import Arguments
@testable import Commands

@Suite struct EventTextTests {
    private func end(
        by party: ConnectionEnd.Party,
        _ how: ConnectionEnd.Manner,
        listener: UInt32 = 1
    ) -> JournalRecord {
        .connectionEnd(
            ConnectionEnd(
                connection: ConnectionID(listener: listener, ordinal: 3),
                by: party,
                how: how,
                down: .init(bytes: 1_500_000, isExact: true),
                up: .init(bytes: 92, isExact: true)
            )
        )
    }

    @Test func `what comes from elsewhere does nothing to the terminal`() {
        let mark = JournalRecord.change(
            ChangeReport("mark", by: .control, detail: ["text": "a\n\u{1B}[31mb\u{9B}c\u{2028}d"])
        )
        #expect(
            EventText.line(mark, isVerbose: false)
                == #"changed by hand: mark, text a\u000a\u001b[31mb\u009bc\u2028d"#
        )
        let failure = Failure(.usage, "no '\u{1B}]0;x\u{7}'\n")
        #expect(failure.lines == [#"linkcond: error: no '\u001b]0;x\u0007'\u000a"#])
    }

    @Test func `a proxy may come from a configuration file`() {
        let report = ChangeReport("create-proxy", by: .control, detail: ["name": "api"])
        #expect(EventText.line(.change(report), isVerbose: false) == "proxy added, name api")
    }

    @Test func `a connection that ends in order is told of only on request`() {
        let record = end(by: .client, .fin)
        #expect(EventText.line(record, isVerbose: false) == nil)
        #expect(
            EventText.line(record, isVerbose: true) == "c3 closed normally: 1.50 MB down, 92 B up"
        )
    }

    @Test func `other endings are told of with who and how`() {
        #expect(
            EventText.line(end(by: .upstream, .rst), isVerbose: false)
                == "c3 reset by the upstream: 1.50 MB down, 92 B up"
        )
        #expect(
            EventText.line(end(by: .limit, .refused, listener: 2), isVerbose: false)
                == "l2/c3 refused by a limit: 1.50 MB down, 92 B up"
        )
        // The fault itself has its own line.
        #expect(EventText.line(end(by: .fault, .rst), isVerbose: false) == nil)
    }

    @Test func `a fault says where it acted, and what is not proven`() {
        var report = FaultReport(
            connection: ConnectionID(ordinal: 1),
            id: "c1:down+1024=rst",
            address: "down+1024",
            effect: "rst",
            state: .fired,
            offset: 1_024
        )
        #expect(
            EventText.line(.fault(report), isVerbose: false)
                == "fault c1:down+1024=rst fired on c1 at byte 1,024 of all bytes down"
        )
        report.state = .undelivered
        #expect(EventText.line(.fault(report), isVerbose: false)?.contains("not all bytes") == true)
        report.state = .unreached(reason: "no connection")
        #expect(EventText.line(.fault(report), isVerbose: false) == nil)
    }

    @Test(arguments: [
        ("up+10", " of all bytes up"), ("r1:req.head+10", " of the request's head"),
        ("r2:req.body", " of the request's body"), ("r1:resp.head+10", " of the response's head"),
        ("r1:resp.body+10", " of the response's body"),
        ("r1:resp.chunk[2]+5", " of the response's body"),
        ("r1:interim(103)+10", " of the interim response"), ("tls.record[2]", ""),
    ])
    func `a fault says what its byte is counted in`(address: String, words: String) {
        let report = FaultReport(
            connection: ConnectionID(ordinal: 1),
            id: "f",
            address: address,
            effect: "rst",
            state: .fired,
            offset: 10
        )
        #expect(
            EventText.line(.fault(report), isVerbose: false)
                == "fault f fired on c1 at byte 10\(words)"
        )
    }

    @Test func `budgets, upstreams and troubles are said in words`() {
        #expect(
            EventText.line(
                .budget(.soft, bytes: 5_000_000, bitsPerSecond: 64_000),
                isVerbose: false
            )
                == "budget: soft limit reached at 5,000,000 bytes; now 64.0 kbit/s"
        )
        #expect(
            EventText.line(
                .upstream(ConnectionID(ordinal: 2), .refused, words: "no"),
                isVerbose: false
            )
                == "c2 upstream refused the connection: no"
        )
        #expect(
            EventText.line(.trouble(.other, words: "late"), isVerbose: false) == "trouble: late"
        )
    }

    @Test
    func `a server that answers a plain request by an alert is told without a remedy for clients`()
    {
        let report = OpaqueReport(ConnectionID(ordinal: 3), .response, reason: "TLS")
        #expect(EventText.opaque(report).hasSuffix("cannot act on it"))
    }

    @Test func `a TLS hello to a plain proxy is told with the remedy`() {
        let report = OpaqueReport(ConnectionID(ordinal: 3), .request, reason: "TLS")
        let words = EventText.opaque(report)
        #expect(words.hasPrefix("c3 is not HTTP/1.1 (TLS): its requests are not seen"))
        #expect(words.contains("linkcond run --https") && words.contains("--tls terminate"))
    }
}
