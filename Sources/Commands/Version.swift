internal import Basics
internal import SystemIO

/// The program's own version, and what it was built with.
enum Version {
    /// Semantic version; the journal's format has a number of its own.
    static let number = "0.1.0"

    static var lines: [String] {
        [
            "linkcond \(number)",
            "libuv \(LibraryVersions.libuv), OpenSSL \(LibraryVersions.openSSL)",
        ]
    }

    static var json: JSONValue {
        [
            "name": "linkcond", "version": .string(number),
            "libuv": .string(LibraryVersions.libuv),
            "openssl": .string(LibraryVersions.openSSL),
        ]
    }
}
