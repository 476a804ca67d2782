internal import Arguments
internal import Basics
internal import Journal
internal import SystemIO

/// The first record of a file of a journal.
struct JournalHead {
    /// The key, in what differs from place to place, that says which part of a journal a file is.
    static let partKey = "part"

    /// Without the number of the part.
    let start: RunStart
    /// From 1; nil for a journal in one file.
    let part: Int?

    /// Nil for what is no regular file, or no journal.
    init?(_ path: String) {
        guard FileSystem.identity(of: path) != nil else { return nil }
        var first: JournalRecord?
        do throws(Failure) {
            _ = try JournalInput.readFile(path, inPiecesOf: 4_096) { entry in
                first = first ?? JournalRecord(entry)
            } while: {
                first == nil
            }
        } catch {
            // A mistake after the first record is reported when the journal is read.
        }
        guard case .start(var start)? = first else { return nil }
        if case .integer(let number)? = start.environment[Self.partKey] {
            part = Int(exactly: number)
        } else {
            part = nil
        }
        start.environment.remove(Self.partKey)
        self.start = start
    }
}
