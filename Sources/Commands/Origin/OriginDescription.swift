internal import Basics
internal import SystemIO

/// What is said of an origin at its start.
struct OriginDescription {
    var addresses: [SocketAddress]
    /// Whether clients speak TLS.
    var speaksTLS = false
    /// nil for a private one.
    var folder: String?
    /// The server that it stands in front of.
    var upstream: String?

    /// The first lines of standard output, one for each listener.
    var listeningLines: [String] {
        addresses.map {
            "listening \($0) origin \(folder.map(ShellText.word) ?? "private")"
                + (speaksTLS ? " https" : "")
        }
    }

    var scheme: String { speaksTLS ? "https" : "http" }

    /// The same for programs: the first line with `--json`, `--ready-file` and `--ready-fd`.
    var json: JSONValue {
        var object: JSONObject = ["v": 1, "event": "listening"]
        switch addresses.first {
        case .unix(let path):
            object.append("url", .string("unix:\(path)"))
            object.append("host", .null)
            object.append("port", .null)
        case let address:
            let text = address?.description ?? ""
            let host = text[..<(text.lastIndex(of: ":") ?? text.endIndex)]
            object.append("url", .string("\(scheme)://\(text)"))
            object.append("host", .string(String(host.filter { $0 != "[" && $0 != "]" })))
            object.append("port", address?.port.map { .number($0) } ?? .null)
        }
        object.append("control", "/.linkcond/")
        object.append("pid", .number(CurrentProcess.identifier))
        object.append("folder", folder.map { .string($0) } ?? .null)
        if let upstream { object.append("uploadTo", .string(upstream)) }
        object.append("listeners", .array(addresses.map { .string($0.description) }))
        return .object(object)
    }
}
