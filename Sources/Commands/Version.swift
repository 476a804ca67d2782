internal import Basics
internal import SystemIO

/// The program's own version, and what it was built with.
enum Version {
    /// Semantic version, which packages and their scripts read from this line.
    ///
    /// The journal's format has a number of its own.
    static let number = "0.1.0"

    /// What is linked in, which is what a security notice is about, and the C library, which is not.
    static var libraries: [(key: String, name: String, version: String)] {
        [
            ("swift", "Swift", LibraryVersions.swift),
            ("libuv", "libuv", LibraryVersions.libuv),
            ("openssl", "OpenSSL", LibraryVersions.openSSL),
            ("nghttp2", "nghttp2", LibraryVersions.nghttp2),
            ("libyaml", "libyaml", LibraryVersions.libyaml),
            ("zstd", "zstd", LibraryVersions.zstandard),
        ] + (LibraryVersions.glibc.map { [("glibc", "glibc", $0)] } ?? [])
    }

    static var architecture: String {
        #if arch(x86_64)
            "x86_64"
        #elseif arch(arm64)
            "aarch64"
        #else
            "another architecture"
        #endif
    }

    static var lines: [String] {
        ["linkcond \(number)", "  \(Platform.name) on \(architecture)"]
            + libraries.map {
                "  \($0.name) \($0.version)" + ($0.key == "glibc" ? ", of this system" : "")
            }
    }

    static var json: JSONValue {
        var object: JSONObject = [
            "name": "linkcond", "version": .string(number), "architecture": .string(architecture),
        ]
        for library in libraries { object.append(library.key, .string(library.version)) }
        return .object(object)
    }
}
