import Basics
import Journal
import Testing
import TestSupport

@Suite struct CanonicalJournalTests {
    @Test func `the canonical form of a run is pinned`() throws {
        let expected = [
            #"{"command":"proxy","profile":"lte","profile_sha256":"ab12","schedule":"lc1;seed=7;c1:down+5=rst;c1:down+5=rst;c8:down+1=rst","seed":7,"t":"start","tool":"linkcond 0.1.0","v":1}"#,
            #"{"name":"a.test","qtype":"A","source":"upstream","t":"dns","transport":"tcp","v":1}"#,
            #"{"answer":"NXDOMAIN","faults":["AAAA(api.test)#2=nxdomain"],"name":"api.test","number":2,"qtype":"AAAA","source":"fault","t":"dns","transport":"udp","v":1}"#,
            #"{"constrained":false,"expensive":true,"interface":"cellular","t":"path","v":1}"#,
            #"{"c":1,"t":"conn","v":1}"#,
            #"{"c":1,"index":1,"stream":"offset c*:down+1..9=rst","t":"draw","v":1,"value":5}"#,
            #"{"address":"down+5","c":1,"effect":"rst","id":"c1:down+5=rst","offset":5,"state":"fired","t":"fault","v":1}"#,
            #"{"by":"fault","c":1,"down_bytes":5,"down_sha256":"ff00","how":"rst","t":"connend","v":1}"#,
            #"{"c":2,"error":"refused","t":"upstream","v":1}"#,
            #"{"c":2,"t":"note","text":"half-closed","v":1}"#,
            #"{"c":3,"fields":{"authorization":"{s1}","host":"{authority}","idempotency-key":"{k1}","upload-complete":"?1"},"framing":"length","head_bytes":120,"http":"2","length":10,"method":"POST","r":1,"t":"req","target":"/files?{q1}","v":1}"#,
            #"{"bytes":6,"c":3,"chunks":[2,5],"complete":false,"dir":"req","first64k_sha256":"aa01","r":1,"sha256":"aa00","t":"body","v":1}"#,
            #"{"by":"fault","c":3,"fields":{"location":"{u1}"},"head_bytes":90,"k":1,"r":1,"status":104,"t":"interim","v":1}"#,
            #"{"address":"c3/r1:req.body+6","c":3,"effect":"rst","id":"c3/r1:req.body+6=rst","offset":6,"r":1,"state":"fired","t":"fault","v":1}"#,
            #"{"c":4,"fields":{"authorization":"{s1}","host":"{authority}"},"framing":"none","head_bytes":100,"method":"HEAD","r":1,"t":"req","target":"{u1}","v":1}"#,
            #"{"c":4,"fields":{"age":"{age}","content-location":"//{a1}/x","date":"{date}","etag":"W/{e1}","last-modified":"{t1}"},"framing":"close","head_bytes":150,"r":1,"status":200,"t":"resp","v":1}"#,
            #"{"c":4,"complete":false,"dir":"resp","r":1,"t":"body","v":1}"#,
            #"{"c":4,"dir":"req","kind":"sse","r":1,"t":"messages","v":1,"whole":false}"#,
            #"{"c":4,"close":1000,"count":5,"dir":"resp","kind":"ws","last_id":"e7","partial":3,"r":1,"retry":70,"t":"messages","v":1,"whole":true}"#,
            #"{"c":4,"count":3,"dir":"resp","kind":"grpc","pushback":250,"r":1,"status":14,"t":"messages","v":1,"whole":true}"#,
            #"{"c":4,"count":3,"dir":"resp","kind":"grpc","no_retry":true,"r":1,"status":14,"t":"messages","v":1,"whole":true}"#,
            #"{"by":"fault","c":4,"fields":{"retry-after":"{date}"},"framing":"length","head_bytes":60,"length":0,"r":2,"status":503,"t":"resp","v":1}"#,
            #"{"c":4,"dir":"resp","reason":"upgrade","t":"opaque","v":1}"#,
            #"{"t":"flow","u":1,"v":1}"#,
            #"{"address":"1rtt:down#2","effect":"drop","id":"u1/1rtt:down#2=drop","state":"fired","t":"fault","u":1,"v":1}"#,
            #"{"bytes":1200,"digested":true,"dir":"up","fate":"fault","fault":"u1:up#9=drop","k":9,"packets":["initial","0rtt"],"t":"datagram","u":1,"v":1}"#,
            #"{"address":"up#9","effect":"drop","id":"u1:up#9=drop","state":"fired","t":"fault","u":1,"v":1}"#,
            #"{"alpn":["h3"],"sni":"h","t":"quic","u":1,"v":1,"version":"1"}"#,
            #"{"by":"idle","t":"flowend","u":1,"v":1}"#,
            #"{"c":1,"l":2,"t":"conn","v":1}"#,
            #"{"c":1,"l":2,"late_streams":2,"t":"connend","up_bytes":80,"up_sha256":"ff01","v":1}"#,
            #"{"address":"connect","effect":"refuse","id":"c9:connect=refuse","reason":"no connection","state":"unreached","t":"fault","v":1}"#,
            #"{"bps":64000,"bytes":1000,"limit":"soft","t":"budget","v":1}"#,
            #"{"t":"note","text":"drained","v":1}"#,
            #"{"event":"complete","offset":10,"resource":"/u/78","sha256":"bb00","t":"origin","v":1}"#,
            #"{"event":"committed","offset":6,"resource":"{u1}","t":"origin","v":1}"#,
            #"{"exit":28,"t":"command","v":1}"#,
            #"{"signal":9,"t":"command","timed_out":true,"v":1}"#,
            #"{"check":"B1","limit":"growing gaps","reason":"hammer","t":"verdict","v":1,"verdict":"fail"}"#,
        ]
        let journal = try CanonicalJournal(reading: Samples.journal())
        let text = String(decoding: journal.text, as: UTF8.self)
        #expect(text.split(separator: "\n").map(String.init) == expected)
        #expect(text.hasSuffix("\n"))
        #expect(try CanonicalJournal(reading: journal.text).text == journal.text)
        #expect(journal.troubles == 1)
        #expect(journal.isComplete)
        #expect(journal.statedDigest == "cafe")
    }

