internal import CLibuv
internal import COpenSSL

/// Versions of the C libraries that are linked in.
@safe
package enum LibraryVersions {
    package static var libuv: String { unsafe String(cString: uv_version_string()) }

    package static var openSSL: String {
        unsafe String(cString: OpenSSL_version(OPENSSL_VERSION_STRING))
    }
}
