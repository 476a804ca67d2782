import Foundation

/// The files of this repository.
enum Repository {
    /// The folder that holds `Package.swift`.
    static let root: String = {
        var folder = URL(fileURLWithPath: #filePath)
        while !FileManager.default.fileExists(
            atPath: folder.appendingPathComponent("Package.swift").path
        ) {
            folder.deleteLastPathComponent()
        }
        return folder.path
    }()

    /// Paths below the root of the files in a folder, deeper ones included, in ascending order.
    static func files(in folder: String, endingIn suffix: String) -> [String] {
        let all = FileManager.default.enumerator(atPath: "\(root)/\(folder)")
        let paths = (all?.allObjects as? [String] ?? []).filter {
            $0.hasSuffix(suffix) && !$0.contains(".build")
        }
        return paths.map { "\(folder)/\($0)" }.sorted()
    }

    static func text(_ path: String) -> String {
        String(
            decoding: FileManager.default.contents(atPath: "\(root)/\(path)") ?? Data(),
            as: UTF8.self
        )
    }

    static func lines(_ path: String) -> [Substring] {
        text(path).split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// Every file of the repository, without what builds leave behind.
    static let all: [String] = {
        let entries = FileManager.default.enumerator(atPath: root)
        return (entries?.allObjects as? [String] ?? []).filter { path in
            let parts = path.split(separator: "/")
            guard !parts.contains(where: { $0.hasPrefix(".build") || $0 == ".git" }) else {
                return false
            }
            let kind = (try? FileManager.default.attributesOfItem(atPath: "\(root)/\(path)"))?[
                .type
            ]
            return kind as? FileAttributeType == .typeRegular
        }.sorted()
    }()
}
