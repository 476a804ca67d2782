import HTTP2
import Testing

/// Frames from bytes, however these come (RFC 9113 §4, §6).
@Suite struct FrameReaderTests {
    /// What frames are read as, without what depends on the slices in which they come.
    private struct Reading: Hashable {
        var events: [FrameReader.Event] = []
        /// The content of DATA frames.
        var content = ""
    }

    private static func read(_ bytes: [UInt8], slice: Int = .max) -> Reading {
        var reader = FrameReader()
        var reading = Reading()
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(slice))
            rest = rest.dropFirst(piece.count)
            var events: [FrameReader.Event] = []
            reader.read(piece.span, into: &events)
            for event in events {
                guard case .content(let range) = event else {
                    reading.events.append(event)
                    continue
                }
                reading.content += String(decoding: piece[range], as: UTF8.self)
            }
        }
        return reading
    }

    private static func block(
        _ fragment: String,
        promised: UInt32? = nil,
        priority: [UInt8] = [],
        endsStream: Bool = false
    ) -> FrameReader.Block {
        var block = FrameReader.Block(
            stream: 3,
            endsStream: endsStream,
            fragment: Array(fragment.utf8)
        )
        block.promised = promised
        block.priority = priority
        return block
    }

    private static let blocks: [(flags: FrameFlags, payload: [UInt8], block: FrameReader.Block)] = [
        ([], Array("abc".utf8), block("abc")),
        (.endStream, Array("abc".utf8), block("abc", endsStream: true)),
        (.padded, [2] + Array("abc".utf8) + [0, 0], block("abc")),
        (.priority, [0, 0, 0, 1, 9] + Array("abc".utf8), block("abc", priority: [0, 0, 0, 1, 9])),
        (
            [.padded, .priority], [1, 0, 0, 0, 1, 9] + Array("abc".utf8) + [0],
            block("abc", priority: [0, 0, 0, 1, 9])
        ),
    ]

    @Test(arguments: blocks.indices)
    func `padding and priority are not part of a field block`(index: Int) {
        let (flags, payload, block) = Self.blocks[index]
        let bytes = FrameWriter.frame(.headers, flags.union(.endHeaders), stream: 3, payload)
        for slice in 1...bytes.count {
            let expected = Reading(events: [.block(block, size: bytes.count)])
            #expect(Self.read(bytes, slice: slice) == expected, "slices of \(slice)")
        }
    }

    @Test func `only CONTINUATION frames continue a field block`() {
        let head = FrameWriter.frame(.headers, .endStream, stream: 3, "ab".utf8)
        let middle = FrameWriter.frame(.continuation, [], stream: 3, "c".utf8)
        let last = FrameWriter.frame(.continuation, .endHeaders, stream: 3, "de".utf8)
        let whole = head + middle + last
        for slice in 1...whole.count {
            #expect(
                Self.read(whole, slice: slice).events
                    == [.block(Self.block("abcde", endsStream: true), size: whole.count)]
            )
        }
        let other = FrameWriter.frame(.continuation, .endHeaders, stream: 5, "de".utf8)
        let ping = FrameWriter.frame(.ping, [], stream: 0, [UInt8](repeating: 0, count: 8))
        let broken = "a field block is interrupted by another frame"
        #expect(Self.read(head + other).events == [.malformed(broken)])
        #expect(Self.read(head + ping).events == [.malformed(broken)])
        #expect(Self.read(last).events == [.malformed("CONTINUATION of nothing")])
    }

    @Test func `a promise names its stream before its fields`() {
        let promise = Self.block("abc", promised: 8)
        let bytes = FrameWriter.block(promise)
        #expect(Self.read(bytes).events == [.block(promise, size: bytes.count)])
        let reserved = FrameWriter.frame(
            .pushPromise,
            .endHeaders,
            stream: 3,
            [0x80, 0, 0, 8] + Array("abc".utf8)
        )
        #expect(Self.read(reserved) == Self.read(bytes))
    }

    @Test func `field blocks of several frames are read as they were written`() {
        for length in [0, 1, 16_384, 16_385, 40_000] {
            for priority in [[], [0, 0, 0, 1, 9]] as [[UInt8]] {
                let block = Self.block(String(repeating: "x", count: length), priority: priority)
                let bytes = FrameWriter.block(block)
                #expect(Self.read(bytes, slice: 1_000).events == [.block(block, size: bytes.count)])
            }
        }
    }

    @Test func `content comes without its padding`() {
        let padded = [3] + Array("content".utf8) + [0, 0, 0]
        let bytes =
            FrameWriter.frame(.data, [.padded, .endStream], stream: 1, padded)
            + FrameWriter.data("more".utf8, endsStream: false, stream: 3)
        for slice in 1...bytes.count {
            let reading = Self.read(bytes, slice: slice)
            #expect(reading.content == "contentmore")
            #expect(
                reading.events == [
                    .data(stream: 1, prefix: 10, content: 7, padding: 3, endsStream: true),
                    .data(stream: 3, prefix: 9, content: 4, padding: 0, endsStream: false),
                ]
            )
        }
    }

    private static let malformed: [[UInt8]] = [
        // More padding than there is: as long as the payload with its length byte.
        FrameWriter.frame(.data, .padded, stream: 1, [3, 0, 0]),
        FrameWriter.frame(.data, .padded, stream: 1, []),
        FrameWriter.frame(.headers, [.padded, .endHeaders], stream: 1, [3, 0, 0]),
        FrameWriter.frame(.headers, [.priority, .endHeaders], stream: 1, [0, 0, 0, 1]),
        FrameWriter.frame(.pushPromise, .endHeaders, stream: 1, [0, 0, 0]),
        // On no stream.
        FrameWriter.data("a".utf8, endsStream: false, stream: 0),
        FrameWriter.frame(.headers, .endHeaders, stream: 0, "a".utf8),
        FrameWriter.frame(.settings, [], stream: 0, [UInt8](repeating: 0, count: 65_537)),
    ]

    @Test(arguments: malformed.indices)
    func `reading ends at a malformed frame`(index: Int) {
        let ping = FrameWriter.frame(.ping, [], stream: 0, [UInt8](repeating: 0, count: 8))
        let events = Self.read(Self.malformed[index] + ping).events
        guard case .malformed = events.first, events.count == 1 else {
            Issue.record("\(events)")
            return
        }
    }

    @Test func `a frame may consist of padding`() {
        let data = FrameWriter.frame(.data, .padded, stream: 1, [2, 0, 0])
        #expect(
            Self.read(data).events
                == [.data(stream: 1, prefix: 10, content: 0, padding: 2, endsStream: false)]
        )
        let next = FrameWriter.frame(.data, [], stream: 3, [1, 2, 3, 4])
        #expect(
            Self.read(data + next).events.last
                == .data(stream: 3, prefix: 9, content: 4, padding: 0, endsStream: false)
        )
        let head = FrameWriter.frame(.headers, [.padded, .endHeaders], stream: 3, [2, 0, 0])
        #expect(Self.read(head).events == [.block(Self.block(""), size: head.count)])
    }

    @Test func `a field block has a limit on the wire`() {
        let part = [UInt8](repeating: 0x78, count: 16_384)
        var bytes = FrameWriter.frame(.headers, [], stream: 3, part)
        for _ in 0..<14 { bytes += FrameWriter.frame(.continuation, [], stream: 3, part) }
        let room = 262_144 - bytes.count - 9
        func ended(_ count: Int) -> [FrameReader.Event] {
            let last = [UInt8](repeating: 0x78, count: count)
            return Self.read(bytes + FrameWriter.frame(.continuation, .endHeaders, stream: 3, last))
                .events
        }
        guard case .block(_, size: 262_144)? = ended(room).first else {
            Issue.record("exactly the limit is refused")
            return
        }
        #expect(ended(room + 1) == [.malformed("a field block of more than 262144 bytes")])
    }
}
