import LinkProfile
import Proxy
import Testing

@testable import Commands

@Suite struct RunDescriptionTests {
    @Test(arguments: [
        (Profile.Kind.none, "none", [], "none: the summary"),
        (.none, "none", ["delay=100ms", "loss=2%"], "none with delay=100ms, loss=2%"),
        (.cellular, "lte", [], "lte: the summary"),
        (.cellular, "lte", ["delay=100ms"], "lte with delay=100ms: the summary"),
    ])
    func `the first line does not call a network unimpaired that options impair`(
        kind: Profile.Kind,
        name: String,
        changes: [String],
        line: String
    ) {
        var profile = Profile(name: name)
        profile.statedKind = kind
        profile.summary = "the summary"
        var description = RunDescription(
            profile: profile,
            seed: 7,
            faults: [],
            routes: [.init(listen: .tcp(host: "127.0.0.1", port: 1), upstream: nil)],
            reproduction: ""
        )
        description.changes = changes
        #expect(description.advice.first == line)
    }
}
