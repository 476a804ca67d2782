/// The protocol, and its version, by which one upload is made; a resource keeps it for life.
package enum UploadProtocol: Hashable, Sendable {
    case ietf(InteropVersion)
    /// tus 1.0.0.
    case tus

    package static let tusVersion = "1.0.0"

    /// Every protocol that the origin speaks, in the order of tables.
    package static let all: [UploadProtocol] = InteropVersion.allCases.map(Self.ietf) + [.tus]

    var isTus: Bool { self == .tus }

    var version: InteropVersion? {
        guard case .ietf(let version) = self else { return nil }
        return version
    }
}

extension UploadProtocol: CustomStringConvertible {
    /// `ietf-6`, `tus-1.0.0`.
    package var description: String {
        switch self {
        case .ietf(let version): "ietf-\(version.rawValue)"
        case .tus: "tus-\(Self.tusVersion)"
        }
    }
}

extension UploadProtocol: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Self.all.first(where: { $0.description == text }) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "'\(text)' is no upload protocol"
            )
        }
        self = value
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
