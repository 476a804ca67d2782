internal import Arguments
internal import Basics
internal import Journal
internal import SystemIO

/// Reads the file of a journal, of any length.
enum JournalInput {
    private static let pieceSize = 1 << 20

    /// Reads every record of a journal in sequence, across several files as if they were one.
    ///
    /// - Parameters:
    ///   - path: of the file, or the name that its parts go by; `-` is standard input.
    ///   - take: gets each record.
    ///   - wantsMore: is asked from time to time.
    /// - Returns: how many bytes follow the last complete line.
    /// - Throws: why it cannot be read, or the first mistake in it.
    static func read(
        _ path: String,
        _ take: (JournalEntry) -> Void,
        while wantsMore: () -> Bool = { true }
    ) throws(Failure) -> Int {
        let files = JournalFiles(path)
        try files.requireOneRun()
        var (linesBefore, rest, isWanted) = (0, 0, true)
        for (place, path) in files.paths.enumerated() where isWanted {
            let file = try readFile(path, linesBefore: linesBefore) { entry in
                // Each file repeats the start.
                if place == 0 || entry.type != "start" { take(entry) }
            } while: {
                isWanted = wantsMore()
                return isWanted
            }
            linesBefore += file.records - 1
            rest = max(rest, file.rest)
        }
        return rest
    }

    /// Tells every record of one file.
    ///
    /// - Parameters:
    ///   - path: of the file; `-` is standard input.
    ///   - pieceSize: how much of it is read at a time.
    ///   - linesBefore: of the same journal, in other files.
    ///   - take: gets each record.
    ///   - wantsMore: is asked from time to time.
    /// - Returns: how many records there are, and how many bytes follow the last complete line.
    /// - Throws: why it cannot be read, or the first mistake in it.
    static func readFile(
        _ path: String,
        inPiecesOf pieceSize: Int = pieceSize,
        linesBefore: Int = 0,
        _ take: (JournalEntry) -> Void,
        while wantsMore: () -> Bool
    ) throws(Failure) -> (records: Int, rest: Int) {
        var input = CompressibleInput()
        var lines = JournalLines(linesBefore: linesBefore)
        var damage: ZstandardError?
        do throws(SystemError) {
            try FileSystem.read(path, inPiecesOf: pieceSize) { piece in
                do throws(ZstandardError) {
                    return try input.take(piece) { lines.add($0, take) && wantsMore() }
                } catch {
                    damage = error
                    return false
                }
            }
        } catch {
            throw Failure(.inputMissing, "cannot read journal '\(path)': \(error)")
        }
        input.finish { lines.add($0, take) }
        try lines.check(path)
        if let damage { throw failure(damage, path, records: lines.count) }
        let rest = max(lines.pendingBytes, Int(clamping: input.unfinishedBytes))
        try lines.requireRecord(path, rest: rest)
        return (lines.count, rest)
    }

    private static func failure(_ error: ZstandardError, _ path: String, records: Int) -> Failure {
        let frame = "the compressed frame at byte \(error.frameOffset)"
        let words: String
        switch error.kind {
        case .windowTooLarge:
            words =
                "\(frame) needs more memory than \(ZstandardDecompressor.windowLimit >> 20) MiB;"
                + " compress the journal anew without --long or --ultra"
        case .damaged:
            // Frames are of whole lines.
            let whole = "head -c \(error.frameOffset) \(ShellText.word(path))"
            words =
                "\(frame), after \(Figures.count(records, "record")), is damaged"
                + " (\(error.words)); take another copy of the file"
                + (error.frameOffset == 0 ? "" : ", or what is whole of it: \(whole)")
        }
        return Failure(.configuration, diagnostics: ["\(path): error: \(words)"])
    }

    /// Reads a journal whole, for comparisons.
    static func canonical(
        _ path: String,
        _ look: (JournalEntry) -> Void = { _ in }
    ) throws(Failure) -> CanonicalJournal {
        var journal = CanonicalJournal()
        journal.truncatedBytes = try read(path) {
            look($0)
            journal.add($0)
        }
        return journal
    }

    /// Whether a journal is in regular files, and not in a pipe, which gives its bytes once.
    static func canBeReadAgain(_ path: String) -> Bool {
        path != "-"
            && JournalFiles(path).paths.allSatisfy { FileSystem.identity(of: $0) != nil }
    }

    /// Gives the canonical form of a journal, piece by piece.
    ///
    /// - Parameters:
    ///   - path: of the file; `-` is standard input.
    ///   - restart: is called if what was given so far turns out to be wrong, and all is given anew.
    ///   - give: gets the next bytes.
    /// - Returns: the journal without what was given.
    /// - Throws: why it cannot be read, or the first mistake in it.
    static func canonical(
        _ path: String,
        restart: () -> Void,
        _ give: ([UInt8]) -> Void
    ) throws(Failure) -> CanonicalJournal {
        // What can be read only once has to be kept.
        if canBeReadAgain(path) {
            var journal = CanonicalJournal()
            journal.truncatedBytes = try read(path) {
                journal.add($0)
            } while: {
                journal.giveFinal(give)
                return !journal.isContradicted
            }
            if !journal.isContradicted { journal.giveRest(give) }
            if !journal.isContradicted { return journal }
            restart()
        }
        var journal = try canonical(path)
        journal.giveRest(give)
        return journal
    }
}
