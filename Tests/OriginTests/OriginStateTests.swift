import Basics
import Testing

@testable import Origin

@Suite struct OriginStateTests {
    private func upload(_ name: String, _ target: String, completions: Int) -> OriginState.Upload {
        OriginState.Upload(
            identifier: name,
            target: target,
            protocol: "ietf-6",
            state: completions > 0 ? "complete" : "active",
            bytes: 3,
            creations: 1,
            completions: completions
        )
    }

    @Test func `uploads to one target are counted together`() {
        var state = OriginState()
        state.requests = 9
        state.uploads = [
            upload("1", "/files/a", completions: 0), upload("2", "/files/b", completions: 1),
            upload("3", "/files/a", completions: 1),
        ]
        let text = state.json.text
        #expect(text.hasPrefix("{\"v\":1,\"requests\":9,\"uploads\":[{\"id\":\"1\","))
        #expect(
            text.contains(
                """
                "targets":[{"target":"/files/a","creations":2,"completions":1},\
                {"target":"/files/b","creations":1,"completions":1}]
                """
            )
        )
        #expect(text.contains("\"length\":null,\"sha256\":null"))
    }
}
