/// The secrets of QUIC connections, as a client or a server writes them down (the SSLKEYLOGFILE format).
///
/// Anyone who has them can read the connections: they stand in nothing that is written.
package struct QUICKeyLog: Sendable {
    /// What a secret is for, by its label in the file.
    package enum Label: String, Hashable, Sendable, CaseIterable {
        case clientEarly = "CLIENT_EARLY_TRAFFIC_SECRET"
        case clientHandshake = "CLIENT_HANDSHAKE_TRAFFIC_SECRET"
        case serverHandshake = "SERVER_HANDSHAKE_TRAFFIC_SECRET"
        case client = "CLIENT_TRAFFIC_SECRET_0"
        case server = "SERVER_TRAFFIC_SECRET_0"
    }

    private struct Name: Hashable {
        let label: Label
        let random: [UInt8]
    }

    private var secrets: [Name: [UInt8]] = [:]
    /// In the order in which they came.
    private var names: [Name] = []
    /// A last line that is not whole yet.
    private var rest: [UInt8] = []

    /// Of a line: label, random and secret take at most 31, 64 and 96 characters.
    private static let lineLimit = 256
    /// Five for each of some 6,500 connections; beyond it the oldest go.
    private static let limit = 32_768

    package init() {}

    package var count: Int { secrets.count }

    /// Takes the next bytes of the file; lines that are no secrets of QUIC are passed over.
    package mutating func append(_ bytes: some Sequence<UInt8>) {
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") else {
                // One that is cut here is too long for a secret.
                if rest.count < Self.lineLimit { rest.append(byte) }
                continue
            }
            take(rest)
            rest.removeAll(keepingCapacity: true)
        }
    }

    /// The secret of a connection; nil as long as it is not there.
    package func secret(_ label: Label, of random: [UInt8]) -> [UInt8]? {
        secrets[Name(label: label, random: random)]
    }

    private mutating func take(_ line: [UInt8]) {
        let words = line.split(separator: UInt8(ascii: " "))
        guard words.count == 3,
            let label = String(validating: words[0], as: UTF8.self).flatMap(Label.init),
            let random = Self.bytes(words[1]), random.count == 32,
            let secret = Self.bytes(words[2]), secret.count == 32 || secret.count == 48
        else { return }
        let name = Name(label: label, random: random)
        if secrets.updateValue(secret, forKey: name) == nil { names.append(name) }
        guard names.count > Self.limit else { return }
        for name in names.prefix(Self.limit / 2) { secrets[name] = nil }
        names.removeFirst(Self.limit / 2)
    }

    private static func bytes(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in text {
            let digit: UInt8
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = character - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = character - UInt8(ascii: "A") + 10
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return bytes
    }
}
