import Basics
import Faults
import Testing

@Suite struct FaultParserTests {
    @Test(
        arguments: [
            ("c1:down+1048576=rst", "c1:down+1048576=rst"),
            ("c1:down+1MiB=rst", "c1:down+1048576=rst"),
            ("c*:up+1.5KiB..2KiB=fin", "c*:up+1536..2048=fin"),
            ("c*/1:up+0=fin", "c*:up+0=fin"),
            ("c1/1:up+7..7=fin", "c*:up+7=fin"),
            ("c*/3:connect=refuse", "c*/3:connect=refuse"),
            ("c3/3:connect=refuse(1)", "c*/3:connect=refuse"),
            ("c2/5:connect=refuse(12)", "c2/5:connect=refuse(12)"),
            ("c*?5.0%:down+10=corrupt", "c*?5%:down+10=corrupt"),
            ("c1:down+0=hole", "c1:down+0=hole"),
            ("c1:down+0=hole(both)", "c1:down+0=hole(both)"),
            ("c1:down+0=hole(2000ms)", "c1:down+0=hole(2s)"),
            ("c1:down+0=hole(both,1.5s),far=rst", "c1:down+0=hole(both,1500ms),far=rst"),
            ("c1:down+0=hole,far=hole", "c1:down+0=hole"),
            ("c1:up+9=rst,far=rst", "c1:up+9=rst"),
            ("c1:up+9=rst,far=same", "c1:up+9=rst"),
            ("c1:up+9=fin,far=hole", "c1:up+9=fin,far=hole"),
            ("c1:up+9=stall(2s)", "c1:up+9=stall(2s)"),
            ("c1:up+9=slow(64kbit/s)", "c1:up+9=slow(64kbit/s)"),
            ("c1:up+9=slow(8KiB/s)", "c1:up+9=slow(65536bit/s)"),
            ("c1:tls.hello=rst,far=rst", "c1:tls.hello=rst"),
            ("c*?5%:tls.handshake=stall(2s)", "c*?5%:tls.handshake=stall(2s)"),
            ("c1:tls.record[12]=corrupt", "c1:tls.record[12]=corrupt"),
            ("c1:tls.hello=certificate(wrong-name)", "c1:tls.hello=certificate(wrong-name)"),
            ("c1:tls.hello=alert(40)", "c1:tls.hello=alert(handshake_failure)"),
            ("c1:tls.hello=alert(handshake-failure)", "c1:tls.hello=alert(handshake_failure)"),
            ("c1:tls.hello=alert(255)", "c1:tls.hello=alert(255)"),
            ("c1:tls.hello=alpn(http/1.1)", "c1:tls.hello=alpn(http/1.1)"),
            ("c2:tls.hello=no-ticket", "c2:tls.hello=no-ticket"),
            ("c2:tls.hello=no-early-data", "c2:tls.hello=no-early-data"),
            ("c1/r1:req.head=settings(max-streams=0)", "c1/r1:req.head=settings(max-streams=0)"),
            ("c1/r1:req.head=window(0,connection)", "c1/r1:req.head=window(0,connection)"),
            ("c1/r1:resp.head=ping(hold)", "c1/r1:resp.head=ping(hold)"),
            ("c1/r1:resp.head=malformed(too-long)", "c1/r1:resp.head=malformed(too-long)"),
            ("c4294967295:up+9223372036854775807=rst", "c4294967295:up+9223372036854775807=rst"),
        ])
    func `a fault has one canonical form that reads as itself`(
        text: String,
        canonical: String
    ) throws {
        let fault = try Fault(parsing: text)
        #expect(fault.canonicalText == canonical)
        #expect(try Fault(parsing: canonical) == fault)
    }

