import Basics
import Faults
import Testing

/// What the notes say of an answer's content, beside what its receiver got.
@Suite struct DeliveredContentTests {
    /// The content of the first final answer, read without any code of the gate.
    private struct Received {
        var count = 0
        var isComplete = false

        init(_ bytes: [UInt8]) {
            var rest = bytes[...]
            while let end = rest.firstRange(of: Array("\r\n\r\n".utf8)) {
                let head = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
                rest = rest[end.upperBound...]
                guard !head.hasPrefix("HTTP/1.1 1") else { continue }
                guard !head.contains("chunked") else {
                    readChunks(rest)
                    return
                }
                let isWhole = rest.count >= 10
                (count, isComplete) = (isWhole ? 10 : rest.count, isWhole)
                return
            }
        }

        private mutating func readChunks(_ bytes: ArraySlice<UInt8>) {
            var rest = bytes
            while let line = rest.firstRange(of: Array("\r\n".utf8)) {
                let text = String(decoding: rest[..<line.lowerBound], as: UTF8.self)
                let size = Int(text.prefix { $0.isHexDigit }, radix: 16) ?? 0
                rest = rest[line.upperBound...]
                guard size > 0 else {
                    isComplete = rest.firstRange(of: Array("\r\n\r\n".utf8)) != nil
                    return
                }
                count += rest.prefix(size).count
                rest = rest.dropFirst(size + 2)
            }
        }
    }

    private static let places = [
        "req.head+4", "req.head", "req.body+5", "req.end", "resp.head+0", "resp.head+9",
        "resp.head",
        "resp.body+0", "resp.body+1", "resp.body+9", "resp.body+10", "resp.body~500", "resp.end",
    ]
    private static let effects = [
        "fin", "rst", "hole", "stall(1s)", "slow(1Mbit/s)", "truncate", "swallow",
        "swallow(keep=interim)", "swallow(keep=head)", "swallow(keep=half)",
        "swallow(keep=half,end=fin)", "inject(103)", "edit(etag=x)", "rst-on-next",
    ]

    @Test(arguments: [1, 3, .max], [Message.answer, Message.chunked])
    func `bytes and end of an answer are told as its receiver has them`(
        slice: Int,
        answer: String
    ) throws {
        var tried = 0
        for place in Self.places {
            for effect in Self.effects {
                guard let wire = try? Wire(["c1/r1:\(place)=\(effect)"], slice: slice) else {
                    continue
                }
                wire.client(Message.put)
                wire.server(Message.progress + answer)
                while wire.resumeStalls() {}
                wire.end(.down)
                wire.end(.up)
                wire.close()
                let received = Received(wire.got[.down] ?? [])
                let told = wire.bodies.filter { $0.direction == .down }
                let words = "\(place)=\(effect): \(wire.toClient.debugDescription)"
                #expect(told.count <= 1, "\(words)")
                #expect(told.first?.bytes ?? 0 == UInt64(received.count), "\(words)")
                if let told = told.first {
                    #expect(told.isComplete == received.isComplete, "\(words)")
                }
                tried += 1
            }
        }
        #expect(tried > 60)
    }
}
