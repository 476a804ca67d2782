/// How far the body of one answer is stored.
struct DownloadBody: Hashable, Sendable {
    /// Where its first byte belongs.
    let from: UInt64
    /// The most bytes that are stored; more are counted.
    let limit: UInt64?
    /// Bytes that came.
    private(set) var count: UInt64 = 0

    init(from: UInt64, limit: UInt64?) {
        self.from = from
        self.limit = limit
    }

    /// Where the next byte belongs.
    var offset: UInt64 { from + count }

    /// Takes so many bytes; answers how many of them are to be stored.
    mutating func take(_ bytes: Int) -> Int {
        let room = limit.map { $0 > count ? $0 - count : 0 } ?? .max
        count += UInt64(bytes)
        return Int(min(UInt64(bytes), room))
    }
}