    @Test func `how much was sent of a request that was refused is not told`() throws {
        func text(
            answer: String,
            body: String,
            end: String,
            framing: String = "chunked"
        ) throws -> String {
            let lines = [
                #"{"v":1,"t":"start"}"#,
                #"{"v":1,"t":"req","c":1,"r":1,"method":"PUT","target":"/a","framing":"\#(framing)"}"#,
                #"{"v":1,"t":"resp","c":1,"r":1,\#(answer)}"#,
                #"{"v":1,"t":"body","c":1,"r":1,"dir":"req",\#(body)}"#,
                #"{"v":1,"t":"body","c":1,"r":1,"dir":"resp","bytes":3,"complete":true}"#,
                #"{"v":1,"t":"connend","c":1,\#(end)}"#,
            ]
            let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
            return String(decoding: try CanonicalJournal(reading: bytes).text, as: UTF8.self)
        }
        func differs(_ answer: String) throws -> Bool {
            let whole = #""bytes":9,"complete":true,"sha256":"a","chunks":[9]"#
            let cut = #""bytes_approx":7,"complete":false"#
            return try text(
                answer: answer,
                body: whole,
                end: #""how":"fin","up_bytes":80,"up_sha256":"b""#
            )
                != text(
                    answer: answer,
                    body: cut,
                    end: #""how":"rst","by":"upstream","up_bytes_approx":60"#
                )
        }
        let closes = #""fields":{"connection":"Close"}"#
        #expect(try !differs(#""status":400,\#(closes)"#))
        #expect(try !differs(#""status":413,\#(closes)"#))
        #expect(try differs(#""status":201,\#(closes)"#))
        #expect(try differs(#""status":400,"fields":{}"#))
        func ends(_ end: String) throws -> String {
            let answer = #""status":404,\#(closes)"#
            return try text(answer: answer, body: #""bytes":0"#, end: end, framing: "none")
        }
        #expect(try ends(#""how":"fin""#) != ends(#""how":"rst""#))
        #expect(try differs(#""status":503,"by":"fault",\#(closes)"#))
        let kept = try text(
            answer: #""status":400,\#(closes)"#,
            body: #""bytes":9"#,
            end: #""by":"x""#
        )
        #expect(kept.contains(#"{"bytes":3,"c":1,"complete":true,"dir":"resp""#))
        #expect(kept.contains(#"{"c":1,"dir":"req","r":1,"t":"body","v":1}"#))
    }

    @Test func `records added as they are written give the form that is read`() throws {
        var written = CanonicalJournal()
        for record in Samples.records { written.add(record) }
        #expect(try written.text == CanonicalJournal(reading: Samples.journal()).text)
    }

    @Test func `the digest is the same before and after the end is written`() {
        var journal = CanonicalJournal()
        for record in Samples.records.dropLast() { journal.add(record) }
        let before = journal.text
        #expect(!journal.isComplete)
        journal.add(.end(RunEnd(exitCode: 3, digest: "cafe")))
        #expect(journal.text == before)
        #expect(journal.isComplete)
    }

    @Test func `the digest is the given function's, in lower-case hexadecimal`() {
        var journal = CanonicalJournal()
        journal.add(.note(nil, text: "x"))
        var seen: [UInt8] = []
        let digest = journal.digest { bytes in
            seen = bytes
            return [0x00, 0x0F, 0xA0, 0xFF]
        }
        #expect(digest == "000fa0ff")
        #expect(seen == Array("{\"t\":\"note\",\"text\":\"x\",\"v\":1}\n".utf8))
    }

    /// The same run told by other machines: other clocks, addresses, key orders and interleavings.
    @Test func `time, place, key order and interleaving do not change it`() throws {
        var numbers = SeededRandom(seed: 11)
        let expected = try CanonicalJournal(reading: Samples.journal()).text
        for _ in 0..<300 {
            let lines = interleaved(Samples.records, using: &numbers).map {
                retold($0, using: &numbers)
            }
            let journal = try CanonicalJournal(reading: lines.joined())
            #expect(journal.text == expected)
        }
    }

    @Test func `a changed value and a lost record change it`() throws {
        let expected = try CanonicalJournal(reading: Samples.journal()).text
        for index in Samples.records.indices.dropFirst() {
            switch Samples.records[index] {
            case .trouble, .quicPacket, .end: continue
            default: break
            }
            var records = Samples.records
            records.remove(at: index)
            #expect(try CanonicalJournal(reading: Samples.journal(records)).text != expected)
        }
        var records = Samples.records
        records[3] = .draw(ConnectionID(ordinal: 1), stream: "x", index: 1, value: 6)
        #expect(try CanonicalJournal(reading: Samples.journal(records)).text != expected)
    }

    @Test func `keys are left out at any depth and sorted by their bytes`() throws {
        let text =
            #"{"v":1,"t":"start","z":{"b_ms":1,"B":[{"a_ns":1,"env":{},"k":2}],"a":1},"x_approx":3,"#
            + "\"\u{E9}\":0,\"z1\":0}\n"
        let journal = try CanonicalJournal(reading: text.utf8)
        #expect(
            String(decoding: journal.text, as: UTF8.self)
                == #"{"t":"start","v":1,"z":{"B":[{"k":2}],"a":1},"z1":0,"# + "\"\u{E9}\":0}\n"
        )
    }

