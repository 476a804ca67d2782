internal import CLibrary
internal import CLibuv

/// What this build is made for.
package enum Platform {
    /// Whether everything that only Linux has was left out.
    package static let isPortable = true

    /// How the system is called.
    package static var name: String {
        var names = uv_utsname_t()
        guard unsafe uv_os_uname(&names) == 0 else { return "an unknown system (portable build)" }
        let name = unsafe withUnsafeBytes(of: names.sysname) {
            unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        return "\(name) (portable build)"
    }

    /// The file of this program; nil if it is not known.
    package static var program: String? {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        var size = path.count
        guard unsafe uv_exepath(&path, &size) == 0 else { return nil }
        return String(decoding: path[..<size].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
