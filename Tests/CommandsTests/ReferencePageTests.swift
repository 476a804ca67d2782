import Foundation
import Testing

/// Holds docs/reference to the program; with LINKCOND_DOCS=write (`make docs`) it writes the pages.
@Suite struct ReferencePageTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .appending(path: "../../../docs/reference").standardized

    @Test(arguments: ReferencePage.all.map(\.name))
    func `a reference page has the texts of the program`(name: String) throws {
        let page = try #require(ReferencePage.all.first { $0.name == name })
        let file = Self.folder.appending(path: name)
        let text = page.lines.joined(separator: "\n") + "\n"
        if ProcessInfo.processInfo.environment["LINKCOND_DOCS"] == "write" {
            try Data(text.utf8).write(to: file)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == text, "\(name): run `make docs`")
    }

    @Test func `there is no other reference page`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(files) == Set(ReferencePage.all.map(\.name)))
    }
}