    @Test func `faults at bytes have the order of their places, whenever they acted`() throws {
        let id = ConnectionID(ordinal: 1)
        func fault(_ direction: String, _ offset: UInt64, _ length: String = "1s") -> JournalRecord
        {
            .fault(
                FaultReport(
                    connection: id,
                    id: "c1:\(direction)+\(offset)=stall(\(length))",
                    address: "\(direction)+\(offset)",
                    effect: "stall(\(length))",
                    state: .fired,
                    offset: offset
                )
            )
        }
        let conn = JournalRecord.connection(id, environment: [:])
        let orders: [[JournalRecord]] = [
            [fault("up", 9), fault("down", 19), fault("down", 5), fault("up", 9, "2s")],
            [fault("down", 19), fault("up", 9, "2s"), fault("up", 9), fault("down", 5)],
        ]
        let texts = try orders.map {
            try CanonicalJournal(reading: Samples.journal([Samples.start, conn] + $0)).text
        }
        #expect(texts[0] == texts[1])
        let other = [Samples.start, conn] + orders[0].dropLast()
        #expect(try CanonicalJournal(reading: Samples.journal(other)).text != texts[0])
    }

    @Test func `datagrams count only if they were meant to, packets never`() throws {
        let flow = ConnectionID(ordinal: 1, isFlow: true)
        func datagram(_ direction: Direction, _ number: UInt64, _ isDigested: Bool)
            -> JournalRecord
        {
            var report = DatagramReport(
                flow: flow,
                direction: direction,
                number: number,
                bytes: 9,
                fate: .link,
                cameAt: .start + .nanoseconds(Int64(number))
            )
            report.isDigested = isDigested
            return .datagram(report)
        }
        func text(_ records: [JournalRecord]) throws -> [UInt8] {
            let begin = [Samples.start, .flow(flow, environment: [:])]
            return try CanonicalJournal(reading: Samples.journal(begin + records)).text
        }
        let packet = Samples.records.first { $0.object["t"]?.text == "\"qpacket\"" }
        let bare = try text([])
        #expect(try text([try #require(packet)]) == bare)
        #expect(try text([datagram(.up, 1, false)]) == bare)
        let one = try text([datagram(.up, 2, true), datagram(.down, 12, true)])
        #expect(one != bare)
        // The directions are not in step, and a fate is known when it is known.
        #expect(try text([datagram(.down, 12, true), datagram(.up, 2, true)]) == one)
        #expect(try text([datagram(.up, 3, true), datagram(.down, 12, true)]) != one)
    }

