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

    /// Of the system that the program runs on: it is the one library that is not linked in.
    package static var glibc: String { unsafe String(cString: gnu_get_libc_version()) }

    /// Major and minor version of Swift's runtime; the third number that it gives is always 0.
    package static var swift: String {
        "\(_SwiftStdlibVersion.current)".split(separator: ".").prefix(2).joined(separator: ".")
    }
}
