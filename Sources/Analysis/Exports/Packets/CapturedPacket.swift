/// A packet as it stands in a capture: its headers, and how much content would follow.
struct CapturedPacket {
    var atNanoseconds: UInt64
    var header: [UInt8]
    var contentBytes: Int
    var comments: [String]
}

extension CapturedPacket {
    init(_ packet: SyntheticPacket) {
        self.init(
            atNanoseconds: packet.atNanoseconds,
            header: packet.header,
            contentBytes: packet.contentBytes,
            comments: packet.comments
        )
    }
}
