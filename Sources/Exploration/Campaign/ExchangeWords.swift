internal import Journal

/// A request and what answered it, in one line of evidence.
struct ExchangeWords {
    private let request: String
    private let mayCarryContent: Bool
    private var sent = ""
    private var answers = ""
    private var received = ""
    /// What is said of the answer's content in case that none comes.
    private var missing = ""

    init(_ report: RequestReport) {
        let place = "c\(report.exchange.connection.ordinal)/r\(report.exchange.ordinal)"
        let fields = ["range", "if-range", "upload-offset"].compactMap { name in
            report.fields[name].map { " \(name): \($0)" }
        }
        request = "\(place) \(report.method) \(report.target)\(fields.joined())"
        mayCarryContent = ["POST", "PUT", "PATCH"].contains(report.method)
        if report.framing == .none || report.framing == .length(0) { sent = " (no content)" }
    }

    /// The status, with what makes of the content something else than it looks like.
    mutating func add(_ report: ResponseReport) {
        let coding = report.fields["content-encoding"].map { " content-encoding: \($0)" } ?? ""
        answers += " → \(report.status)\(coding)"
        missing = Self.missingContent(report)
    }

    mutating func add(_ report: BodyReport) {
        let end = report.isComplete ? "" : ", cut off"
        switch report.side {
        case .request where report.bytes == 0 && report.isComplete: break
        case .request: sent = " (\(report.bytes) B\(end))"
        case .response where report.bytes > 0: received = " (\(report.bytes) B\(end))"
        case .response: break
        }
    }

    var text: String {
        request + (mayCarryContent ? sent : "") + answers + (received.isEmpty ? missing : received)
    }

    /// Of what a fault answers: how much content it declares.
    private static func missingContent(_ report: ResponseReport) -> String {
        guard report.isByFault, let declared = report.fields["content-length"].flatMap(UInt64.init),
            declared > 0
        else { return "" }
        return " (0 of \(declared) B, cut off)"
    }
}
