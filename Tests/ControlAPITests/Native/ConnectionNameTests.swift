import ControlAPI
import Journal
import Testing

@Suite struct ConnectionNameTests {
    @Test(arguments: [ConnectionID(ordinal: 3), ConnectionID(listener: 2, ordinal: 40)])
    func `a name reads back`(id: ConnectionID) {
        #expect(ConnectionName.parse(ConnectionName.text(id)) == id)
    }

    @Test func `the first listener is not named`() {
        #expect(ConnectionName.text(ConnectionID(ordinal: 3)) == "c3")
        #expect(ConnectionName.text(ConnectionID(listener: 2, ordinal: 3)) == "l2c3")
        #expect(ConnectionName.parse("l1c3") == ConnectionID(ordinal: 3))
    }

    @Test(arguments: ["", "c", "3", "c0", "c-1", "c+1", "l2", "lc3", "l0c1", "c3x", "c4294967296"])
    func `what is no name is none`(text: String) {
        #expect(ConnectionName.parse(text) == nil)
    }
}
