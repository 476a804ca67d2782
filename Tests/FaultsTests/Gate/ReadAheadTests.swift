import Basics
import Faults
import HTTPWire
import Testing

/// What was read, and not passed, when a fault cuts a connection: it may as well not have come.
@Suite struct ReadAheadTests {
    private static let slices = [1, 7, .max]
    private static let expecting = Message.putHead.dropLast() + "Expect: 100-continue\r\n\r\n"

    @Test(arguments: [("", "+7", 0), ("", "+60", 1), (Message.put, "+70", 1)], slices)
    func `a request that a byte of the connection keeps back is not noted`(
        place: (before: String, offset: String, count: Int),
        slice: Int
    ) throws {
        let wire = try Wire(["c1:up\(place.offset)=rst"], slice: slice)
        wire.client(place.before + Message.put + Message.get)
        wire.close()
        #expect(wire.acted.count == 1)
        #expect(wire.requests == (0..<place.count).map { UInt32($0 + 1) })
    }

    @Test(arguments: ["rst", "fin", "hole(both)", "hole(5s)"], slices)
    func `requests go one after another where a byte of the answers ends the connection`(
        effect: String,
        slice: Int
    ) throws {
        let wire = try Wire(["c1:down+100=\(effect)"], slice: slice)
        wire.client(Message.get + Message.get)
        #expect(wire.toServer == Message.get)
        wire.server(String(Message.answer.dropLast()))
        #expect(wire.toServer == Message.get)
        wire.server("9")
        #expect(wire.toServer == Message.get + Message.get)
        wire.server(Message.answer + Message.answer)
        #expect(wire.toClient.utf8.count == 100)
        #expect(!wire.acted[0].isRacy)
    }

    @Test(arguments: ["slow(1kbit/s)", "stall(5s)", "hole", "corrupt"])
    func `requests pass as they come where a byte of the answers ends nothing`(
        effect: String
    ) throws {
        let wire = try Wire(["c1:down+100=\(effect)"])
        wire.client(Message.get + Message.get)
        #expect(wire.toServer == Message.get + Message.get)
    }

    @Test(arguments: [
        "WHAT?\r\n\r\n", "HTTP/1.1 101 x\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
    ])
    func `they pass as they come, too, once the answers are not understood`(words: String) throws {
        let wire = try Wire(["c1:down+900=rst"])
        wire.client(Message.get + Message.get)
        wire.server(words)
        #expect(wire.toServer == Message.get + Message.get)
    }

    @Test func `a byte of an answer that came before the whole request is marked`() throws {
        for (request, isRacy) in [(Message.put, false), (String(Message.put.dropLast()), true)] {
            let wire = try Wire(["c1:down+9=rst"])
            wire.client(request)
            wire.server(Message.progress)
            #expect(wire.acted.map(\.isRacy) == [isRacy])
        }
    }

    @Test(arguments: slices)
    func `what a fault has cut off is no reason why another one has not acted`(
        slice: Int
    ) throws {
        let faults = ["c1:down+60=rst", "c1/r1:resp.chunk[9]=stall(1s)"]
        let wire = try Wire(faults, slice: slice)
        wire.client(Message.get)
        wire.server(Message.chunked)
        wire.close()
        #expect(wire.unreached == ["\(faults[1]): after c1:down+60=rst"])
    }

    @Test(arguments: slices)
    func `what has passed before is`(slice: Int) throws {
        let faults = ["c1:down+45=rst", "c1/r1:resp.chunk[9]=stall(1s)"]
        let wire = try Wire(faults, slice: slice)
        wire.client(Message.get)
        wire.server(Message.answer)
        wire.close()
        #expect(wire.unreached == ["\(faults[1]): message ended at 0"])
    }

    @Test func `an interim response that is waited for in vain is marked`() throws {
        let wire = try Wire(["c1/r1:req.body+5=rst,see=104"])
        wire.client(Message.put)
        wire.openGates()
        wire.close()
        #expect(wire.unreached == ["c1/r1:req.body+5=rst,see=104: answer not seen"])
        #expect(
            wire.history.contains {
                if case .unreached(let fault, _) = $0 { fault.isRacy } else { false }
            }
        )
    }

    @Test func `a cut in content that did not wait for its 100 is marked`() throws {
        for waits in [true, false] {
            let wire = try Wire(["c1/r1:req.body+5=rst"])
            wire.client(String(Self.expecting) + (waits ? "" : "abcdefghij"))
            wire.server(Message.go)
            if waits { wire.client("abcdefghij") }
            #expect(wire.acted.map(\.isRacy) == [!waits])
        }
    }
}

extension Wire {
    /// The ordinals of the requests that were noted.
    fileprivate var requests: [UInt32] {
        notes.compactMap { if case .request(let r, _, _, _, _) = $0 { r } else { nil } }
    }
}
