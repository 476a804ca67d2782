import LinkProfile
import Profiles
import Testing

@Suite struct ProfileKindTests {
    private func kind(_ text: String) throws -> Profile.Kind {
        try ProfileLibrary.builtinOnly().load(ProfileText(file: "x.yaml", bytes: Array(text.utf8)))
            .kind
    }

    @Test func `the kind is what the file says, or what its interface is`() throws {
        #expect(try kind("name: x") == .other)
        #expect(try kind("path: {interface: cellular}") == .cellular)
        #expect(try kind("{path: {interface: cellular}, kind: broken}") == .broken)
        // A child of a broken network need not be broken.
        #expect(try kind("extends: flaky") == .wifi)
    }

    @Test func `an unknown kind is refused with those that there are`() throws {
        #expect(throws: ProfileError.self) { try kind("kind: celular") }
    }

    @Test func `every built-in profile has a kind, and none is merely other`() throws {
        for profile in Profiles.all {
            let loaded = try ProfileLibrary.builtinOnly().load(profile.name)
            #expect(loaded.kind != .other, "\(profile.name)")
        }
    }
}
