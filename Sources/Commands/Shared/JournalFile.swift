internal import Arguments
internal import Basics
internal import Journal
internal import SystemIO

/// The journal of a run as it is written, record by record.
///
/// A write that fails ends the journal, not the run.
final class JournalFile {
    /// As it was given; also the name that its parts go by.
    let path: String
    private let loop: EventLoop
    private let parts: JournalParts?
    private var output: JournalOutput
    /// Which file is written, from 1.
    private var part = 1
    /// Parts that are being removed.
    private var leaving: Set<String> = []
    /// The start, which each part repeats.
    private var header: (start: RunStart, time: Instant)?
    /// Why there is no next part.
    private var partFailure: String?
    private let startedAt: Instant
    private var sequence: UInt64 = 0
    /// How many records the digest is made of.
    private var digestedCount: UInt64 = 0
    private var latest = Instant.start
    /// All records so far, for the digest; dropped when there are too many.
    private var canonical: CanonicalJournal? = CanonicalJournal()

    /// A longer journal states no digest of its own; `journal digest` computes it.
    static let digestedRecords: UInt64 = 50_000

    private static let readerPollMilliseconds: UInt64 = 50

    /// Opens a journal; `onWait` is told, in words, if it is a named pipe whose reader is waited for.
    init(
        _ path: String,
        in parts: JournalParts? = nil,
        on loop: EventLoop,
        startedAt: Instant,
        waitMilliseconds: UInt64 = 5_000,
        onWait: (String) -> Void = { _ in }
    ) throws(Failure) {
        self.path = path
        self.parts = parts
        self.loop = loop
        self.startedAt = startedAt
        let path = parts == nil ? path : Self.firstPart(path)
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
        onWait: (String) -> Void
    ) throws(SystemError) -> OutputFile {
        for attempt in 0...waitMilliseconds / readerPollMilliseconds {
            do throws(SystemError) {
                return try OutputFile(creating: path)
            } catch {
                guard error == .noReader else { throw error }
                if attempt == 0 { onWait("waiting for a reader of the pipe '\(path)'") }
                CurrentProcess.sleep(milliseconds: Int32(readerPollMilliseconds))
            }
        }
        throw .noReader
    }

    /// Makes room for parts, as an earlier file of the name would be emptied.
    ///
    /// - Parameter path: the name that they go by.
    /// - Returns: where the first one is.
    private static func firstPart(_ path: String) -> String {
        let name = JournalName(path)
        for part in name.parts { FileSystem.remove(name.path(part: part)) }
        FileSystem.removeFormer(path)
        return name.path(part: 1)
    }

    /// Why nothing more is written, if so.
    var failure: String? { partFailure ?? output.failure }

    /// Writes a line; times never decrease.
    func write(_ record: JournalRecord, now: Instant) {
        guard failure == nil else { return }
        // Several servers report in turn.
        latest = max(latest, .start + now.elapsed(since: startedAt))
        if let parts {
            if case .start(let start) = record { header = (start, latest) }
            if output.byteCount >= parts.limit { beginNextPart(parts) }
            guard failure == nil else { return }
        }
        let line = record.line(sequence: sequence, at: latest)
        if parts != nil, case .start = record {
            writeHeader()
        } else {
            output.write(line)
        }
        sequence += 1
        guard record.isDigested else { return }
        digestedCount += 1
        if digestedCount > Self.digestedRecords { canonical = nil }
        canonical?.add(record, line: line)
    }

    /// Ends a file and begins the next; a record is never on both sides.
    private func beginNextPart(_ parts: JournalParts) {
        output.finish()
        guard output.failure == nil else { return }
        let name = JournalName(path)
        part += 1
        let next = name.path(part: part)
        do throws(SystemError) {
            output = try JournalOutput(OutputFile(creating: next), path: next, on: loop)
        } catch {
            partFailure = "cannot create '\(next)': \(error)"
            return
        }
        writeHeader()
        if let kept = parts.kept, part > kept { remove(name.path(part: part - kept)) }
    }

    /// Removes a part without keeping connections waiting: freeing a gigabyte took a quarter of a
    /// second.
    private func remove(_ path: String) {
        leaving.insert(path)
        BackgroundWork.run(on: loop) {
            FileSystem.remove(path)
        } done: { [weak self] in
            self?.leaving.remove(path)
        }
    }

    /// Writes the start with the number of the part, as the first of all records.
    private func writeHeader() {
        guard let header else { return }
        var start = header.start
        start.environment.append(JournalHead.partKey, .number(part))
        output.write(
            JournalRecord.start(start).line(
                sequence: 0,
                at: header.time
            )
        )
    }

    /// The digest of what was written, unless it is too long or incomplete.
    var digest: String? {
        output.flush()
        guard failure == nil else { return nil }
        return canonical?.digest(sha256: SHA256.digest)
    }

    /// Writes what still waits for a slow reader, and removes what was to be removed.
    func finish() {
        output.finish()
        for path in leaving { FileSystem.remove(path) }
    }
}
