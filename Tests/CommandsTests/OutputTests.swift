import Basics
import Testing

@testable import Commands

@Suite struct OutputTests {
    @Test func `colour follows the terminal and the user`() {
        func wants(
            _ terminal: Bool,
            _ refused: Bool = false,
            _ environment: [String: String] = [:]
        ) -> Bool {
            TextStyle.wantsColour(
                isTerminal: terminal,
                isRefused: refused,
                environment: { environment[$0] }
            )
        }
        #expect(wants(true))
        #expect(!wants(false))
        #expect(!wants(true, true))
        #expect(!wants(true, false, ["NO_COLOR": "1"]))
        #expect(wants(true, false, ["NO_COLOR": ""]))
        #expect(!wants(true, false, ["TERM": "dumb"]))
        #expect(wants(false, false, ["FORCE_COLOR": "1"]))
        #expect(!wants(false, true, ["FORCE_COLOR": "1"]))
    }

    @Test func `JSON keeps the order of keys and escapes what it must`() {
        let value: JSONValue = [
            "z": 1, "a": ["\"\\\n\u{1}é", true, .null], "big": .number(UInt64.max),
        ]
        #expect(
            value.text
                == #"{"z":1,"a":["\"\\\n\u0001é",true,null],"big":18446744073709551615}"#
        )
    }

    @Test func `text is wrapped, padded and clipped`() {
        #expect(TextLayout.wrap("one two three", width: 7) == ["one two", "three"])
        #expect(TextLayout.clip("connection", to: 5) == "conn…")
        #expect(TextLayout.clip("connection", to: 10) == "connection")
        #expect(TextLayout.clip("connection", to: 9) == "connecti…")
        #expect(TextLayout.padLeft("7", to: 3) == "  7")
        #expect(
            TextLayout.definition("--seed N", "Fixes chance.", column: 14, width: 60)
                == ["  --seed N    Fixes chance."]
        )
        #expect(
            TextLayout.definition("--a-long-option", "Text.", column: 10, width: 60)
                == ["  --a-long-option", "          Text."]
        )
    }
}
