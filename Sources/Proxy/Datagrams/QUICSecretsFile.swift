internal import QUICWire
internal import SystemIO

/// A file with secrets of QUIC connections, which a client or a server writes while it is read.
final class QUICSecretsFile {
    private(set) var log = QUICKeyLog()
    private let path: String
    private var file: File?
    private var offset: UInt64 = 0
    private var lastNanoseconds: UInt64?

    private static let interval: UInt64 = 10_000_000
    private static let pieceBytes = 65_536
    /// Of one look, so that a long file of earlier runs does not keep the loop.
    private static let pieces = 16

    init(_ path: String) { self.path = path }

    /// Takes what is new; looks at the file once in a while only, but for the last time.
    func read(atNanoseconds now: UInt64, isLast: Bool = false) {
        if !isLast, let lastNanoseconds, now &- lastNanoseconds < Self.interval { return }
        lastNanoseconds = now
        // It may be made later; one that cannot be read has no secrets.
        if file == nil { file = try? File(path, for: .reading) }
        guard let file else { return }
        for _ in 0..<Self.pieces {
            guard let bytes = try? file.read(at: offset, count: Self.pieceBytes), !bytes.isEmpty
            else { return }
            offset += UInt64(bytes.count)
            log.append(bytes)
        }
    }
}
