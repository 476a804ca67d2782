internal import Basics
package import Journal

/// Counts how often transfers went on where they had been cut off, from records.
///
/// A resumption asks for the rest of what was cut off before: a range that does not begin at 0, or
/// content at an upload offset above 0. Ranges and parts without a failure before them are none.
/// Content is sent again where its receiver had it before the message was cut off.
package struct ResumeCounters: Sendable {
    package private(set) var downloads: UInt64 = 0
    package private(set) var uploads: UInt64 = 0
    /// Bytes of content that were sent again, known at the end of each message.
    package private(set) var resent = (up: UInt64(0), down: UInt64(0))
    /// Paths of which a message was cut off.
    private var cut: Set<String> = []
    /// How far content came that was cut off, by path.
    private var reached: [MessageSide: [String: UInt64]] = [:]
    /// What the exchanges of open connections are about.
    private var open: [ConnectionID: [UInt32: About]] = [:]

    private struct About: Hashable, Sendable {
        /// The path asked for, and the one that was told for the upload.
        var paths: [String]
        /// Whether it asks for the rest of a download that was cut off, and is not answered yet.
        var wantsRest = false
        /// The place of the first byte of content in the object; nil if it is no part of it.
        var requestStart: UInt64?
        var responseStart: UInt64?
    }

    /// Paths and exchanges that are remembered; beyond it counting begins anew.
    private static let limit = 16_384

    package init() {}

    package mutating func take(_ record: JournalRecord) {
        switch record {
        case .request(let report): take(report)
        case .response(let report): take(report)
        case .body(let report):
            guard let about = self[report.exchange] else { return }
            countResent(report, about)
            guard !report.isComplete else { return }
            for path in about.paths { cut.insert(path) }
        case .connectionEnd(let end): open[end.connection] = nil
        default: break
        }
    }

    private subscript(exchange: ExchangeID) -> About? {
        get { open[exchange.connection]?[exchange.ordinal] }
        set { open[exchange.connection, default: [:]][exchange.ordinal] = newValue }
    }

    private mutating func take(_ report: RequestReport) {
        if open.count > Self.limit || cut.count > Self.limit { self = emptied() }
        // Whoever asks again on a connection has had the answers before but one or two.
        if report.exchange.ordinal > 8 {
            open[report.exchange.connection]?[report.exchange.ordinal - 8] = nil
        }
        let path = Self.path(of: report.target, base: "/")
        var about = About(paths: [path])
        about.requestStart = report.fields["upload-offset"].map { UInt64($0) } ?? 0
        defer { self[report.exchange] = about }
        guard cut.contains(path) else { return }
        if let range = report.fields["range"], Self.beginsLater(range) {
            about.wantsRest = true
        } else if report.method == "PATCH", let offset = report.fields["upload-offset"],
            offset.contains(where: { $0 != "0" })
        {
            uploads += 1
            cut.remove(path)
        }
    }

    private mutating func take(_ report: ResponseReport) {
        guard let about = self[report.exchange] else { return }
        if let location = report.fields["location"], let base = about.paths.first {
            self[report.exchange]?.paths.append(Self.path(of: location, base: base))
        }
        guard report.interimOrdinal == nil else { return }
        self[report.exchange]?.responseStart = Self.start(of: report)
        guard about.wantsRest else { return }
        self[report.exchange]?.wantsRest = false
        guard report.status == 206 else { return }
        downloads += 1
        for path in about.paths { cut.remove(path) }
    }

    /// Counts what overlaps with content that came before a cut.
    private mutating func countResent(_ report: BodyReport, _ about: About) {
        let isUp = report.side == .request
        guard let start = isUp ? about.requestStart : about.responseStart else { return }
        let before = about.paths.compactMap { reached[report.side]?[$0] }.max() ?? 0
        let again = before > start ? min(report.bytes, before - start) : 0
        if isUp { resent.up += again } else { resent.down += again }
        let end =
            report.isComplete ? nil : max(before, start.addingReportingOverflow(report.bytes).0)
        for path in about.paths { reached[report.side, default: [:]][path] = end }
    }

    private func emptied() -> ResumeCounters {
        var next = ResumeCounters()
        next.resent = resent
        next.downloads = downloads
        next.uploads = uploads
        return next
    }

    /// Without scheme, host and query.
    private static func path(of location: String, base: String) -> String {
        String(URLText.path(of: location, base: base).prefix { $0 != "?" && $0 != "#" })
    }

    /// The place of a response's first byte in the object; nil if it carries no part of it, or several.
    private static func start(of report: ResponseReport) -> UInt64? {
        guard report.status == 206 else { return report.status == 200 ? 0 : nil }
        guard let range = report.fields["content-range"],
            let begin = range.firstRange(of: " ")?.upperBound
        else { return nil }
        return UInt64(range[begin...].prefix { $0 != "-" })
    }

    /// Whether a range of bytes begins above 0 (RFC 9110 §14.1.2); one that counts from the end does
    /// not say.
    private static func beginsLater(_ range: String) -> Bool {
        guard let start = range.firstRange(of: "=")?.upperBound else { return false }
        return range[start...].prefix { $0 != "-" }.contains { ("1"..."9").contains($0) }
    }
}
