import Foundation
import Testing

/// What other packages see is documented.
@Suite struct PublicDocumentationTests {
    /// The modules of the library products.
    private static let libraries = ["LinkTransfer", "LinkcondTesting", "ResumableUploads"]

    @Test(arguments: libraries)
    func `every public declaration has a comment`(library: String) {
        var count = 0
        for file in Repository.files(in: "Sources/\(library)", endingIn: ".swift") {
            let lines = Repository.lines(file).map(String.init)
            for (index, line) in lines.enumerated() where isPublic(line, in: lines, index) {
                count += 1
                let before = lines[..<index].last { line in
                    // An attribute may stand between.
                    !line.trimmingCharacters(in: .whitespaces).hasPrefix("@")
                }
                let comment = before?.trimmingCharacters(in: .whitespaces) ?? ""
                #expect(comment.hasPrefix("///"), "\(file):\(index + 1): \(line)")
            }
        }
        #expect(count > 20, "\(library) has public declarations")
    }

    private func isPublic(_ line: String, in lines: [String], _ index: Int) -> Bool {
        let words = line.split(separator: " ")
        if words.first(where: { !$0.hasPrefix("@") }) == "public" {
            return !words.contains("import") && !words.contains("extension")
        }
        // Cases are as public as their type.
        guard words.first == "case", !line.contains(":") || line.contains("(") else { return false }
        let indentation = line.prefix { $0 == " " }.count
        guard indentation > 0 else { return false }
        let owner = lines[..<index].last { line in
            !line.isEmpty && line.prefix { $0 == " " }.count == indentation - 4
        }
        return owner?.contains("public enum") ?? false
    }
}
