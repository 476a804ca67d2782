package import SystemIO

/// What a file is like beside what it should be; computed by calls that block.
package enum FileComparison {
    private static let pieceBytes = 1 << 20

    /// Compares a result with a file that is known to be right.
    static func compare(_ result: String, with reference: String) -> Judgement {
        let right: File
        do throws(SystemError) {
            right = try File(reference, for: .reading)
        } catch {
            return Judgement(.inconclusive, "the file to compare with cannot be read: \(error)")
        }
        do throws(SystemError) {
            return try compare(File(result, for: .reading), right)
        } catch {
            return unreadable(error)
        }
    }

    private static func compare(_ found: File, _ right: File) throws(SystemError) -> Judgement {
        let (foundSize, rightSize) = (try found.size(), try right.size())
        var offset: UInt64 = 0
        while offset < min(foundSize, rightSize) {
            let one = try found.read(at: offset, count: pieceBytes)
            let other = try right.read(at: offset, count: pieceBytes)
            let common = min(one.count, other.count)
            if let place = (0..<common).first(where: { one[$0] != other[$0] }) {
                let byte = offset + UInt64(place)
                return Judgement(
                    .fail,
                    "differs from byte \(byte) on: \(sizes(foundSize, rightSize))",
                    flaw: .different
                )
            }
            guard common > 0 else { break }
            offset += UInt64(common)
        }
        guard foundSize == rightSize else {
            guard foundSize > rightSize else { return beginning(foundSize, of: rightSize) }
            return Judgement(
                .fail,
                "has bytes too many: \(sizes(foundSize, rightSize))",
                flaw: .different
            )
        }
        return Judgement(.pass, "equal, \(rightSize) bytes")
    }

    private static func sizes(_ found: UInt64, _ right: UInt64) -> String {
        found == right ? "\(right) bytes" : "\(found) bytes, not \(right)"
    }

    /// Compares a result's SHA-256 with the right one.
    ///
    /// - Returns: the judgement, and how many bytes there are.
    static func check(_ result: String, sha256 right: String) -> (Judgement, ContentDigest.Content?)
    {
        do throws(SystemError) {
            let found = try content(of: result)
            if found.digest == right {
                return (Judgement(.pass, "equal, \(found.bytes) bytes"), found)
            }
            guard found.bytes > 0 else {
                return (Judgement(.fail, "is empty", flaw: .beginning), found)
            }
            let words = "SHA-256 is \(found.digest), \(found.bytes) bytes"
            return (Judgement(.fail, words, flaw: .different), found)
        } catch {
            return (unreadable(error), nil)
        }
    }

    /// A file's size and its SHA-256 in hexadecimal.
    package static func digest(
        of path: String
    ) throws(SystemError) -> (size: UInt64, digest: String) {
        let content = try content(of: path)
        return (content.bytes, content.digest)
    }

    /// What a file is known by, and a beginning of it.
    static func content(
        of path: String,
        beginning: UInt64? = nil
    ) throws(SystemError) -> ContentDigest.Content {
        let file = try File(path, for: .reading)
        var digest = ContentDigest(beginning: beginning)
        var offset: UInt64 = 0
        while true {
            let piece = try file.read(at: offset, count: pieceBytes)
            if piece.isEmpty { return digest.content }
            digest.update(piece.span)
            offset += UInt64(piece.count)
        }
    }

    /// What is said of a result that is right as far as it goes.
    static func beginning(_ found: UInt64, of right: UInt64) -> Judgement {
        Judgement(
            .fail,
            found == 0
                ? "is empty (0 of \(right) bytes)"
                : "has only the first \(found) of \(right) bytes",
            flaw: .beginning
        )
    }

    private static func unreadable(_ error: SystemError) -> Judgement {
        error.isMissingFile
            ? Judgement(.fail, "is missing", flaw: .missing)
            : Judgement(.inconclusive, "cannot be read: \(error)")
    }
}

/// A verdict and its reason.
struct Judgement: Hashable, Sendable {
    var verdict: OracleResult.Verdict
    var words: String
    var flaw: OracleResult.Flaw?

    init(_ verdict: OracleResult.Verdict, _ words: String, flaw: OracleResult.Flaw? = nil) {
        self.verdict = verdict
        self.words = words
        self.flaw = flaw
    }
}
