internal import Arguments
internal import Basics
internal import Journal
internal import SystemIO

/// `linkcond journal digest|diff|show`.
struct JournalCommand {
    let console: Console

    func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
        switch invocation.command.name {
        case "diff": return try diff(invocation.operands[0], invocation.operands[1])
        case "format": try console.write(Self.format(width: console.textWidth))
        case "show": try show(invocation.operands[0])
        default: try console.write([try digest(invocation.operands[0]).text])
        }
        return .success
    }

    /// What stands in a journal, in columns.
    private static func format(width: Int) -> [String] {
        func rows(_ keys: [JournalFormat.Key]) -> [String] {
            keys.flatMap { key in
                TextLayout.definition(
                    key.name,
                    key.meaning,
                    indent: 4,
                    column: 24,
                    width: width
                )
            }
        }
        var lines = ["every record"] + rows(JournalFormat.common)
        for type in JournalFormat.types {
            lines += ["\(type.name): \(type.meaning)"] + rows(type.keys)
        }
        return lines
    }

    /// - Parameters:
    ///   - path: of the journal.
    ///   - restart: is called if what was given has turned out to be wrong.
    ///   - give: gets what the digest covers, piece by piece.
    /// - Returns: the digest, and whether nothing had to be given anew.
    /// - Throws: why the journal cannot be read.
    private func digest(
        _ path: String,
        restart: () -> Void = {},
        _ give: ([UInt8]) -> Void = { _ in }
    ) throws(Failure) -> (text: String, isAsRead: Bool) {
        var hash = Digest(.sha256)
        var isAsRead = true
        let journal = try JournalInput.canonical(path) {
            hash = Digest(.sha256)
            isAsRead = false
            restart()
        } _: {
            hash.update($0)
            give($0)
        }
        let digest = SHA256.hexadecimal(digest: hash.value)
        warn(about: journal, digest, path)
        return (digest, isAsRead)
    }

    /// Only the end of a journal says whether it can be shown as it is read.
    private func show(_ path: String) throws(Failure) {
        guard JournalInput.canBeReadAgain(path) else {
            let journal = try JournalInput.canonical(path)
            let text = journal.text
            warn(about: journal, SHA256.hexadecimal(text), path)
            return try console.write(bytes: text)
        }
        var held = HeldOutput(in: OriginCommand.temporaryFolder)
        let isAsRead = try digest(path) {
            held.removeAll()
        } _: {
            held.add($0)
        }.isAsRead
        guard held.isLost else {
            return try held.give { (bytes) throws(Failure) in try console.write(bytes: bytes) }
        }
        try showAgain(path, isAsRead: isAsRead)
    }

    /// Shows a journal that was read before, without holding anything.
    private func showAgain(_ path: String, isAsRead: Bool) throws(Failure) {
        guard isAsRead else {
            return try console.write(bytes: try JournalInput.canonical(path).text)
        }
        var failure: Failure?
        _ = try JournalInput.canonical(path) {
            failure = Failure(.configuration, "'\(path)' changed while it was read")
        } _: { lines in
            guard failure == nil else { return }
            do throws(Failure) {
                try console.write(bytes: lines)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    private func journal(_ path: String) throws(Failure) -> CanonicalJournal {
        let journal = try JournalInput.canonical(path)
        warn(about: journal, journal.digest(sha256: SHA256.digest), path)
        return journal
    }

    private func warn(about journal: CanonicalJournal, _ digest: String, _ path: String) {
        let note = "\(CommandSet.program): note: '\(path)'"
        if journal.truncatedBytes > 0 {
            console.log("\(note) ends in the middle of a line, which is ignored")
        }
        warnAboutEnd(of: journal, digest, path)
        if journal.troubles > 0 {
            console.log(
                "\(note) records problems in linkcond itself"
                    + " (\(Figures.count(journal.troubles, "record"))); do not fully trust it"
            )
        }
    }

    /// Of a journal that is not whole neither its end nor its digest says anything.
    private func warnAboutEnd(of journal: CanonicalJournal, _ digest: String, _ path: String) {
        let note = "\(CommandSet.program): note: '\(path)'"
        if let words = JournalFiles(path).note { return console.log("\(note) \(words)") }
        if !journal.isComplete { console.log("\(note) has no end record: the run was cut off") }
        if let stated = journal.statedDigest, stated != digest {
            console.log("\(note) was changed after the run, which recorded the digest \(stated)")
        }
    }

    private func diff(_ first: String, _ second: String) throws(Failure) -> ExitCode {
        if first == "-", second == "-" {
            throw Failure(
                .usage,
                "standard input can be read only once; give one journal as a file"
            )
        }
        let (differences, further) = JournalDiff.compare(
            try journal(first),
            try journal(second)
        )
        guard !differences.isEmpty else {
            try console.write(["equal"])
            return .success
        }
        var lines: [String] = []
        for difference in differences {
            let places = [(first, difference.firstLine), (second, difference.secondLine)]
                .map { path, line in line.map { "\(path):\($0)" } ?? "\(path): no such record" }
            lines.append(
                "\(difference.place), record \(difference.record): "
                    + places.joined(separator: ", ")
            )
            lines += difference.explanation.map { "    \($0)" }
        }
        if further > 0 { lines.append("and \(Figures.count(further, "more difference"))") }
        try console.write(lines)
        return .findings
    }
}
