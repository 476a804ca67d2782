internal import Arguments
internal import Journal
internal import SystemIO

/// The journal of a run as it is written, record by record.
///
/// A write that fails ends the journal, not the run.
final class JournalFile {
    let path: String
    private let output: JournalOutput
    private let startNanoseconds: UInt64
    private var sequence: UInt64 = 0
    private var latestNanoseconds: UInt64 = 0
    /// All records so far, for the digest; dropped when there are too many.
    private var canonical: CanonicalJournal? = CanonicalJournal()

    /// A longer journal states no digest of its own; `journal digest` computes it.
    static let digestedRecords: UInt64 = 50_000

    private static let readerPollMilliseconds: UInt64 = 50

    /// Opens a journal; `onWait` is called if it is a named pipe whose reader is waited for.
    init(
        _ path: String,
        on loop: EventLoop,
        startNanoseconds: UInt64,
        waitMilliseconds: UInt64 = 5_000,
        onWait: () -> Void = {}
    ) throws(Failure) {
        self.path = path
        self.startNanoseconds = startNanoseconds
        do throws(SystemError) {
            let file =
                path == "-"
                ? OutputFile(descriptor: 1, owned: false)
                : try Self.open(path, waitMilliseconds: waitMilliseconds, onWait: onWait)
            output = try JournalOutput(file, path: path, on: loop)
        } catch {
            let advice =
                error == .noReader
                ? "no one reads this pipe; start its reader first, as in: cat \(ShellText.word(path))"
                : "\(error); choose a file that can be written"
            throw Failure(.cannotCreate, "cannot create journal '\(path)': \(advice)")
        }
    }

    /// Waits for the reader of a named pipe, which may be started a moment later.
    private static func open(
        _ path: String,
        waitMilliseconds: UInt64,
        onWait: () -> Void
    ) throws(SystemError) -> OutputFile {
        for attempt in 0...waitMilliseconds / readerPollMilliseconds {
            do throws(SystemError) {
                return try OutputFile(creating: path)
            } catch {
                guard error == .noReader else { throw error }
                if attempt == 0 { onWait() }
                CurrentProcess.sleep(milliseconds: Int32(readerPollMilliseconds))
            }
        }
        throw .noReader
    }

    /// Why nothing more is written, if so.
    var failure: String? { output.failure }

    /// Writes a line; times never decrease.
    func write(_ record: JournalRecord, nowNanoseconds: UInt64) {
        guard failure == nil else { return }
        let elapsed = nowNanoseconds - min(nowNanoseconds, startNanoseconds)
        // Several servers report in turn.
        latestNanoseconds = max(latestNanoseconds, elapsed)
        output.write(record.line(sequence: sequence, elapsedNanoseconds: latestNanoseconds))
        sequence += 1
        if sequence > Self.digestedRecords { canonical = nil }
        canonical?.add(record)
    }

    /// The digest of what was written, unless it is too long or incomplete.
    var digest: String? {
        guard failure == nil else { return nil }
        return canonical?.digest(sha256: SHA256.digest)
    }

    /// Writes what still waits for a slow reader.
    func finish() { output.finish() }
}
