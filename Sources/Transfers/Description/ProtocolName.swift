internal import HTTPWire
package import ResumableClient

/// The names of the upload protocols in files and records.
package enum ProtocolName {
    package static func text(_ dialect: UploadPlan.Dialect) -> String {
        switch dialect {
        case .ietf(let version): "ietf-\(version.rawValue)"
        case .tus: "tus"
        case .plain: "plain"
        }
    }

    package static func dialect(_ text: String) -> UploadPlan.Dialect? {
        switch text {
        case "tus": return .tus
        case "plain": return .plain
        default:
            guard text.hasPrefix("ietf-"), let number = Int(text.dropFirst(5)) else { return nil }
            return InteropVersion(rawValue: number).map { .ietf($0) }
        }
    }

    static func text(_ choice: UploadChoices.ProtocolChoice) -> String {
        switch choice {
        case .known(let dialect): text(dialect)
        case .asked: "auto"
        }
    }

    static func choice(_ text: String) -> UploadChoices.ProtocolChoice? {
        text == "auto" ? .asked : dialect(text).map { .known($0) }
    }
}
