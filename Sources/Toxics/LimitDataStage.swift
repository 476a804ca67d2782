/// Passes a number of bytes, then closes the connection.
struct LimitDataStage: Sendable {
    private let serial: UInt64
    private var limit: Int64
    private var passedBytes: Int64 = 0
    private var hasClosed = false

    init(_ limit: Int64, serial: UInt64) {
        self.limit = max(0, limit)
        self.serial = serial
    }

    mutating func receive(_ piece: ToxicPassage, _ out: inout [ToxicPassage]) {
        guard case .bytes(let count) = piece.content else {
            if case .end = piece.content, hasClosed { return }
            out.append(piece)
            return
        }
        let passed = hasClosed ? 0 : Int(min(Int64(count), max(0, limit - passedBytes)))
        passedBytes += Int64(passed)
        append(.bytes(passed), piece, &out)
        if !hasClosed, passedBytes >= limit {
            hasClosed = true
            append(.close(by: serial), piece, &out)
        }
        append(.dropped(count - passed), piece, &out)
    }

    /// What has passed counts on.
    mutating func change(_ limit: Int64) { self.limit = max(0, limit) }

    private func append(
        _ content: ToxicContent,
        _ piece: ToxicPassage,
        _ out: inout [ToxicPassage]
    ) {
        switch content {
        case .bytes(0), .dropped(0): break
        default: out.append(ToxicPassage(content: content, stamp: piece.stamp, at: piece.at))
        }
    }
}
