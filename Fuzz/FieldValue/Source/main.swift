// Invariant: any text is refused, or is a value (range, content range, entity tag, date, delay, media
// type, target, URL) whose own text reads back as itself; a selection of ranges lies within the
// representation and never overlaps; a resolved reference stays resolved.

import FuzzSupport
import HTTPWire

fuzz { bytes in
    let text = String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    checkRanges(text)
    checkValidators(text)
    checkDates(text)
    checkURLs(text)
    if let type = MediaType(text) { require(MediaType(type.text) == type, "a type reads back") }
    if let content = QuotedString.decode(text) {
        require(QuotedString.decode(QuotedString.encode(content)) == content, "quotes read back")
    }
    if let bytes = Base64.decode(text) { require(Base64.encode(bytes) == text, "one form only") }
    if let part = FormPart(["Content-Disposition": text]) { _ = part.name }
}

private func checkRanges(_ text: String) {
    if let range = ContentRange(text) { require(ContentRange(range.text) == range, "reads back") }
    guard let set = ByteRangeSet(text) else { return }
    require(ByteRangeSet(set.text) == set, "a set of ranges reads back")
    for length in [0, 1, 10, 1_000, Int.max] {
        for gap in [0, 80] {
            guard case .ranges(let ranges) = set.selection(length: length, gap: gap) else {
                continue
            }
            require(!ranges.isEmpty, "a selection has a range")
            let ascending = ranges.sorted { $0.lowerBound < $1.lowerBound }
            require(ranges.allSatisfy { !$0.isEmpty }, "no range is empty")
            require((ascending.last?.upperBound ?? 0) <= length, "ranges end with the length")
            for (one, next) in zip(ascending, ascending.dropFirst()) {
                require(next.lowerBound - one.upperBound > gap, "ranges keep their distance")
            }
        }
    }
}

private func checkValidators(_ text: String) {
    if let tag = EntityTag(parsing: text) {
        require(tag.text == text, "a tag has one form")
        require(tag.matchesWeakly(tag), "a tag matches itself")
    }
    if case .tags(let tags) = EntityTagSet(text) {
        let list = tags.map(\.text).joined(separator: ", ")
        require(EntityTagSet(list) == .tags(tags), "a list of tags reads back")
    }
    let now = HTTPDate(secondsSince1970: 1_782_864_000)
    let names = [
        "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range",
        "Range",
    ]
    let current = Validators(
        entityTag: EntityTag("a"),
        lastModified: now,
        isLastModifiedStrong: true
    )
    for name in names {
        let head = RequestHead("GET", "/", fields: [name: text, "Range": "bytes=0-0"])
        let request = ConditionalRequest(head, now: now)
        _ = request.outcome(current)
        _ = request.outcome(nil)
        _ = request.rangeApplies(current)
    }
}

private func checkDates(_ text: String) {
    for seconds in [0, 946_684_799, 4_107_542_400] {
        let now = HTTPDate(secondsSince1970: seconds)
        if let date = HTTPDate(text, now: now) {
            require(HTTPDate(date.text, now: now) == date, "a date reads back")
            let isLong = text.utf8.prefix(10).contains(UInt8(ascii: "-"))
            let limit = seconds + 51 * 366 * 86_400
            require(!isLong || date.secondsSince1970 < limit, "two digits are not far ahead")
        }
        if let delay = RetryAfter.seconds(["Retry-After": text], now: now) {
            require(delay >= 0, "nobody waits for the past")
        }
    }
}

private func checkURLs(_ text: String) {
    for method in ["GET", "CONNECT", "OPTIONS"] {
        guard let target = RequestTarget(RequestHead(method, text)) else { continue }
        _ = target.resource?.queryItems
        if let path = target.resource?.path { require(path.hazards.count <= 8, "named hazards") }
    }
    if let url = try? HTTPURL(text) {
        require((try? HTTPURL(url.text)) == url, "a URL reads back")
        require(url.target.utf8.first == UInt8(ascii: "/"), "a target begins with a slash")
        let head = RequestHead("GET", url.target, fields: ["Host": url.hostField])
        guard let bytes = try? MessageWriter.bytes(of: head) else {
            return require(false, "a URL can be asked for")
        }
        var parser = RequestParser()
        let step = try? parser.next(bytes.span)
        require(step?.event == .head(head), "a request for a URL is one")
    }
    guard let reference = URLReference(text) else { return }
    require(URLReference(reference.text) == reference, "a reference reads back")
    guard let base = URLReference("http://a/b/c/d;p?q") else { return }
    let resolved = reference.resolved(against: base)
    require(resolved.resolved(against: base) == resolved, "resolving twice changes nothing")
    _ = try? HTTPURL("http://a/b/c").resolving(text)
}
