internal import Arguments
internal import Journal

/// The records of a journal's bytes, up to the first mistake.
struct JournalLines {
    private var reader: JournalReader
    private var mistake: JournalError?
    /// Records so far.
    private(set) var count = 0

    /// - Parameter linesBefore: of the same journal, in other files.
    init(linesBefore: Int) { reader = JournalReader(linesBefore: linesBefore) }

    /// Bytes after the last complete line.
    var pendingBytes: Int { reader.pendingBytes }

    /// Adds the next bytes.
    ///
    /// - Parameters:
    ///   - bytes: of the journal.
    ///   - take: gets each record.
    /// - Returns: false once there is a mistake.
    mutating func add(_ bytes: ArraySlice<UInt8>, _ take: (JournalEntry) -> Void) -> Bool {
        reader.append(bytes)
        do throws(JournalError) {
            while let entry = try reader.next() {
                count += 1
                take(entry)
            }
            return true
        } catch {
            mistake = error
            return false
        }
    }

    /// Tells the mistake that was found, if there is one.
    ///
    /// - Parameter path: of the file.
    /// - Throws: the mistake, with the name of its file.
    func check(_ path: String) throws(Failure) {
        guard let mistake else { return }
        throw Failure(.configuration, diagnostics: [mistake.diagnostic(label: path)])
    }

    /// Refuses a file without any record.
    ///
    /// - Parameters:
    ///   - path: of the file.
    ///   - rest: bytes at its end of which nothing was read.
    /// - Throws: what to say of it.
    func requireRecord(_ path: String, rest: Int) throws(Failure) {
        guard count == 0 else { return }
        let words =
            rest == 0
            ? "\(path): error: the journal is empty"
            : "\(path):1:1: error: this is no journal, or it ends within its first line"
        throw Failure(.configuration, diagnostics: [words])
    }
}
