internal import Arguments
internal import Basics
internal import Journal
internal import SystemIO

/// Reads the file of a journal, of any length.
enum JournalInput {
    private static let pieceSize = 1 << 20
    /// The most that is kept in memory without need.
    private static let longSize: UInt64 = 1 << 27

    /// Tells every record of a journal, in order.
    ///
    /// - Parameters:
    ///   - path: of the file; `-` is standard input.
    ///   - take: gets each record.
    ///   - wantsMore: is asked from time to time.
    /// - Returns: how many bytes follow the last complete line.
    /// - Throws: why it cannot be read, or the first mistake in it.
    static func read(
        _ path: String,
        _ take: (JournalEntry) -> Void,
        while wantsMore: () -> Bool = { true }
    ) throws(Failure) -> Int {
        var reader = JournalReader()
        var mistake: JournalError?
        var hasRecord = false
        do throws(SystemError) {
            try FileSystem.read(path, inPiecesOf: pieceSize) { piece in
                reader.append(piece)
                do throws(JournalError) {
                    while let entry = try reader.next() {
                        hasRecord = true
                        take(entry)
                    }
                    return wantsMore()
                } catch {
                    mistake = error
                    return false
                }
            }
        } catch {
            throw Failure(.inputMissing, "cannot read journal '\(path)': \(error)")
        }
        if let mistake {
            throw Failure(.configuration, diagnostics: [mistake.diagnostic(label: path)])
        }
        guard hasRecord else {
            let words =
                reader.pendingBytes == 0
                ? "\(path): error: the journal is empty"
                : "\(path):1:1: error: this is no journal, or it ends within its first line"
            throw Failure(.configuration, diagnostics: [words])
        }
        return reader.pendingBytes
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

    /// Whether a journal had better not be kept in memory.
    static func isLong(_ path: String) -> Bool {
        guard let size = try? File(path, for: .reading).size() else { return false }
        return size > longSize
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
        if FileSystem.identity(of: path) != nil {
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