    @Test func `types of later versions keep a place of their own`() throws {
        let text = """
            {"v":1,"t":"start"}
            {"v":1,"t":"zebra","x":1}
            {"v":1,"t":"note","text":"x"}
            {"v":1,"t":"end","exit":0}
            {"v":1,"t":"apple","x":2}

            """
        let journal = try CanonicalJournal(reading: text.utf8)
        #expect(
            journal.orderedSections.map { $0.records.map(\.type) }
                == [["start"], ["apple"], ["zebra"], ["note"]]
        )
    }

    /// Shuffles records so that each connection's, and each type's of the whole run, keep their
    /// order; `start` stays in front.
    private func interleaved(
        _ records: [JournalRecord],
        using numbers: inout SeededRandom
    ) -> [JournalRecord] {
        var queues: [String: [JournalRecord]] = [:]
        for record in records.dropFirst() {
            let key =
                record.connection.map { "\($0)" } ?? record.object["t"].map(\.text) ?? ""
            queues[key, default: []].append(record)
        }
        var result = [records[0]]
        while let key = queues.keys.sorted().randomElement(using: &numbers) {
            guard var queue = queues[key] else { continue }
            result.append(queue.removeFirst())
            queues[key] = queue.isEmpty ? nil : queue
        }
        return result
    }

    private func retold(_ record: JournalRecord, using numbers: inout SeededRandom) -> [UInt8] {
        var object = JSONObject()
        var members = record.object.members.filter {
            $0.key != "env" && !$0.key.hasSuffix("_approx")
        }
        members.shuffle(using: &numbers)
        for member in members { object.append(member.key, member.value) }
        if Bool.random(using: &numbers) {
            object.append("env", .object(["port": .number(numbers.next())]))
        }
        object.append("late_ms", .number(numbers.next()))
        object.append("n_approx", .number(numbers.next()))
        object.append("at_ns", .number(numbers.next()))
        return Array(JSONValue.object(object).text.utf8) + [UInt8(ascii: "\n")]
    }
}
