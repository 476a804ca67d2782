internal import Arguments
internal import Basics
internal import Journal
internal import SystemIO

/// Reads the file of a journal.
enum JournalInput {
    /// The most bytes that are read.
    static let sizeLimit = 1 << 30

    /// More than is read at a time.
    private static let readStep = 1 << 20

    /// The bytes of a file; of one that is no journal perhaps only the first.
    static func read(_ path: String) throws(Failure) -> [UInt8] {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileSystem.read(path, limit: sizeLimit, while: looksRight)
        } catch {
            throw Failure(.inputMissing, "cannot read journal '\(path)': \(error)")
        }
        guard !bytes.isEmpty else {
            throw Failure(.configuration, diagnostics: ["\(path): error: the journal is empty"])
        }
        // Of a longer line its length is what is wrong.
        guard bytes.contains(UInt8(ascii: "\n")) || bytes.count > JSONParser.maximumLength else {
            throw Failure(
                .configuration,
                diagnostics: ["\(path):1:1: error: the journal ends within its first line"]
            )
        }
        return bytes
    }

    /// Whether a file may be a journal, by its first record: others need not be read to their end.
    private static func looksRight(_ bytes: [UInt8]) -> Bool {
        // Once there is a first line that long, all is said about it.
        guard bytes.count <= JSONParser.maximumLength + readStep else { return true }
        var reader = JournalReader()
        reader.append(bytes)
        do throws(JournalError) {
            _ = try reader.next()
            return true
        } catch {
            return false
        }
    }
}
