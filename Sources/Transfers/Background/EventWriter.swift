package import Basics
internal import SystemIO

/// Adds records to the events of a background transfer.
///
/// Each record is one line and one write, so that the end of the process by whatever cause leaves
/// whole lines but for the last; the next writer cuts a torn one off.
package final class EventWriter {
    private let file: File
    private var offset: UInt64

    package init(_ place: FilePlace) throws(StorageError) {
        do throws(SystemError) {
            file = try place.openFolder().file(
                place.name,
                for: .readingAndWriting,
                creation: .ifMissing,
                permissions: 0o600
            )
            let end = try Self.endOfLines(file)
            try file.truncate(to: end)
            offset = end
        } catch {
            throw StorageError("cannot write '\(place.path)': \(error)")
        }
    }

    /// Writes one record with the time of day in milliseconds since 1970.
    package func write(_ record: JSONObject) throws(StorageError) {
        var object = JSONObject()
        object.append("time", .number(WallClock.timeSince1970.wholeMilliseconds))
        for member in record.members where member.key != "time" {
            object.append(member.key, member.value)
        }
        var bytes: [UInt8] = []
        object.write(to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        do throws(SystemError) {
            try file.write(bytes, at: offset)
        } catch {
            throw StorageError("cannot write events: \(error)")
        }
        offset += UInt64(bytes.count)
    }

    /// Waits until everything is on the disk.
    package func synchronize() { try? file.synchronize() }

    private static func endOfLines(_ file: File) throws(SystemError) -> UInt64 {
        var end = try file.size()
        while end > 0 {
            let start = end > 4_096 ? end - 4_096 : 0
            let bytes = try file.read(at: start, count: Int(end - start))
            if let feed = bytes.lastIndex(of: UInt8(ascii: "\n")) {
                return start + UInt64(feed) + 1
            }
            end = start
        }
        return 0
    }
}
