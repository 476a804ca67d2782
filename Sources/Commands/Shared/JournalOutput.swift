internal import Arguments
internal import SystemIO

/// One file of a journal, which is compressed if its name says so.
///
/// A plain one has a line after the turn of the loop in which it was written, with all others of that
/// turn: a call of the system for each line took longer than making it. A compressed one has it after a
/// second at the latest.
final class JournalOutput: ReadinessHandler {
    /// What the name of a compressed journal ends in.
    static let compressedSuffix = ".zst"
    private static let frameMilliseconds: UInt64 = 1_000

    private let file: OutputFile
    private let loop: EventLoop
    /// Lines, or frames, of the present turn.
    private var gathered: [UInt8] = []
    /// Bytes of the file so far.
    private(set) var byteCount: UInt64 = 0
    private var compressed: CompressedLines?
    private var timer: Timer?

    /// - Parameters:
    ///   - file: is open and empty.
    ///   - path: of the file.
    ///   - loop: tells when a second is over.
    /// - Throws: what the system says if it has no timer.
    init(_ file: OutputFile, path: String, on loop: EventLoop) throws(SystemError) {
        self.file = file
        self.loop = loop
        guard path.hasSuffix(Self.compressedSuffix) else { return }
        compressed = CompressedLines()
        timer = try Timer(loop: loop) { [weak self] in self?.endFrame() }
    }

    deinit {
        endFrame()
        flush()
    }

    /// Why nothing more is written, if so.
    var failure: String? {
        if let error = file.failure { return error.description }
        return file.discardedBytes > 0 ? "its reader is too slow" : nil
    }

    /// Writes a line, its line feed included.
    func write(_ line: [UInt8]) {
        guard let wasOpen = compressed?.hasOpenFrame, let bytes = compressed?.add(line) else {
            return offer(line)
        }
        offer(bytes)
        if !wasOpen { timer?.start(afterMilliseconds: Self.frameMilliseconds) }
    }

    /// Writes what still waits, also for a slow reader.
    func finish() {
        endFrame()
        flush()
        timer?.close()
        file.flush(milliseconds: 2_000)
    }

    private func endFrame() {
        // After a block that was discarded, the end of its frame would make a cut one a damaged one.
        guard failure == nil, let bytes = compressed?.endFrame() else { return }
        offer(bytes)
    }

    private func offer(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        byteCount += UInt64(bytes.count)
        if gathered.isEmpty { loop.runLater(self) }
        gathered.append(contentsOf: bytes)
    }

    func ready(_ readiness: Readiness, tag: UInt32) { flush() }

    /// Writes what the present turn has gathered.
    func flush() {
        guard !gathered.isEmpty else { return }
        file.offer(gathered)
        gathered.removeAll(keepingCapacity: true)
    }
}
