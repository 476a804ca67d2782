internal import HTTPTransport
internal import Libuv

/// The bytes of an object after so many changes on request; before any, its own.
///
/// Every changed byte differs from the one before the change: that is what a client which puts parts
/// of two revisions together has to notice.
enum RevisedContent {
    /// A part of a message's content that has these bytes.
    static func segment(_ object: OriginObject, _ range: Range<UInt64>, revision: Int)
        -> BodySegment
    {
        switch object.content {
        case .bytes(let bytes):
            return .bytes(Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
        case .known(let content):
            return generated(range) { buffer, room, place in
                let bytes = content.bytes(place..<place + UInt64(room.count))
                buffer.store(bytes, at: room.lowerBound)
                revise(buffer, room, revision)
                return true
            }
        case .file(let file):
            if revision == 0 && range.upperBound <= object.size { return .file(file, range) }
            return generated(range) { buffer, room, place in
                guard read(file, object.size, buffer, room, place) else { return false }
                revise(buffer, room, revision)
                return true
            }
        }
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
