/// A profile file that is part of the program.
package struct EmbeddedProfile: Sendable {
    /// The name that users type; the file says the same.
    package let name: String
    /// The name of the file, which begins with a letter even where the profile's name does not.
    package let file: String
    /// UTF-8.
    package let bytes: [UInt8]

    init(_ name: String, _ bytes: [UInt8], file: String? = nil) {
        self.name = name
        self.file = "\(file ?? name).yaml"
        self.bytes = bytes
    }

    /// The file as text.
    package var text: String { String(decoding: bytes, as: UTF8.self) }
}

/// The profile files that are part of the program.
package enum Profiles {
    /// All of them, in the order in which a list shows them.
    package static let all: [EmbeddedProfile] = [
        EmbeddedProfile("none", PackageResources.none_yaml),
        EmbeddedProfile("lte", PackageResources.lte_yaml),
        EmbeddedProfile("3g", PackageResources.umts_3g_yaml, file: "umts-3g"),
        EmbeddedProfile("lossy", PackageResources.lossy_yaml),
        EmbeddedProfile("constrained", PackageResources.constrained_yaml),
        EmbeddedProfile("drop-after-n-bytes", PackageResources.drop_after_n_bytes_yaml),
    ]
}
