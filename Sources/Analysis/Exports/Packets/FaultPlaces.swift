internal import Basics
internal import Journal

/// Finds the packets of a connection that a fault touched.
struct FaultPlaces {
    /// What the connection carried, by time.
    let segments: [StreamSegments.Segment]
    /// Place of the first segment among the packets.
    let first: Int
    /// Place of the packet that ends the connection; nil if none does.
    let end: Int?

    /// Where it acted and, if it closed the connection, the end.
    func packets(touchedBy fault: Timed<FaultReport>) -> [Int] {
        var places = [segment(fault).map { first + $0 } ?? 0]
        if fault.value.isClosing, let end { places.append(end) }
        return places
    }

    /// The segment that holds the byte at which it acted, or the last one before it; nil for the
    /// connect, and if nothing was carried before.
    private func segment(_ fault: Timed<FaultReport>) -> Int? {
        let place = fault.value.address.utf8.split(separator: UInt8(ascii: ":")).last.map {
            Substring($0)
        }
        guard let place, place != "connect" else { return nil }
        return exact(fault.value, place)
            ?? segments.lastIndex { $0.at <= fault.at }
    }

    private func exact(_ fault: FaultReport, _ place: Substring) -> Int? {
        let isDown = place.hasPrefix("resp") || place.hasPrefix("down")
        guard isDown || place.hasPrefix("req") || place.hasPrefix("up") else { return nil }
        let side = isDown ? MessageSide.response : .request
        guard place.hasPrefix("re") else {
            return fault.offset.flatMap { offset in
                segments.lastIndex { $0.side == side && $0.streamOffset <= offset }
            }
        }
        let part = place.dropFirst(isDown ? 4 : 3)
        let wanted: StreamPiece.Part? =
            part.hasPrefix(".head") ? .head : part.hasPrefix(".body") ? .body : nil
        return segments.lastIndex {
            $0.side == side && $0.ordinal == fault.request
                && (wanted == nil || $0.part == wanted)
                && (wanted == nil || $0.offset <= fault.offset ?? 0)
        }
    }
}
