internal import HTTPTransport
internal import ResumableServer
internal import SystemIO

/// The bytes of an object after so many changes on request; before any, its own.
///
/// Every changed byte differs from the one before the change: that is what a client which puts parts
/// of two revisions together has to notice.
enum RevisedContent {
    /// A part of a message's content that has these bytes.
    static func segment(_ object: OriginObject, _ range: Range<UInt64>, revision: Int)
        -> BodySegment
    {
        if case .file(let file) = object.content, revision == 0, range.upperBound <= object.size {
            return .file(file, range)
        }
        if case .bytes(let bytes) = object.content {
            return .bytes(Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
        }
        return generated(range) { buffer, room, place in
            fill(buffer, room, from: object, at: place, revision: revision)
        }
    }

    /// The check value of all its bytes, of which there are `size`; nil if they cannot be read.
    ///
    /// It takes as long as reading them, and belongs on another thread than the loop's.
    static func checksum(_ object: OriginObject, size: UInt64, revision: Int) -> UInt32? {
        let buffer = TransferBuffer(capacity: pieceBytes)
        var checksum = CRC32()
        var place: UInt64 = 0
        while place < size {
            let room = 0..<Int(min(UInt64(pieceBytes), size - place))
            guard fill(buffer, room, from: object, at: place, revision: revision) else {
                return nil
            }
            buffer.withBytes(room) { checksum.update($0) }
            place += UInt64(room.count)
        }
        return checksum.value
    }

    private static let pieceBytes = 1 << 18

    /// Puts a part of the content into a buffer; false if it cannot be read.
    private static func fill(
        _ buffer: TransferBuffer,
        _ room: Range<Int>,
        from object: OriginObject,
        at place: UInt64,
        revision: Int
    ) -> Bool {
        switch object.content {
        case .known(let content):
            let bytes = content.bytes(place..<place + UInt64(room.count))
            buffer.store(bytes, at: room.lowerBound)
        case .file(let file):
            guard read(file, object.size, buffer, room, place) else { return false }
        case .bytes(let bytes):
            buffer.store(
                Array(bytes[Int(place)..<Int(place) + room.count]),
                at: room.lowerBound
            )
        }
        revise(buffer, room, revision)
        return true
    }

    private static func generated(
        _ range: Range<UInt64>,
        _ make: @escaping (TransferBuffer, Range<Int>, UInt64) -> Bool
    ) -> BodySegment {
        var place = range.lowerBound
        return .generated(length: UInt64(range.count)) { buffer, room in
            let count = Int(min(UInt64(room.count), range.upperBound - place))
            guard count > 0 else { return .end }
            let part = room.lowerBound..<room.lowerBound + count
            guard make(buffer, part, place) else { return .failed }
            place += UInt64(count)
            return .stored(count)
        }
    }

    /// Reads a part of a file, with zeros where an object has grown beyond it.
    private static func read(
        _ file: File,
        _ size: UInt64,
        _ buffer: TransferBuffer,
        _ room: Range<Int>,
        _ place: UInt64
    ) -> Bool {
        var at = room.lowerBound
        while at < room.upperBound {
            let offset = place + UInt64(at - room.lowerBound)
            guard offset < size else {
                buffer.store([UInt8](repeating: 0, count: room.upperBound - at), at: at)
                return true
            }
            let limit = Int(min(UInt64(room.upperBound - at), size - offset))
            guard
                case .moved(let count) = file.read(into: buffer, from: at, limit: limit, at: offset)
            else { return false }
            at += count
        }
        return true
    }

    private static func revise(_ buffer: TransferBuffer, _ room: Range<Int>, _ revision: Int) {
        // Another mask for every revision, and none for the first.
        let mask = UInt8(truncatingIfNeeded: revision &* 0x9D)
        guard mask != 0 else { return }
        buffer.withMutableBytes(room) { bytes in
            for index in bytes.indices { bytes[index] ^= mask }
        }
    }
}
