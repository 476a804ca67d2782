import HTTPWire
import Testing

@Suite struct ConditionalRequestTests {
    private static let now = HTTPDate(secondsSince1970: 1_782_864_000)
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let before = "Sun, 06 Nov 1994 08:49:36 GMT"
    private static let after = "Sun, 06 Nov 1994 08:49:38 GMT"
    private static let current = Validators(
        entityTag: EntityTag("1"),
        lastModified: HTTPDate(secondsSince1970: 784_111_777),
        isLastModifiedStrong: true
    )
    private static let weak = Validators(entityTag: EntityTag("1", isWeak: true))
    private static let bare = Validators()

    private func outcome(
        _ method: String,
        _ fields: HeaderFields,
        _ current: Validators?
    ) -> ConditionalRequest.Outcome {
        ConditionalRequest(RequestHead(method, "/", fields: fields), now: Self.now).outcome(current)
    }

    /// Fields, and the outcomes for GET and PUT of a representation that is there.
    @Test(
        arguments: [
            ([:], .proceed, .proceed),
            (["If-Match": "\"1\""], .proceed, .proceed), (["If-Match": "\"2\""], .failed, .failed),
            (["If-Match": "\"2\", \"1\""], .proceed, .proceed),
            (["If-Match": "*"], .proceed, .proceed),
            (["If-Match": "W/\"1\""], .failed, .failed), (["If-Match": "1"], .failed, .failed),
            (["If-Match": "\"2\"", "if-match": "\"1\""], .proceed, .proceed),
            (["If-None-Match": "\"1\""], .notModified, .failed),
            (["If-None-Match": "W/\"1\""], .notModified, .failed),
            (["If-None-Match": "\"2\""], .proceed, .proceed),
            (["If-None-Match": "*"], .notModified, .failed),
            (["If-None-Match": "1"], .proceed, .failed),
            (["If-Unmodified-Since": date], .proceed, .proceed),
            (["If-Unmodified-Since": before], .failed, .failed),
            (["If-Unmodified-Since": after], .proceed, .proceed),
            (["If-Unmodified-Since": "x"], .proceed, .proceed),
            (["If-Modified-Since": date], .notModified, .proceed),
            (["If-Modified-Since": before], .proceed, .proceed),
            (["If-Modified-Since": after], .notModified, .proceed),
            (["If-Modified-Since": "x"], .proceed, .proceed),
            (["If-Modified-Since": date, "if-modified-since": date], .proceed, .proceed),
            // The order of RFC 9110 §13.2.2: a tag goes before a date.
            (["If-Match": "\"1\"", "If-Unmodified-Since": before], .proceed, .proceed),
            (["If-None-Match": "\"2\"", "If-Modified-Since": date], .proceed, .proceed),
            (["If-Match": "\"2\"", "If-None-Match": "\"1\""], .failed, .failed),
            (["If-Match": "\"1\"", "If-None-Match": "\"1\""], .notModified, .failed),
            (["If-Unmodified-Since": date, "If-None-Match": "\"1\""], .notModified, .failed),
            (["If-Unmodified-Since": date, "If-Modified-Since": date], .notModified, .proceed),
        ] as [(HeaderFields, ConditionalRequest.Outcome, ConditionalRequest.Outcome)]
    )
    func `preconditions are asked in their order`(
        fields: HeaderFields,
        get: ConditionalRequest.Outcome,
        put: ConditionalRequest.Outcome
    ) {
        #expect(outcome("GET", fields, Self.current) == get)
        #expect(outcome("HEAD", fields, Self.current) == get)
        #expect(outcome("PUT", fields, Self.current) == put)
        #expect(outcome("OPTIONS", fields, Self.current) == .proceed)
    }

    @Test func `what is not there matches nothing`() {
        #expect(outcome("PUT", ["If-Match": "*"], nil) == .failed)
        #expect(outcome("PUT", ["If-Match": "\"1\""], nil) == .failed)
        #expect(outcome("PUT", ["If-None-Match": "*"], nil) == .proceed)
        #expect(outcome("PUT", ["If-None-Match": "\"1\""], nil) == .proceed)
        #expect(outcome("GET", ["If-Modified-Since": Self.date], nil) == .proceed)
        #expect(outcome("PUT", ["If-Unmodified-Since": Self.date], nil) == .proceed)
    }

    @Test func `a representation without validators matches only the asterisk`() {
        #expect(outcome("PUT", ["If-Match": "*"], Self.bare) == .proceed)
        #expect(outcome("PUT", ["If-Match": "\"1\""], Self.bare) == .failed)
        #expect(outcome("GET", ["If-None-Match": "\"1\""], Self.bare) == .proceed)
        #expect(outcome("GET", ["If-None-Match": "*"], Self.bare) == .notModified)
        #expect(outcome("GET", ["If-Modified-Since": Self.date], Self.bare) == .proceed)
    }

    @Test func `a weak tag serves a download, not a change`() {
        #expect(outcome("PUT", ["If-Match": "W/\"1\""], Self.weak) == .failed)
        #expect(outcome("GET", ["If-None-Match": "W/\"1\""], Self.weak) == .notModified)
        #expect(outcome("GET", ["If-None-Match": "\"1\""], Self.weak) == .notModified)
    }

    private func rangeApplies(
        _ condition: String?,
        _ current: Validators,
        _ method: String = "GET"
    ) -> Bool {
        var fields: HeaderFields = ["Range": "bytes=0-1"]
        fields["If-Range"] = condition
        let head = RequestHead(method, "/", fields: fields)
        return ConditionalRequest(head, now: Self.now).rangeApplies(current)
    }

    @Test func `a range hangs on exactly the current state`() {
        #expect(rangeApplies(nil, Self.bare))
        #expect(rangeApplies("\"1\"", Self.current))
        #expect(!rangeApplies("\"2\"", Self.current))
        #expect(!rangeApplies("W/\"1\"", Self.current))
        #expect(!rangeApplies("\"1\"", Self.weak))
        #expect(!rangeApplies("W/\"1\"", Self.weak))
        #expect(!rangeApplies("\"1\"", Self.bare))
        #expect(!rangeApplies("\"1\", \"2\"", Self.current))
        #expect(rangeApplies(Self.date, Self.current))
        #expect(!rangeApplies(Self.after, Self.current))
        #expect(!rangeApplies(Self.before, Self.current))
        #expect(!rangeApplies("x", Self.current))
        var coarse = Self.current
        coarse.isLastModifiedStrong = false
        #expect(!rangeApplies(Self.date, coarse))
    }

    @Test func `only a GET has ranges`() {
        #expect(!rangeApplies(nil, Self.current, "HEAD"))
        #expect(!rangeApplies(nil, Self.current, "PUT"))
        let head = RequestHead("GET", "/", fields: ["If-Range": "\"1\""])
        #expect(!ConditionalRequest(head, now: Self.now).rangeApplies(Self.current))
    }
}
