import Basics
import Faults
import HTTPWire
import Testing

@Suite struct RequestHintsTests {
    private func hints(
        _ milliseconds: Int64,
        _ bitsPerSecond: UInt64?,
        isConstrained: Bool = false
    ) -> RequestHints {
        RequestHints(
            roundTrip: .milliseconds(milliseconds),
            downlink: bitsPerSecond.flatMap { BitRate(bitsPerSecond: $0) },
            isConstrained: isConstrained
        )
    }

    private func text(_ hints: RequestHints) -> String {
        hints.fields.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
    }

    @Test func `a path is told in steps, and within bounds`() {
        #expect(text(hints(270, 700_000)) == "ECT: 3g, RTT: 275, Downlink: 0.7")
        #expect(text(hints(0, nil)) == "ECT: 4g, RTT: 0, Downlink: 10")
        #expect(text(hints(9_000, 1_013_000)) == "ECT: slow-2g, RTT: 3000, Downlink: 1.025")
        #expect(text(hints(12, 50_000_000)) == "ECT: 4g, RTT: 0, Downlink: 10")
        #expect(text(hints(13, 2_000_000)) == "ECT: 4g, RTT: 25, Downlink: 2")
        let constrained = text(hints(1_400, 60_000, isConstrained: true))
        #expect(constrained == "Save-Data: on, ECT: 2g, RTT: 1400, Downlink: 0.05")
    }

    @Test func `what a client says itself stays`() {
        let head = RequestHead("GET", "/", fields: ["save-data": "off", "Rtt": "7"])
        let missing = hints(100, nil, isConstrained: true).missing(in: head)
        #expect(missing.map(\.name) == ["ECT", "Downlink"])
    }

    // MARK: In the gate

    /// What the server gets of what a client sends, in pieces, and what is told.
    private func forward(
        _ text: String,
        pieces size: Int,
        _ hints: RequestHints?,
        host: String? = nil,
        faults: [String] = []
    ) throws -> (bytes: String, notes: [GateNote]) {
        let plan = FaultPlan(faults: try faults.map { try Fault(parsing: $0) }, seed: 7)
        var gate = FaultGate(
            faults: plan.faults(onConnection: 1),
            plan: plan.requests,
            connection: 1,
            rewrites: RequestRewrites(host: host, addsHints: hints != nil)
        )
        gate.hints = hints
        var run = RequestRun()
        var waiting: [UInt8] = []
        var result: [UInt8] = []
        var notes: [GateNote] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            let piece = Array(bytes[start..<min(bytes.count, start + size)])
            gate.read(piece.span, .up)
            waiting += piece
            asking: while true {
                switch gate.next(.up, available: waiting.count, ended: false, run: &run) {
                case .pass(let count, _):
                    result += waiting.prefix(count)
                    waiting.removeFirst(count)
                case .insert(let inserted, _): result += inserted
                case .drop(let count, _): waiting.removeFirst(count)
                default: break asking
                }
            }
            notes += gate.takeNotes()
        }
        return (String(decoding: result, as: UTF8.self), notes)
    }

    @Test(arguments: [1, 2, 3, 40, 57, 1_000])
    func `the server is named another host, however the head was cut`(size: Int) throws {
        for pathHints in [nil, hints(270, nil)] {
            let added = pathHints == nil ? "" : "RTT: 275\r\nDownlink: 10\r\n"
            let (bytes, _) = try forward(request, pieces: size, pathHints, host: "api.example:80")
            #expect(
                bytes
                    == request.replacing("Host: x", with: "Host: api.example:80")
                    .replacing("5\r\n\r\n", with: "5\r\n\(added)\r\n")
            )
        }
        let absolute = "GET http://other.example/b?c HTTP/1.1\r\nhost: x\r\n\r\n"
        let (bytes, _) = try forward(absolute, pieces: size, nil, host: "api.example")
        #expect(bytes == "GET /b?c HTTP/1.1\r\nhost: api.example\r\n\r\n")
        let (old, _) = try forward("GET / HTTP/1.0\r\n\r\n", pieces: size, nil, host: "api.example")
        #expect(old == "GET / HTTP/1.0\r\nHost: api.example\r\n\r\n")
    }

    /// What the server gets is cut after as many bytes as the client's form, or the connection, has to the
    /// fault; the last byte of a head comes with the client's last.
    @Test(arguments: [1, 7, 1_000], ["a.very.long.name.example:8080", "y"])
    func `a head that is given another form is cut where a fault says`(
        size: Int,
        host: String
    ) throws {
        let head = "POST /a HTTP/1.1\r\nHost: host.example\r\nContent-Length: 5\r\n\r\n"
        let named = head.replacing("Host: host.example", with: "Host: \(host)")
        for place in 0...head.utf8.count {
            let fault = ["c1/r1:req.head+\(place)=fin"]
            let (bytes, _) = try forward(
                head + "hello",
                pieces: size,
                nil,
                host: host,
                faults: fault
            )
            let count =
                place == head.utf8.count ? named.utf8.count : min(place, named.utf8.count - 1)
            #expect(Array(bytes.utf8) == Array(named.utf8.prefix(count)), "\(place)")
        }
        let whole = named + "hello"
        for place in 0...whole.utf8.count {
            let (bytes, _) = try forward(
                head + "hello",
                pieces: size,
                nil,
                host: host,
                faults: ["c1:up+\(place)=fin"]
            )
            #expect(Array(bytes.utf8) == Array(whole.utf8.prefix(place)), "up+\(place)")
        }
    }

    private let request = "POST /a HTTP/1.1\r\nHost: x\r\nECT: 4g\r\nContent-Length: 5\r\n\r\nhello"

    @Test(arguments: [1, 2, 3, 40, 57, 1_000])
    func `fields go behind those of the client, however the head was cut`(size: Int) throws {
        let (bytes, notes) = try forward(request, pieces: size, hints(270, nil))
        #expect(
            bytes == """
                POST /a HTTP/1.1\r
                Host: x\r
                ECT: 4g\r
                Content-Length: 5\r
                RTT: 275\r
                Downlink: 10\r
                \r
                hello
                """
        )
        let hinted = notes.compactMap { note -> Int? in
            guard case .hinted(1, _, let count) = note else { return nil }
            return count
        }
        #expect(hinted == [24])
        // The journal knows the request as its client sent it.
        let heads = notes.compactMap { note -> UInt64? in
            guard case .request(_, let head, _, let count, _) = note else { return nil }
            #expect(head.fields["RTT"] == nil)
            return count
        }
        #expect(heads == [UInt64(request.utf8.count) - 5])
    }

    @Test func `without hints for the path of now nothing changes`() throws {
        let (bytes, notes) = try forward(request, pieces: 7, nil)
        #expect(bytes == request)
        #expect(!notes.contains { if case .hinted = $0 { true } else { false } })
    }

    @Test func `a request that never reaches the server gets none`() throws {
        let (bytes, notes) = try forward(
            request,
            pieces: 9,
            hints(270, nil),
            faults: ["POST(/a)#1:req.head=status(503)"]
        )
        #expect(bytes.isEmpty)
        #expect(!notes.contains { if case .hinted = $0 { true } else { false } })
    }
}
