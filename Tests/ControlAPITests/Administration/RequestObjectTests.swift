import Basics
import ControlAPI
import HTTPWire
import Testing

@Suite struct RequestObjectTests {
    private enum Colour: String, CaseIterable { case red, green }

    private struct Wrong: Error, CustomStringConvertible {
        var description: String { "is wrong" }
    }

    private func value(_ text: String) throws(Problem) -> JSONValue {
        let head = RequestHead("POST", "/v1")
        return try ControlRequest(head, body: Array(text.utf8)).json()
    }

    /// The mistakes that a reading of `text` finds.
    private func mistakes(
        _ text: String,
        _ read: (inout RequestObject) throws(Problem) -> Void
    ) -> [Problem.Mistake] {
        do throws(Problem) {
            var object = try RequestObject(try value(text), at: "/in")
            try read(&object)
            try object.finish()
            return []
        } catch {
            return error.mistakes
        }
    }

    @Test func `a request without the content that it needs is refused`() {
        #expect {
            try value("")
        } throws: { error in
            (error as? Problem)?.status == 400
        }
    }

    @Test func `members are read by their types, and null is not given`() throws {
        var object = try RequestObject(
            try value(#"{"a":"x","b":true,"c":7,"d":"green","e":[1,2],"f":null}"#)
        )
        #expect(object.text("a") == "x")
        #expect(object.truth("b") == true)
        #expect(object.number("c", in: 0...9) == 7)
        #expect(object.choice("d", Colour.self) == .green)
        #expect(object.list("e") == [1, 2])
        #expect(object.text("f") == nil)
        #expect(object.text("g") == nil)
        #expect(object.has("f") && !object.has("g"))
        try object.finish()
    }

    @Test func `every mistake is told with its place`() {
        let found = mistakes(#"{"a":1,"b":"x","c":70,"d":"gren","e":{},"f":"y"}"#) { object in
            _ = object.text("a")
            _ = object.truth("b")
            _ = object.number("c", in: 0...9)
            _ = object.choice("d", Colour.self)
            _ = object.list("e")
            _ = object.parsed("f") { _ throws(Wrong) -> Int in throw Wrong() }
            let absent = object.text("g")
            _ = object.require("g", absent, "a letter")
        }
        #expect(
            found == [
                .init("/in/a", "expected a text, found a number"),
                .init("/in/b", "expected true or false, found a text"),
                .init("/in/c", "expected a whole number from 0 to 9, found 70"),
                .init(
                    "/in/d",
                    "expected one of red, green, found \"gren\"",
                    suggestion: "green"
                ),
                .init("/in/e", "expected a list, found an object"),
                .init("/in/f", "is wrong"),
                .init("/in/g", "is missing: a letter"),
            ]
        )
    }

    @Test func `a key that nobody asked for is refused with the one that was meant`() {
        let found = mistakes(#"{"dealy":"5s","a/b~c":1}"#) { _ = $0.text("delay") }
        #expect(
            found == [
                .init("/in/dealy", "unknown key; did you mean 'delay'?", suggestion: "delay"),
                .init("/in/a~1b~0c", "unknown key (known: delay)"),
            ]
        )
    }

    @Test func `what is no object is refused`() {
        for text in ["[]", "1", "null", "\"x\"", "1.5", "true"] {
            #expect(mistakes(text) { _ in }.map(\.pointer) == ["/in"], "\(text)")
        }
        #expect(mistakes("") { _ in } == [])
    }

    @Test(arguments: [
        (#"{"a":{"b":[1,{"c":1,"c":2}]}}"#, "/a/b/1/c"), (#"{"a":[1,2,x]}"#, "/a/2"),
        (#"{"a":1}}"#, ""), (#"{"a":.5}"#, "/a"), (#"{"a":1e}"#, "/a"), ("{", ""),
    ])
    func `content that is not JSON is told with its place`(text: String, pointer: String) {
        do throws(Problem) {
            _ = try value(text)
            Issue.record("accepted")
        } catch {
            #expect(error.status == 400)
            #expect(error.mistakes.map(\.pointer) == [pointer])
        }
    }

    @Test func `nesting is limited`() {
        let deep = String(repeating: "[", count: 33) + String(repeating: "]", count: 33)
        #expect(throws: Problem.self) { try value(deep) }
        #expect(throws: Never.self) { try value(String(deep.dropFirst().dropLast())) }
    }
}
