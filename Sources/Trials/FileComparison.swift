internal import Basics
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
            let isShort = foundSize < rightSize
            let what = isShort ? "is only a beginning" : "has bytes too many"
            return Judgement(
                .fail,
                "\(what): \(sizes(foundSize, rightSize))",
                flaw: isShort ? .beginning : .different
            )
        }
        return Judgement(.pass, "equal, \(rightSize) bytes")
    }

    private static func sizes(_ found: UInt64, _ right: UInt64) -> String {
        found == right ? "\(right) bytes" : "\(found) bytes, not \(right)"
    }

    /// Compares a result's SHA-256 with the right one.
    static func check(_ result: String, sha256 right: String) -> Judgement {
        do throws(SystemError) {
            let (size, digest) = try Self.digest(of: result)
            guard digest == right else {
                return Judgement(
                    .fail,
                    "SHA-256 is \(digest), \(size) bytes",
                    flaw: .different
                )
            }
            return Judgement(.pass, "equal, \(size) bytes")
        } catch {
            return unreadable(error)
        }
    }

    /// A file's size and its SHA-256 in hexadecimal.
    package static func digest(
        of path: String
    ) throws(SystemError) -> (size: UInt64, digest: String) {
        let file = try File(path, for: .reading)
        let digest = Digest(.sha256)
        var offset: UInt64 = 0
        while true {
            let piece = try file.read(at: offset, count: pieceBytes)
            if piece.isEmpty { return (offset, HexadecimalText.encode(digest.value)) }
            digest.update(piece)
            offset += UInt64(piece.count)
        }
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
