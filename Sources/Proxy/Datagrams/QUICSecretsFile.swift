internal import Basics
internal import QUICWire
internal import SystemIO

/// A file with secrets of QUIC connections, which a client or a server writes while it is read.
final class QUICSecretsFile {
    private(set) var log = QUICKeyLog()
    /// Whether the last look left some of the file unread.
    private(set) var hasMore = false
    /// What waits for secrets in all flows together.
    private(set) var waitingBytes = 0
    private let path: String
    /// How far it was read; nil before the first look.
    private var offset: UInt64?
    private var lastLook: Instant?

    private static let interval = Duration.milliseconds(10)
    private static let pieceBytes = 65_536
    /// Of one look, so that a long file does not keep the loop.
    private static let pieces = 16
    /// Of a file that is there already, the end: what is before it is of earlier runs.
    private static let tail: UInt64 = 8_388_608
    private static let waitingLimit = 67_108_864

    init(_ path: String) { self.path = path }

    /// Takes what is new; looks at the file once in a while only, but for the last time.
    func read(at now: Instant, isLast: Bool = false) {
        if !isLast, !hasMore, let lastLook, now - lastLook < Self.interval { return }
        lastLook = now
        hasMore = false
        // It may be made later, or replaced; one that cannot be read has no secrets.
        guard let file = try? File(path, for: .reading), let size = try? file.size() else { return }
        var place = offset ?? (size > Self.tail ? size - Self.tail : 0)
        if size < place { place = 0 }
        defer { offset = place }
        for _ in 0..<(isLast ? Int.max : Self.pieces) {
            guard let bytes = try? file.read(at: place, count: Self.pieceBytes), !bytes.isEmpty
            else { return }
            place += UInt64(bytes.count)
            log.append(bytes)
        }
        hasMore = true
    }

    /// Notes that more or less waits in a flow.
    ///
    /// - Returns: false if all flows together have too much, so that it must wait no longer.
    func noteWaiting(_ change: Int) -> Bool {
        waitingBytes += change
        return waitingBytes <= Self.waitingLimit
    }
}
