package import HTTPWire

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

extension UploadProtocol: LosslessStringConvertible {
    package init?(_ description: String) {
        guard let known = Self.all.first(where: { $0.description == description }) else {
            return nil
        }
        self = known
    }

    /// `ietf-6`, `tus-1.0.0`.
    package var description: String {
        switch self {
        case .ietf(let version): "ietf-\(version.rawValue)"
        case .tus: "tus-\(Self.tusVersion)"
        }
    }
}
