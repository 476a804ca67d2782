import FoundationEssentials
import LinkProfile
import Testing

@Suite struct DocumentationTests {
    @Test func `every profile in the documentation loads`() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Profiles/README.md").standardized
        let text = String(decoding: try Data(contentsOf: page), as: UTF8.self)
        let blocks = text.split(separator: "```yaml\n").dropFirst()
            .compactMap { $0.split(separator: "\n```").first }
        #expect(blocks.count == 4)
        for block in blocks { #expect(mistakes(String(block)) == [], "\(block)") }
    }
}
