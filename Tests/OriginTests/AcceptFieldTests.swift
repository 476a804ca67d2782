import Testing

@testable import Origin

@Suite struct AcceptFieldTests {
    @Test(
        arguments: [
            (nil, false), ("", false), ("application/json", true), ("*/*", false),
            ("text/html,application/json", false),
            ("text/html;q=0.5, application/json;q=0.9", true),
            ("text/html;q=0.9,application/json;q=0.8", false), ("application/*", true),
            ("*/*;q=0.1, application/json", true), ("application/json;q=0", false),
            ("APPLICATION/JSON ; q=1.0, */*;q=0.5", true), (",;q", false),
            ("text/*, */*;q=0.9", false),
        ] as [(String?, Bool)]
    )
    func `JSON is given to who likes it better than HTML`(field: String?, isJSON: Bool) {
        #expect(AcceptField.prefersJSON(field) == isJSON)
    }
}
