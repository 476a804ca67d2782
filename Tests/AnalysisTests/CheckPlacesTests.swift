import Foundation
import Testing

@testable import Analysis

/// Whoever meets the name of a check in a report finds the file that judges it.
@Suite struct CheckPlacesTests {
    @Test(arguments: Check.allCases)
    func `in the folder of its letter, one file names a check in its heading`(
        _ check: Check
    ) throws {
        let name = check.rawValue
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/Analysis/Checks/\(name.prefix(1))")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let naming = try files.filter { file in
            let text = try String(
                contentsOf: folder.appendingPathComponent(file),
                encoding: .utf8
            )
            let heading = text.split(separator: "\n").first { $0.hasPrefix("// ") } ?? ""
            let names = heading.dropFirst(3).prefix { $0 != ":" }.split(separator: ",")
            return names.contains { $0.trimmingCharacters(in: .whitespaces) == name }
                && text.contains(".\(name.lowercased()),")
        }
        #expect(naming.count == 1, "\(name): \(naming)")
    }
}
