import Testing

@testable import Commands

@Suite struct ShownProxyTests {
    private let names = ["default", "api", "db"]

    @Test func `its place is told where there are several`() {
        let shown = ShownProxy("api", among: names, isEnabled: false)
        #expect(shown?.place == 2 && shown?.names == names && shown?.isEnabled == false)
        #expect(ShownProxy("default", among: ["default"]) == nil)
        #expect(ShownProxy("gone", among: names) == nil)
    }

    @Test func `behind the last one comes the first`() {
        #expect(ShownProxy.name(after: "default", among: names) == "api")
        #expect(ShownProxy.name(after: "db", among: names) == "default")
        #expect(ShownProxy.name(after: "default", among: ["default"]) == nil)
        // One that has ended is followed by the run's own.
        #expect(ShownProxy.name(after: "gone", among: names) == "default")
        #expect(ShownProxy.name(after: "gone", among: []) == nil)
    }
}
