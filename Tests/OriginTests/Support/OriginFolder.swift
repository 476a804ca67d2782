import SystemIO

/// A folder of a test's own, which goes with the test.
final class OriginFolder {
    let path: String
    private let parent: Folder
    private let name: String

    /// Below `parent`, by default the system's place for such folders.
    init(in parent: String = "/tmp") throws {
        name = "linkcond-test-\(SecureRandom.bytes(8).map { String($0, radix: 16) }.joined())"
        path = "\(parent)/\(name)"
        self.parent = try Folder(parent)
        _ = try self.parent.makeFolder(name)
    }

    deinit { try? parent.removeTree(name) }

    var folder: Folder {
        get throws { try Folder(path) }
    }

    func write(_ name: String, _ bytes: [UInt8]) throws {
        try folder.replace(name, with: bytes, durably: false)
    }

    /// The content of a file below the folder; nil if there is none.
    func bytes(_ name: String) -> [UInt8]? {
        try? FileSystem.read("\(path)/\(name)", limit: 1 << 30)
    }

    func names(_ name: String) -> [String] { FileSystem.names(in: "\(path)/\(name)") }
}
