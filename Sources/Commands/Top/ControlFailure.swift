internal import Arguments
internal import Basics
internal import HTTPTransport
internal import HTTPWire
internal import SystemIO

/// Why control did not do what was asked.
enum ControlFailure: Error, Hashable, Sendable {
    case transport(ClientFailure)
    /// Another status than success, with what the problem document says.
    case refused(status: Int, detail: String?)
    /// What answers is no control API.
    case foreign

    /// One line that says what to do.
    func failure(_ address: ControlAddress) -> Failure {
        Failure(.unavailable, words(address))
    }

    private func words(_ address: ControlAddress) -> String {
        switch self {
        case .transport(let failure): Self.words(failure.reason, failure, address)
        case .refused(401, _):
            "\(address) asks for another token: put the one that linkcond printed into"
                + " LINKCOND_CONTROL_TOKEN, or give its --ready-file"
        case .refused(_, let detail?): "\(address) refuses: \(detail)"
        case .refused, .foreign:
            "what answers at \(address) is not the control of a linkcond; look for its line"
                + " 'control http://...'"
        }
    }

    private static func words(
        _ reason: ClientFailure.Reason,
        _ failure: ClientFailure,
        _ address: ControlAddress
    ) -> String {
        let start =
            switch address {
            case .unix(let path): "start it with --control unix:\(path)"
            case .http: "start it with --control \(address)"
            }
        switch reason {
        case .refused: return "nothing listens at \(address): is linkcond running? \(start)"
        case .unreachable(.noSuchFile):
            return "there is no socket \(address): is linkcond running? \(start)"
        case .unreachable(.permissionDenied):
            return "permission denied on the socket \(address); run this as its owner"
        case .malformed: return Self.foreign.words(address)
        case .idleTimeout: return "\(address) has not answered for a while; it may be stopped"
        case .reset, .closedBeforeResponse, .truncatedHead, .truncatedBody, .staleReuse:
            return "the connection to \(address) is lost: linkcond ended or was stopped"
        default: return "\(address): \(failure)"
        }
    }

    /// Whether it is what everybody hears who talks to a process that has ended.
    var meansNobodyIsThere: Bool {
        guard case .transport(let failure) = self else { return false }
        return switch failure.reason {
        case .refused, .unreachable, .reset, .closedBeforeResponse, .truncatedHead, .truncatedBody,
            .staleReuse:
            true
        default: false
        }
    }

    /// A few words for the list of events.
    var short: String {
        switch self {
        case .transport(let failure): "\(failure)"
        case .refused(let status, let detail): detail ?? "status \(status)"
        case .foreign: "the response is not from linkcond"
        }
    }

    /// What an answer that is no success says.
    static func refused(_ status: Int, _ body: [UInt8]) -> ControlFailure {
        guard case .object(let problem) = try? JSONParser.parse(body[...], .document) else {
            return .refused(status: status, detail: nil)
        }
        return .refused(status: status, detail: problem.text("detail"))
    }
}
