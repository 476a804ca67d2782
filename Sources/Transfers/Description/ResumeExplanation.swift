internal import Basics
internal import HTTPWire
internal import ResumableClient
internal import SystemIO

/// What resume data say, and whether they can be gone on from as the files are now.
///
/// Nothing is changed, and nobody is asked.
package struct ResumeExplanation {
    /// For people, without credentials.
    package private(set) var lines: [String]
    /// Why the transfer would begin at zero; nil if it would not.
    package private(set) var obstacle: String?

    package init(_ resume: ResumeFile) {
        lines = []
        switch resume.data {
        case .download(let state): explain(state, resume)
        case .upload(let state): explain(state, resume)
        }
        lines.append(
            obstacle.map { "verdict        begins at zero: \($0)" }
                ?? "verdict        can be resumed"
        )
    }

    private mutating func add(_ name: String, _ text: String) {
        let filler = String(repeating: " ", count: max(1, 15 - name.utf8.count))
        lines.append(name + filler + PrintableText.escaped(text))
    }

    // MARK: Downloads

    private mutating func explain(_ state: DownloadResumption, _ resume: ResumeFile) {
        let (stored, reason) = Self.usable(state, resume)
        obstacle = reason
        add("download of", state.address.text)
        add("to", resume.description.file)
        let size = state.size.map { " of \($0)" } ?? ""
        add("stored", "\(stored)\(size) bytes in \(state.file)")
        switch state.validator {
        case .etag(let tag): add("version", "entity tag \(tag)")
        case .lastModified(let date): add("version", "last modified \(date)")
        }
        guard reason == nil else { return }
        if stored == state.size { return add("next", "nothing is missing; the file gets its name") }
        add("next", "GET \(state.final.text)")
        add("", "Range: bytes=\(stored)-, If-Range: \(state.validator.field)")
        add("then", "206 continues; 200 brings the whole object, which replaces what is stored")
    }

    /// Bytes of the partial file that would be used, and why none would.
    private static func usable(
        _ state: DownloadResumption,
        _ resume: ResumeFile
    ) -> (stored: UInt64, obstacle: String?) {
        guard let file = try? File(state.file, for: .reading), let facts = try? file.information()
        else {
            return (0, "'\(state.file)' is gone")
        }
        return resume.usableBytes(
            of: state,
            in: facts,
            named: state.file,
            tail: PartialFile.tail(of: file, before: state.stored)
        )
    }

    // MARK: Uploads

    private mutating func explain(_ state: UploadResumption, _ resume: ResumeFile) {
        add("upload of", Self.name(of: state, resume))
        add("to", state.target.text)
        add("protocol", ProtocolName.text(state.dialect))
        add("acknowledged", "\(state.acknowledged) of \(state.source.size) bytes")
        obstacle = Self.change(of: state, resume)
        guard obstacle == nil else { return }
        add("next", "HEAD \(state.resource.text)")
        add("then", "PATCH from the offset that it states")
    }

    private static func change(of state: UploadResumption, _ resume: ResumeFile) -> String? {
        let name = name(of: state, resume)
        guard let source = try? UploadSource(resume.description.file) else {
            return "'\(name)' is gone"
        }
        if let form = resume.description.form { source.wrap(in: form) }
        return source.identity.isSame(as: state.source) ? nil : "'\(name)' was changed since"
    }

    /// The source's; data of earlier versions have it in their description alone.
    private static func name(of state: UploadResumption, _ resume: ResumeFile) -> String {
        state.file.isEmpty ? resume.description.file : state.file
    }
}

extension ResumeFile {
    /// How much of a partial file is what these data are of.
    ///
    /// - Parameters:
    ///   - state: of these data.
    ///   - facts: of the file as it is.
    ///   - name: of the file, for the reason.
    ///   - tail: the digest of its last bytes before those that are not known to be stored.
    ///   - boot: of the machine now.
    /// - Returns: the number of bytes, and why none of them can be used.
    func usableBytes(
        of state: DownloadResumption,
        in facts: FileInformation,
        named name: String,
        tail: [UInt8]?,
        boot: String? = ProcessIdentity.current?.boot
    ) -> (stored: UInt64, obstacle: String?) {
        if let expected = self.tail, expected != tail {
            return (0, "'\(name)' does not hold what the resume data are of")
        }
        // During one boot the system forgets nothing that was written. Another file of the name, such
        // as one that was put back, holds what the data say at most.
        let isKnown = self.boot != nil && self.boot == boot && partial == facts.identity
        let most = isKnown ? state.size ?? facts.size : state.stored
        let stored = min(facts.size, most)
        return (stored, stored > 0 ? nil : "nothing of it is in '\(name)'")
    }
}
