import Foundation

enum FileMode {
    /// The permissions of a file.
    static func of(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
}
