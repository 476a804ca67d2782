import Basics
import LinkEngine
import LinkProfile
import Testing

@Suite struct ProfileHandoverTests {
    private static let files = [
        "far.yaml":
            "path: {interface: cellular, expensive: yes}\nlink: {delay: 300ms, trace: {generate: poisson, rate: 2Mbit/s, length: 1s, seed: 1}}"
    ]
    private static let leaving = """
        link: {rate: 40Mbit/s, delay: 2ms}
        handovers:
          - {at: 10s, for: 800ms, to: far.yaml}
          - {at: 40s, for: 0ms, link: {delay: 90ms, up: {rate: 1Mbit/s}}}
          - {at: 50s, for: 1s, to: far.yaml, path: {expensive: no, constrained: yes}}
        """

    @Test func `a handover leads to another profile's link, to other numbers, or to the same`()
        throws
    {
        let profile = try load(Self.leaving, files: Self.files)
        let handovers = profile.link.handovers
        #expect(handovers.map(\.at) == [.seconds(10), .seconds(40), .seconds(50)])
        #expect(handovers.map(\.silence) == [.milliseconds(800), .zero, .seconds(1)])
        #expect(handovers.map(\.down.delay) == [300, 90, 300].map { .milliseconds($0) })
        #expect(handovers[1].down.capacity == profile.link.down.capacity)
        #expect(handovers[1].up.capacity != profile.link.up.capacity)
        let same = try load("link: {delay: 2ms}\nhandovers: [{at: 1s, for: 1s}]")
        #expect(same.link.handovers.first?.down == same.link.down)
    }

    @Test func `the path is the other profile's, its own, or what the handover says`() throws {
        let profile = try load("path: {interface: wifi}\n" + Self.leaving, files: Self.files)
        let paths = profile.handoverPaths
        #expect(paths.map(\.interface) == [.cellular, .wifi, .cellular])
        #expect(paths.map(\.isExpensive) == [true, false, false])
        #expect(paths.map(\.isConstrained) == [false, false, true])
    }

    @Test func `it reads back from its canonical text, traces included`() throws {
        let profile = try load(Self.leaving, files: Self.files)
        let again = try load(profile.canonicalText)
        #expect(again == profile)
    }

    @Test func `a child's handovers replace its parent's`() throws {
        let files = ["p0.yaml": "handovers: [{at: 1s, for: 1s}]"]
        #expect(try load("extends: p0.yaml", files: files).link.handovers.count == 1)
        #expect(try load("extends: p0.yaml\nhandovers: none", files: files).link.handovers.isEmpty)
    }

    @Test(arguments: [
        "[{at: 1s}]": "p.yaml:1:13: error: 'for' is missing",
        "[{at: 1s, for: 2s}, {at: 2s, for: 1s}]":
            "p.yaml:1:32: error: this handover begins before the one above is over",
        "[{at: 1s, for: 0ms, to: lteq}]": "did you mean 'lte'",
        "[{at: 1s, for: 0ms, to: own.yaml}]": "has no handovers of its own",
        "[{at: 1s, for: 0ms, profile: lte}]": "write 'to'",
        "[{at: 1s, for: 0ms, path: {on-demand: 1s}}]": "leave 'on-demand' out",
        "lte": "expected a list of handovers",
    ])
    func `a mistake is told with its place`(text: String, words: String) {
        let files = ["own.yaml": "handovers: [{at: 1s, for: 1s, to: own.yaml}]"]
        let told = mistakes("handovers: \(text)", files: files)
        #expect(told.count == 1 && told.first?.contains(words) == true, "\(told)")
    }
}
