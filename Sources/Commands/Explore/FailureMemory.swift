internal import Basics
internal import Analysis
internal import Arguments
internal import Exploration
internal import Faults
internal import SystemIO

/// The failures of earlier explorations of one command: a file of schedule lines, of which each
/// has a comment that says what it showed.
///
/// It can be kept under version control, so that what failed once is looked at first everywhere.
final class FailureMemory {
    private struct Entry {
        var comment: String
        var point: Point
    }

    private let path: String
    private let folder: String
    private let command: String
    private var entries: [Entry] = []

    /// The most bytes of a file that is read.
    private static let sizeLimit = 1 << 20

    /// - Parameters:
    ///   - folder: an absolute path.
    ///   - words: of the command; each command has a file of its own.
    /// - Throws: `configuration` for a line that is no schedule.
    init(_ folder: String, command words: [String]) throws(Failure) {
        self.folder = folder
        command = ShellText.line(words)
        let mark = SHA256.hexadecimal(Array(command.utf8)).prefix(16)
        path = "\(folder)/\(mark)"
        guard FileSystem.isFile(path) else { return }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileSystem.read(path, limit: Self.sizeLimit)
        } catch {
            throw Failure(.inputMissing, "cannot read remembered failures '\(path)': \(error)")
        }
        try read(String(decoding: bytes, as: UTF8.self))
    }

    private func read(_ text: String) throws(Failure) {
        var comment = ""
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            if line.hasPrefix("#") {
                comment = String(line.drop { $0 == "#" || $0 == " " })
            } else if !line.isEmpty {
                let point = try point(String(line), number + 1)
                entries.append(Entry(comment: comment, point: point))
            }
        }
    }

    private func point(_ line: String, _ number: Int) throws(Failure) -> Point {
        do throws(ScheduleError) {
            return try Point(parsing: line)
        } catch {
            let place = error.diagnostic(label: "\(path):\(number)")
            throw Failure(.configuration, diagnostics: ["\(place); correct or remove the line"])
        }
    }

    var points: [Point] { entries.map(\.point) }

    /// Keeps what failed, and of what was there before all that did not pass now.
    ///
    /// Nothing is said of a folder that cannot be written: the report has it all.
    func remember(_ report: CampaignReport) {
        let passed = Set(
            report.records.filter { $0.judgement == .pass || $0.judgement == .honest }
                .map(\.point.identity)
        )
        let findings = report.findings.filter(\.kind.isFailure)
        var kept = findings.map { finding in
            Entry(
                comment: "\(finding.kind.rawValue) at \(finding.position): \(finding.reason)",
                point: finding.minimal
            )
        }
        let known = Set(kept.map(\.point.identity))
        kept += entries.filter {
            !passed.contains($0.point.identity) && !known.contains($0.point.identity)
        }
        guard !kept.isEmpty else {
            FileSystem.remove(path)
            return
        }
        write(kept)
    }

    private func write(_ entries: [Entry]) {
        var lines = ["# \(command)"]
        for entry in entries {
            let comment = entry.comment.split(whereSeparator: \.isNewline).joined(separator: " ")
            lines += ["", "# \(comment)", entry.point.schedule]
        }
        guard (try? Folder.make(folder)) != nil else { return }
        try? FileSystem.replace(path, with: Console.bytes(lines))
    }
}
