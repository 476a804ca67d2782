internal import Basics

/// A packet as it stands in a capture: its headers, and how much content would follow.
struct CapturedPacket {
    var at: Instant
    var header: [UInt8]
    var contentBytes: Int
    var comments: [String]
}

extension CapturedPacket {
    init(_ packet: SyntheticPacket) {
        self.init(
            at: packet.at,
            header: packet.header,
            contentBytes: packet.contentBytes,
            comments: packet.comments
        )
    }
}
