internal import Basics
internal import HTTPWire
internal import ResumableClient
internal import Transfers

/// Records as lines for people.
struct TransferLog {
    /// Each request and decision, too.
    var explains = false
    /// Interim answers with their fields.
    var showsInterim = false

    /// The line of a record; nil if it is not worth one.
    func line(_ record: TransferRecord) -> String? {
        switch record {
        case .started(let start): started(start)
        case .request(let note): explains ? request(note) : nil
        case .answer(let status, let fields, let isHTTP2):
            explains ? answer(status, fields, isHTTP2) : nil
        case .event(let event): self.event(event)
        case .saved(let file): explains ? "resume data written to \(file)" : nil
        case .ended: nil
        }
    }

    private func started(_ start: TransferStart) -> String? {
        if let reason = start.startsOver { return "beginning at zero: \(reason)" }
        switch start.resuming {
        case .download(let state):
            let size = state.size.map { " of \(Figures.grouped($0))" } ?? ""
            return "going on at byte \(Figures.grouped(state.stored))\(size)"
        case .upload(let state):
            return "going on with the upload at \(state.resource.text)"
        case nil:
            return explains ? "seed \(start.description.seed)" : nil
        }
    }

    private func request(_ note: RequestNote) -> String {
        var text = "\(note.method) \(note.address.text)"
        if let range = note.range { text += ", \(range)" }
        if let body = note.body, !body.isEmpty {
            text += ", bytes \(body.lowerBound)-\(body.upperBound - 1)"
        }
        return text
    }

    private func answer(_ status: Int, _ fields: HeaderFields, _ isHTTP2: Bool) -> String {
        let told = [
            "content-range", "content-length", "etag", "upload-offset", "upload-complete",
            "upload-incomplete", "retry-after", "location",
        ]
        return
            ([Self.status(status) + (isHTTP2 ? " by HTTP/2" : "")]
            + Self.texts(fields.fields.filter { told.contains($0.name.lowercased()) }))
            .joined(separator: ", ")
    }

    private static func status(_ status: Int) -> String { "answer \(status)" }

    private static func texts(_ fields: [HeaderFields.Field]) -> [String] {
        fields.map { "\($0.name): \($0.value)" }
    }

    private func event(_ event: TransferEvent) -> String? {
        switch event {
        case .interim(let status, let fields):
            guard showsInterim || explains else { return nil }
            return (["interim \(status)"] + Self.texts(fields.fields)).joined(separator: ", ")
        case .progress: return nil
        case .waiting(let wait): return WaitText.words(wait)
        case .resumed: return "going on"
        case .retrying(let delay, let failure):
            let time = Figures.time(delay)
            return "\(failure); retrying in \(time)"
        case .restarted(let reason): return "beginning again at zero: \(Self.words(reason))"
        case .explanation(let text): return explains ? text : nil
        }
    }

    private static func words(_ reason: RestartReason) -> String {
        switch reason {
        case .gone: "the server does not know the upload any more"
        case .notResumable: "nothing was left that could be resumed"
        case .changed: "the object on the server is another one now"
        case .range: "the answer does not continue what is stored"
        case .partialFile: "the partial file is gone"
        case .digest: "the digest of the whole is wrong"
        }
    }
}
