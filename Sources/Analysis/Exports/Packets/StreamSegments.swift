internal import Basics
internal import Journal

/// What one connection carried, in segments with their places in its two streams.
struct StreamSegments {
    struct Segment {
        let side: MessageSide
        let part: StreamPiece.Part
        /// The exchange's ordinal; 0 for bytes of none.
        let ordinal: UInt32
        /// Where it begins in its head or content.
        let offset: UInt64
        /// Where it begins in all that its side sent.
        let streamOffset: UInt64
        let bytes: Int
        let at: Instant
        let label: String?
    }

    /// Of one piece; of a longer one the middle is left out, as if a capture had missed it.
    static let maximumOfPiece: UInt64 = 128

    /// By time.
    private(set) var all: [Segment] = []
    /// How many bytes each side sent.
    private(set) var lengths: [MessageSide: UInt64] = [:]

    /// - Parameters:
    ///   - exchanges: of the connection, in their order.
    ///   - connection: whose end says how many bytes each direction had: what heads and contents
    ///     do not explain, such as the framing of chunks or content that nobody could read, comes
    ///     behind them.
    init(_ exchanges: [Exchange], on connection: ConnectionTrace) {
        let pieces = exchanges.flatMap { StreamPiece.pieces(of: $0) }
        for side in [MessageSide.request, .response] {
            add(pieces.filter { $0.side == side }, side, connection)
        }
        let order = all.indices.sorted { (all[$0].at, $0) < (all[$1].at, $1) }
        all = order.map { all[$0] }
    }

    private mutating func add(
        _ pieces: [StreamPiece],
        _ side: MessageSide,
        _ connection: ConnectionTrace
    ) {
        let total = connection.end.map {
            (side == .request ? $0.value.up : $0.value.down).bytes.bounded
        }
        var place: UInt64 = 0
        for var piece in pieces {
            if let total { piece.bytes = min(piece.bytes, total - place) }
            append(piece, at: place)
            place.add(piece.bytes)
        }
        if let total, let end = connection.end, total > place {
            append(.rest(side, total - place, end, connection), at: place)
            place = total
        }
        lengths[side] = place
    }

    /// Cuts a piece in segments of equal size, evenly over its time.
    private mutating func append(_ piece: StreamPiece, at place: UInt64) {
        let size = UInt64(SyntheticPacket.maximumContentBytes)
        let count = (piece.bytes + size - 1) / size
        let missing = count > Self.maximumOfPiece ? count - Self.maximumOfPiece : 0
        let half = Self.maximumOfPiece / 2
        for shown in 0..<(count - missing) {
            let number = missing > 0 && shown >= half ? shown + missing : shown
            var label = shown == 0 ? piece.label : nil
            if missing > 0, shown == half {
                label = "\(missing * size) bytes before this are left out"
            }
            let offset = number * size
            all.append(
                Segment(
                    side: piece.side,
                    part: piece.part,
                    ordinal: piece.ordinal,
                    offset: offset,
                    streamOffset: place &+ offset,
                    bytes: Int(min(size, piece.bytes - offset)),
                    at: number == count - 1
                        ? piece.ended
                        : piece.began + (piece.ended - piece.began) / Int64(count) * Int64(number),
                    label: label
                )
            )
        }
    }
}
