package import Basics
internal import SystemIO

/// Reads the events of a background transfer from some place on, while they are being written.
package final class EventReader {
    private let place: FilePlace
    private var file: File?
    private var lines = LineSplitter(limit: EventReader.lineLimit)
    /// How far the file was read.
    private var position: UInt64
    /// Behind the last whole line that was given out.
    package private(set) var offset: UInt64

    /// The most bytes of one event.
    package static let lineLimit = 1 << 20
    private static let readLimit = 65_536

    package init(_ place: FilePlace, from offset: UInt64) {
        self.place = place
        self.offset = offset
        position = offset
    }

    /// The events that were written since the last call.
    package func next() -> [JSONObject] {
        if file == nil { file = try? place.openFolder().file(place.name, for: .reading) }
        guard let file else { return [] }
        var events: [JSONObject] = []
        while let bytes = try? file.read(at: position, count: Self.readLimit), !bytes.isEmpty {
            position += UInt64(bytes.count)
            for line in lines.append(bytes) {
                offset += UInt64(line.count) + 1
                guard let value = try? JSONParser.parse(line[...]), case .object(let event) = value
                else { continue }
                events.append(event)
            }
        }
        return events
    }
}
