internal import Basics
internal import HTTPWire

/// Where the control API of a running linkcond is, as people write it.
enum ControlAddress: Hashable, Sendable {
    /// Without user, path, query and fragment.
    case http(HTTPURL)
    /// The path of a Unix socket.
    case unix(String)

    /// What a text means: an address itself, or a file that has one.
    enum Reference: Hashable, Sendable {
        case address(ControlAddress)
        /// What `--ready-file` wrote.
        case readyFile(String)
    }

    /// Why a text is none of these, in words that say what to write.
    struct Mistake: Error, Hashable, Sendable {
        var words: String
    }

    /// The address and the token of what `--ui` prints, `http://127.0.0.1:9000/#t=TOKEN`; nil for
    /// anything else.
    static func page(_ text: String) -> (address: String, token: String)? {
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].hasPrefix("t="), parts[1].count > 2 else { return nil }
        return (String(parts[0]), String(parts[1].dropFirst(2)))
    }

    /// Reads `127.0.0.1:9000`, `http://127.0.0.1:9000`, `unix:/path` or the path of a ready-file.
    static func reference(_ text: String) throws(Mistake) -> Reference {
        if text.hasPrefix("unix:") || text.contains("://") {
            return .address(try ControlAddress(text))
        }
        if text.contains("/") || text.hasSuffix(".json") || !hasPort(text) {
            return .readyFile(text)
        }
        return .address(try ControlAddress("http://\(text)"))
    }

    /// Reads an address with its scheme, as linkcond prints it.
    init(_ text: String) throws(Mistake) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst("unix:".count))
            guard !path.isEmpty else { throw Mistake(words: "write unix:/path") }
            self = .unix(path)
            return
        }
        guard !text.contains("#"), !text.contains("?") else {
            throw Mistake(
                words: "leave out what follows '#' or '?', or give the whole address that --ui"
                    + " prints"
            )
        }
        let url = try Self.url(text)
        guard !url.isSecure else { throw Mistake(words: "control speaks http, not https") }
        guard url.target == "/" else { throw Mistake(words: "leave out the path") }
        self = .http(url)
    }

    private static func url(_ text: String) throws(Mistake) -> HTTPURL {
        do throws(HTTPURLError) {
            return try HTTPURL(text)
        } catch {
            throw Mistake(words: "\(error)")
        }
    }

    /// Whether a text ends in a colon and digits.
    private static func hasPort(_ text: String) -> Bool {
        guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else { return false }
        let digits = text.utf8[text.utf8.index(after: colon)...]
        return !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) }
    }
}

extension ControlAddress: CustomStringConvertible {
    var description: String {
        switch self {
        case .unix(let path): "unix:\(path)"
        case .http(let url):
            url.host.contains(":") ? "[\(url.host)]:\(url.port)" : "\(url.host):\(url.port)"
        }
    }
}

/// What a ready-file says of control.
struct ReadyFile: Hashable, Sendable {
    /// Nil if the run that wrote it has no control.
    var control: String?
    var token: String?

    /// Reads a ready-file's content; nil if it is none.
    init?(_ bytes: [UInt8]) {
        guard case .object(let object) = try? JSONParser.parse(bytes[...], .document),
            object["control"] != nil, object["pid"] != nil
        else {
            return nil
        }
        control = object.text("control")
        token = object.text("token")
    }
}