    @Test func `a fault is read into its parts`() throws {
        let fault = try Fault(parsing: "c2/5?0.5%:up+1KiB..2KiB=hole(both,3s),far=fin")
        #expect(
            fault
                == Fault(
                    connections: OrdinalSelector(
                        .periodic(first: 2, period: 5),
                        chance: Probability(5, outOf: 1_000)
                    ),
                    anchor: .byte(.up, .drawn(1_024...2_048)),
                    effect: .hole(both: true, for: .seconds(3)),
                    far: .fin
                )
        )
    }

    @Test(
        arguments: [
            ("", 1, "expected a connection, 'c1' for the first or 'c*' for all, a request"),
            ("d1:up+1=rst", 1, "found 'd'"),
            (
                "timeout", 1,
                "an effect without a place; write a whole fault, such as 'c1:down+0=hole(30s)'"
            ),
            ("stall(5s)", 1, "'stall' is an effect without a place"),
            ("crash", 1, "'crash' is an effect without a place"),
            ("down(2s)", 1, "'down' is an effect without a place"),
            (
                "down+9=rst", 1,
                "'down' is a place of a connection; write which one before it, as in 'c1:down'"
            ),
            ("resp.body+9=rst", 1, "a request; write which one before it, as in 'c1/r1:resp'"),
            ("connect=refuse", 1, "as in 'c1:connect'"),
            (
                "latency", 1,
                "such as 'c1:down+0=stall(2s)'; for the whole link, write --set delay=100ms"
            ),
            ("nxdomain", 1, "such as 'A(api.example.com)#1=nxdomain'"),
            ("GET(/x)#1=rts", 11, "unknown effect 'rts'"),
            ("c1/r1:req.head=settings", 16, "like 'settings(max-streams=0)'"),
            ("c1/r1:req.head=settings(max=0)", 25, "unknown value 'max'; expected one of"),
            ("c1/r1:req.head=settings(frame-size=9)", 36, "'9' is no frame-size from 16384"),
            ("c1/r1:req.head=window(1)", 16, "'window' takes 0"),
            ("c1/r1:resp.head=window(0)", 17, "'window' does not act at a response"),
            ("c1/r1:resp.head=ping(drop)", 22, "unknown value 'drop'"),
            ("c1:tls=rst", 7, "expected a part like 'tls.hello'"),
            ("c1:tls.helo=rst", 8, "did you mean 'hello'?"),
            ("c1:tls.record=rst", 14, "expected a number like 'record[1]'"),
            ("c1:tls.record[0]=rst", 15, "records count from 1"),
            ("c1/r1:tls.hello=rst", 7, "write 'c1:tls.hello'"),
            ("c1:tls.handshake=alert(40)", 18, "'alert' acts at 'tls.hello' only"),
            ("c1:tls.hello=corrupt", 14, "write 'tls.record[1]'"),
            ("c1:tls.hello=slow(1kbit/s)", 14, "does not act at a place in TLS"),
            ("c1:tls.hello=certificate(old)", 26, "unknown value 'old'"),
            ("c1:tls.hello=certificate", 14, "like 'certificate(expired)'"),
            ("c1:tls.hello=alert(256)", 20, "unknown alert '256'"),
            ("c1:up+1=stall(until=c1:tls.hello)", 21, "a place in TLS is no event"),
            ("c:up+1=rst", 2, "expected a connection number or '*', found ':'"),
            ("c0:up+1=rst", 2, "connections count from 1"),
            ("c4294967296:up+1=rst", 2, "too large"),
            ("c7/5:up+1=rst", 2, "names nothing"),
            ("c*/0:up+1=rst", 4, "count from 1"),
            ("c1?5:up+1=rst", 4, "has no unit"),
            ("c1?101%:up+1=rst", 4, "the most is 100%"),
            ("c1", 3, "expected ':' and a place, found the end"),
            ("c1:dwon+1=rst", 4, "unknown place 'dwon'; did you mean 'down'?"),
            (
                "c1:=rst", 4,
                "expected a place, one of connect, up, down, req, resp, interim, idle, tls, ws, sse, grpc,"
                    + " found '='"
            ),
            ("c1:down=rst", 8, "expected an offset like 'down+1024', found '='"),
            ("c1:down+=rst", 9, "expected a number of bytes, found '='"),
            ("c1:down+9..3=rst", 9, "the range 9..3 is empty"),
            ("c1:down+9..=rst", 12, "expected a number of bytes"),
            ("c1:down+1XB=rst", 9, "unknown unit 'XB'"),
            ("c1:down+9223372036854775808=rst", 9, "beyond the largest offset"),
            ("c1:down+1", 10, "expected '=' and an effect, found the end"),
            ("c1:down+1=rts", 11, "unknown effect 'rts'; did you mean 'rst'?"),
            ("c1:down+1=latency", 11, "delay=100ms; to hold one stream write stall(2s)"),
            ("c1:down+1=bandwidth(9)", 11, "rate=1Mbit/s; for one stream write slow(64kbit/s)"),
            ("c1:down+1=reset_peer", 11, "unknown effect 'reset_peer'; write rst"),
            ("c1:down+1=limit_data", 11, "write fin at the byte, as in c1:down+5000=fin"),
            ("c1:down+1=timeout", 11, "write hole(30s)"),
            ("c1:down+1=slow_close", 11, "only linkcond toxiproxy has it; write stall(2s)"),
            ("c1:down+1=slicer", 11, "only linkcond toxiproxy has it; write slow"),
            ("c1:down+1=", 11, "expected an effect, one of rst, fin"),
            ("c1:down+1=rst(5)", 15, "'rst' takes no value, found '5'"),
            ("c1:down+1=rst()", 15, "expected a value, found ')'"),
            ("c1:down+1=stall", 11, "'stall' needs a value, like 'stall(2s)'"),
            ("c1:down+1=stall(5)", 17, "'5' has no unit"),
            ("c1:down+1=stall(0s)", 17, "no time at all"),
            ("c1:down+1=stall(1s,2s)", 20, "'stall' takes one value"),
            ("c1:down+1=stall(1s", 19, "expected ',' or ')', found the end"),
            ("c1:down+1=slow(0bit/s)", 16, "not a rate"),
            ("c1:down+1=hole(bth)", 16, "is not a duration; expected a number with a unit"),
            ("c1:down+1=hole(1s,both)", 19, "in this order"),
            ("c1:down+1=refuse", 11, "'refuse' acts at 'connect' only"),
            ("c1:connect=rst", 12, "'connect' takes 'refuse', 'silent' and 'down' only"),
            ("c1:connect=refuse(0)", 19, "from 1 to 10000"),
            ("c1:connect=refuse(+5)", 19, "'+5' is not a number of connections"),
            ("c1:down-1=rst", 8, "a connection has no length to count from"),
            ("c1:down+1=swallow", 11, "'swallow' does not act at a byte"),
            ("c1:down+1=rst,see=104", 15, "'see' goes with endings and stalls in a request"),
            ("c1:down+1=rst,fra=fin", 15, "unknown argument 'fra'; did you mean 'far'?"),
            ("c1:down+1=rst,far", 18, "expected '=' after 'far'"),
            ("c1:down+1=rst,far=fn", 19, "unknown far ending 'fn'; did you mean 'fin'?"),
            ("c1:down+1=rst,far=fin,far=fin", 23, "'far' is given twice"),
            ("c1:down+1=corrupt,far=fin", 19, "'far' goes with"),
            ("c1:down+1=rst ", 14, "expected the end of the text, found U+20"),
            ("c1:down+1=rst;", 14, "expected the end of the text, found ';'"),
            ("c1:\u{E9}\u{E9}", 4, "idle, tls, ws, sse, grpc, found '\u{E9}'"),
            ("c1:up+\u{E9}", 7, "not a number of bytes"),
        ])
    func `a mistake is named with its column`(text: String, column: Int, words: String) {
        #expect {
            try Fault(parsing: text)
        } throws: { error in
            guard let error = error as? ScheduleError else { return false }
            return error.column == column && error.description.contains(words)
        }
    }

    @Test func `what is to be written for an effect without a place is a fault`() throws {
        let foreign = [
            "latency", "delay", "bandwidth", "throttle", "reset_peer", "reset", "close",
            "limit_data",
            "timeout", "drop", "blackhole", "slow_close", "slicer",
        ]
        let kinds = Effect.Kind.allCases.filter { $0 != .query }.map(\.name)
        for name in foreign + kinds + QueryEffect.names {
            let error = try #require(throws: ScheduleError.self) { try Fault(parsing: name) }
            let example = error.description.split(separator: "such as '").last?
                .prefix { $0 != "'" }
            let fault = try Fault(parsing: String(try #require(example)))
            #expect(error.column == 1 && error.description.contains("'\(name)' is an effect"))
            #expect(foreign.contains(name) || fault.canonicalText.contains("=\(name)"), "\(error)")
        }
    }

    @Test func `a diagnostic leads with its label and column`() {
        let error = ScheduleError(column: 4, "unknown effect 'rts'; did you mean 'rst'?")
        #expect(
            error.diagnostic(label: "--fault")
                == "--fault:4: error: unknown effect 'rts'; did you mean 'rst'?"
        )
    }
}
