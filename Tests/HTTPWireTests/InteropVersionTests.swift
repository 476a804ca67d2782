import HTTPWire
import Testing

@Suite struct InteropVersionTests {
    @Test func `only the versions that were deployed are known`() {
        #expect((0...10).compactMap(InteropVersion.init(rawValue:)) == [.v3, .v5, .v6, .v8])
    }
}
