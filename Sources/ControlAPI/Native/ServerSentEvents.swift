/// The form of server-sent events (HTML Living Standard §9.2).
enum ServerSentEvents {
    static let type = "text/event-stream"

    /// One event; `data` is one line.
    static func event(_ name: String, id: UInt64? = nil, data: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        if let id { bytes += Array("id: \(id)\n".utf8) }
        bytes += Array("event: \(name)\ndata: ".utf8)
        bytes += data
        bytes += Array("\n\n".utf8)
        return bytes
    }

    /// Tells the client how long to wait before it comes back.
    static func retry(milliseconds: Int) -> [UInt8] {
        Array("retry: \(milliseconds)\n\n".utf8)
    }
}
