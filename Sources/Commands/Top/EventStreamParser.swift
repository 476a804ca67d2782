/// One event of a stream.
struct ServerEvent: Hashable, Sendable {
    var name: String
    var data: [UInt8]
}

/// Reads server-sent events (HTML Living Standard §9.2.6) in whatever pieces they come.
struct EventStreamParser: Sendable {
    /// A line or an event is longer than this: no stream of ours.
    struct TooLong: Error, Hashable, Sendable {}

    private var line: [UInt8] = []
    private var name = ""
    private var data: [UInt8] = []
    private var hasData = false
    /// The line before ended with CR, so that LF now ends nothing.
    private var followsReturn = false

    private static let limit = 1 << 20

    /// Takes the next bytes, and gives the events that they complete.
    mutating func parse(_ bytes: some Sequence<UInt8>) throws(TooLong) -> [ServerEvent] {
        var events: [ServerEvent] = []
        for byte in bytes {
            defer { followsReturn = byte == 0x0D }
            switch byte {
            case 0x0A where followsReturn: break
            case 0x0A, 0x0D:
                if let event = endLine() { events.append(event) }
            default: line.append(byte)
            }
            guard line.count + data.count <= Self.limit else { throw TooLong() }
        }
        return events
    }

    private mutating func endLine() -> ServerEvent? {
        defer { line.removeAll(keepingCapacity: true) }
        guard !line.isEmpty else { return dispatch() }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        // A line that begins with a colon is a comment.
        let field = line[..<colon]
        var value = line[colon...].dropFirst()
        if value.first == 0x20 { value = value.dropFirst() }
        if field.elementsEqual("event".utf8) {
            name = String(decoding: value, as: UTF8.self)
        } else if field.elementsEqual("data".utf8) {
            if hasData { data.append(0x0A) }
            data += value
            hasData = true
        }
        return nil
    }

    private mutating func dispatch() -> ServerEvent? {
        defer {
            name = ""
            data = []
            hasData = false
        }
        return hasData ? ServerEvent(name: name.isEmpty ? "message" : name, data: data) : nil
    }
}
