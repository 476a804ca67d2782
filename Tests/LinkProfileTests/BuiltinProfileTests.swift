import FoundationEssentials
import LinkProfile
import Profiles
import Testing

@Suite struct BuiltinProfileTests {
    @Test func `every file of the folder is in the list, and no other`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Profiles/builtin").standardized.path()
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(Set(files) == Set(Profiles.all.map(\.file)))
        #expect(Profiles.all.count == files.count)
        for profile in Profiles.all {
            let data = try Data(contentsOf: URL(filePath: folder + "/" + profile.file))
            #expect(profile.bytes == Array(data), "\(profile.file)")
        }
    }

    @Test(arguments: Profiles.all.map(\.name))
    func `each loads under its name and says where its numbers come from`(name: String) throws {
        let profile = try library().load(name)
        #expect(profile.name == name)
        #expect(!profile.summary.isEmpty)
        #expect(!profile.source.isEmpty)
        let text = try #require(Profiles.all.first { $0.name == name }).text
        #expect(text.hasPrefix("# Source: "))
    }

    @Test(arguments: Profiles.all.map(\.name))
    func `the canonical text reads back as the same profile`(name: String) throws {
        var profile = try library().load(name)
        let again = try load(profile.canonicalText)
        #expect(again.canonicalText == withoutComments(profile.canonicalText))
        profile.parameters = []
        #expect(again == profile)
    }

    private func withoutComments(_ text: String) -> String {
        text.split(separator: "\n").filter { !$0.hasPrefix("#") }.joined(separator: "\n") + "\n"
    }
}
