import Basics
import Journal
import Testing

@Suite struct JournalDecodingTests {
    private static func entries(_ bytes: [UInt8]) throws -> [JournalEntry] {
        var reader = JournalReader()
        reader.append(bytes)
        var entries: [JournalEntry] = []
        while let entry = try reader.next() { entries.append(entry) }
        return entries
    }

    private static func record(_ line: String) throws -> JournalRecord? {
        let text = #"{"v":1,"t":"start","tool":"x","command":"y"}"# + "\n\(line)\n"
        return try entries(Array(text.utf8)).last.flatMap(JournalRecord.init)
    }

    /// Digests of counts that are not exact are not written, so they do not come back.
    @Test func `a record that was written is understood again`() throws {
        let read = try Self.entries(Samples.journal()).map(JournalRecord.init)
        #expect(read.count == Samples.records.count)
        for (written, read) in zip(Samples.records, read) {
            switch (written, read) {
            case (.connectionEnd(var end), _):
                if !end.down.isExact { end.down.digest = nil }
                if !end.up.isExact { end.up.digest = nil }
                #expect(read == .connectionEnd(end))
            default: #expect(read == written)
            }
        }
    }

    /// That a connection was under TLS changes no digest, what its client did does.
    @Test func `a path may be that of a connection`() throws {
        let record = JournalRecord.path(
            ConnectionID(listener: 2, ordinal: 3),
            PathReport(interface: "wifi", isConstrained: true, isSatisfied: false)
        )
        let line = String(
            decoding: record.line(sequence: 0, at: .start).dropLast(),
            as: UTF8.self
        )
        #expect(
            line.contains(
                #""t":"path","l":2,"c":3,"interface":"wifi","expensive":false,"constrained":true,"#
                    + #""unsatisfied":true"#
            )
        )
        #expect(try Self.record(line) == record)
    }

    @Test func `no datagram is longer than its length field can say`() throws {
        let members = #""u":1,"dir":"up","k":1,"bytes":9223372036854775807"#
        let datagram = try Self.record(#"{"v":1,"t":"datagram",\#(members),"fate":"delivered"}"#)
        guard case .datagram(let report) = datagram else {
            Issue.record("\(String(describing: datagram))")
            return
        }
        #expect(report.bytes == 65_535)
        let packet = try Self.record(
            #"{"v":1,"t":"qpacket",\#(members),"packet":"1rtt","number":0,"frames":[]}"#
        )
        guard case .quicPacket(let report) = packet else {
            Issue.record("\(String(describing: packet))")
            return
        }
        #expect(report.bytes == 65_535)
    }

    @Test func `an end tells of its server, of TLS and of streams that came too late`() throws {
        let id = ConnectionID(ordinal: 1)
        let bytes = ConnectionEnd.Delivered(bytes: 5, isExact: true)
        var end = ConnectionEnd(connection: id, by: .client, how: .rst, down: bytes, up: bytes)
        end.server = "[::1]:8"
        end.isSealed = true
        end.earlyBytes = 70
        end.lateStreams = 3
        let line =
            #"{"v":1,"t":"connend","c":1,"by":"client","how":"rst","down_bytes":5,"up_bytes":5,"late_streams":3,"env":{"server":"[::1]:8","tls":true,"early_bytes":70}}"#
        let record = try Self.record(line)
        #expect(record == .connectionEnd(end))
        #expect(JSONValue.object(try #require(record).object).text == line)
    }

    @Test func `how an end is recorded shows that it was HTTP/2`() throws {
        let bytes = ConnectionEnd.Delivered(bytes: 5, isExact: false)
        let id = ConnectionID(ordinal: 1)
        var end = ConnectionEnd(connection: id, by: .client, how: .rst, down: bytes, up: bytes)
        end.hasStreams = true
        let line =
            #"{"v":1,"t":"connend","c":1,"by_approx":"client","how_approx":"rst","down_bytes_approx":5,"up_bytes_approx":5}"#
        #expect(try Self.record(line) == .connectionEnd(end))
    }

    @Test(arguments: [
        #"{"v":1,"t":"comet","c":1}"#,
        #"{"v":1,"t":"req","c":1,"method":"GET","target":"/"}"#,
        #"{"v":1,"t":"req","r":1,"method":"GET","target":"/"}"#,
        #"{"v":1,"t":"req","c":1,"r":1,"method":"GET"}"#,
        #"{"v":1,"t":"resp","c":1,"r":1,"status":"200"}"#,
        #"{"v":1,"t":"body","c":1,"r":1,"dir":"left","bytes":1}"#,
        #"{"v":1,"t":"body","c":1,"r":4294967296,"dir":"req","bytes":1}"#,
        #"{"v":1,"t":"connend","c":1,"how":"fin"}"#,
        #"{"v":1,"t":"fault","id":"x","state":"asleep"}"#,
        #"{"v":1,"t":"verdict","check":"R1","verdict":"maybe"}"#,
        #"{"v":1,"t":"end"}"#,
    ])
    func `what lacks its needs or is not known is nothing`(line: String) throws {
        #expect(try Self.record(line) == nil)
    }

    @Test func `what is not needed may be missing, and more may be there`() throws {
        let id = ExchangeID(ConnectionID(listener: 2, ordinal: 3), ordinal: 4)
        #expect(
            try Self.record(
                #"{"v":1,"t":"req","l":2,"c":3,"r":4,"method":"GET","target":"/x","later":{"a":1}}"#
            )
                == .request(
                    RequestReport(
                        id,
                        method: "GET",
                        target: "/x",
                        framing: .none,
                        headBytes: 0,
                        fields: .none
                    )
                )
        )
        #expect(
            try Self.record(#"{"v":1,"t":"internal","kind":"of later","text":"x"}"#)
                == .trouble(.other, words: "x")
        )
    }
}
