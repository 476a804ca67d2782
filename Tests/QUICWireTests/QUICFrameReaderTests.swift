import QUICWire
import Testing

struct QUICFrameReaderTests {
    private func texts(_ content: [UInt8]) -> [String] {
        QUICFrameReader.frames(in: content).map(\.text)
    }

    /// One frame of each type, and its name.
    private static let all: [(bytes: [UInt8], text: String)] = [
        ([0], "padding"), ([1], "ping"), ([2, 9, 0, 0, 4], "ack=5-9"),
        ([2, 9, 0, 1, 0, 1, 2], "ack=9"), ([3, 9, 0, 0, 0, 1, 2, 3], "ack=9"),
        ([4, 1, 2, 3], "reset_stream"), ([5, 1, 2], "stop_sending"), ([6, 0, 2, 7, 7], "crypto"),
        ([7, 2, 7, 7], "new_token"), ([0x0A, 1, 2, 7, 7], "stream"),
        ([0x0F, 1, 0x44, 0, 2, 7, 7], "stream"), ([0x10, 1], "max_data"),
        ([0x11, 1, 2], "max_stream_data"), ([0x12, 1], "max_streams"), ([0x13, 1], "max_streams"),
        ([0x14, 1], "data_blocked"), ([0x15, 1, 2], "stream_data_blocked"),
        ([0x16, 1], "streams_blocked"), ([0x17, 1], "streams_blocked"),
        ([0x18, 1, 0, 4, 1, 2, 3, 4] + [UInt8](repeating: 5, count: 16), "new_connection_id"),
        ([0x19, 1], "retire_connection_id"),
        ([0x1A, 1, 2, 3, 4, 5, 6, 7, 0xFF], "path_challenge=01020304050607ff"),
        ([0x1B, 1, 2, 3, 4, 5, 6, 7, 0xFF], "path_response=01020304050607ff"),
        ([0x1C, 10, 6, 1, 65], "connection_close=10"),
        ([0x1D, 0x41, 0, 1, 65], "application_close=256"), ([0x1E], "handshake_done"),
        ([0x1F], "immediate_ack"), ([0x40, 0xAF, 1, 2, 0x40, 25, 4], "ack_frequency"),
        ([0x31, 2, 7, 7], "datagram"),
    ]

    @Test(arguments: all.indices)
    func `each type is read to its end, and not if it is cut`(place: Int) {
        let (bytes, text) = Self.all[place]
        #expect(texts(bytes + [1]) == (text == "ping" ? ["ping"] : [text, "ping"]))
        for end in 1..<bytes.count { #expect(texts(Array(bytes[..<end])).last == "cut") }
    }

    @Test func `the last STREAM or DATAGRAM may be without a length`() {
        #expect(texts([1, 0x08, 4, 1, 2, 3]) == ["ping", "stream"])
        #expect(texts([1, 0x0C, 4, 1, 2, 3]) == ["ping", "stream"])
        #expect(texts([0x30, 1, 1, 1]) == ["datagram"])
    }

    @Test func `frames of one kind in a row are one, and nothing follows an unknown one`() {
        #expect(texts([0, 0, 0, 1, 1, 0]) == ["padding", "ping", "padding"])
        #expect(texts([1, 0x40, 0xFF, 1, 1]) == ["ping", "unknown=255"])
        #expect(texts([]).isEmpty)
    }

    @Test func `what follows a malformed frame, or too many, is marked as cut`() {
        #expect(texts([0x18, 1, 0, 21] + [UInt8](repeating: 5, count: 40)) == ["cut"])
        #expect(texts([1, 2, 3, 0, 0, 4]) == ["ping", "cut"])
        let many = texts((0..<2_000).map { UInt8($0 & 1) })
        #expect(many.count == 512)
        #expect(many.last == "cut")
        let most = texts((0..<511).map { UInt8($0 & 1) })
        #expect(most.count == 511)
        #expect(most.last == "padding")
        #expect(texts((0..<511).map { UInt8($0 & 1) } + [0, 0, 0]) == most)
    }
}
