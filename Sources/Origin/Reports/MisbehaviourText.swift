internal import ResumableServer

extension Misbehaviour.Effect {
    /// As it stands in a rule, without its scope and its requests.
    var text: String {
        switch self {
        case .status(let status, nil): "\(status)"
        case .status(let status, .seconds(let seconds)): "\(status),retry-after=\(seconds)"
        case .status(let status, .date(let seconds)): "\(status),retry-after-date=\(seconds)"
        case .drop104: "drop-104"
        case .forget: "forget"
        case .lose(let bytes): "lose=\(bytes)"
        case .slowFinal(let milliseconds): "slow-final=\(milliseconds)ms"
        case .mutate(let mutation): "mutate=\(mutation.rawValue)"
        case .entityTag(let form): "etag=\(form.rawValue)"
        case .lastModified(let form): "last-modified=\(form.rawValue)"
        case .ignoreRange: "ignore-range"
        case .shiftRange(let distance): "shift-range=\(distance)"
        case .noContentRange: "no-content-range"
        case .wrongTotal: "wrong-total"
        case .notModified: "304"
        case .unsatisfiable: "416"
        case .partialAs200: "200-partial"
        case .short(let bytes): "short=\(bytes)"
        case .multipart: "multipart"
        case .falseGzip: "false-gzip"
        case .gzip: "gzip"
        case .stale(let age): "stale=\(age)"
        case .limitAppend(let bytes): "max-append-size=\(bytes)"
        case .limitSize(let bytes): "max-size=\(bytes)"
        }
    }
}
