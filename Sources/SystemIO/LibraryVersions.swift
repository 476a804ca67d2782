internal import CLibuv
internal import CNghttp2
internal import COpenSSL
internal import CYAML
internal import CZstandard

/// Versions of what is linked in, each asked of the library itself, and of the system's C library.
@safe
package enum LibraryVersions {
    package static var libuv: String { unsafe String(cString: uv_version_string()) }

    package static var openSSL: String {
        unsafe String(cString: OpenSSL_version(OPENSSL_VERSION_STRING))
    }

    package static var nghttp2: String {
        unsafe String(cString: nghttp2_version(0).pointee.version_str)
    }

    package static var libyaml: String { unsafe String(cString: yaml_get_version_string()) }

    package static var zstandard: String { unsafe String(cString: ZSTD_versionString()) }

    /// Of the system that the program runs on: it is the one library that is not linked in; nil if the
    /// system has another C library.
    package static var glibc: String? {
        guard let version = unsafe linkcond_glibc_version() else { return nil }
        return unsafe String(cString: version)
    }

    /// Major and minor version of Swift's runtime; the third number that it gives is always 0.
    package static var swift: String {
        "\(_SwiftStdlibVersion.current)".split(separator: ".").prefix(2).joined(separator: ".")
    }
}
