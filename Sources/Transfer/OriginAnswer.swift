/// What the origin answers to one request: a head, then a text or a part of known content.
package struct OriginAnswer: Hashable, Sendable {
    package enum Body: Hashable, Sendable {
        case none
        case text(String)
        case content(KnownContent, Range<UInt64>)
    }

    package var head: String
    package var body: Body
    package var keepsConnection: Bool

    /// The largest object that is offered.
    package static let objectLimit = UInt64(1) << 50

    /// Answers a request.
    package init(to request: RequestHead) {
        guard !request.hasBody else {
            self.init(status: 413, text: "No resource here takes a body.\n", request, closes: true)
            return
        }
        guard request.method == "GET" || request.method == "HEAD" else {
            self.init(
                status: 405,
                fields: ["Allow: GET, HEAD"],
                text: "Only GET and HEAD.\n",
                request
            )
            return
        }
        if request.path == "/" {
            self.init(status: 200, text: Self.explanation, request)
            return
        }
        switch Self.object(request) {
        case .success(let object): self.init(of: object, to: request)
        case .failure(let problem):
            self.init(status: problem.status, text: problem.text, request)
        }
    }

    /// Answers bytes that were no request; nothing more is read.
    package init(to error: RequestError) {
        var request = RequestHead()
        request.method = "GET"
        let text = "This is not a request that the test server understands.\n"
        self.init(status: error.rawValue, text: text, request, closes: true)
    }

    private static let explanation = """
        This is linkcond's test server. It answers GET and HEAD of

          /bytes/N           N bytes of known content
          /bytes/N?seed=S    N bytes of other known content

        and understands ranges (bytes=A-B, A-, -N), If-Range and If-None-Match. The content
        is the output of SplitMix64 started at S (0 if not given), lowest byte first.

        Give linkcond --upstream HOST:PORT to put the bad network in front of your server.

        """

    // MARK: Objects

    private struct Object {
        var size: UInt64
        var content: KnownContent

        /// Strong (RFC 9110 §8.8.1): equal size and seed mean equal bytes.
        var tag: String { "\"b1-\(size)-\(content.seed)\"" }
    }

    private struct Problem: Error {
        var status: Int
        var text: String
    }

    private static func object(_ request: RequestHead) -> Result<Object, Problem> {
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].isEmpty, parts[1] == "bytes" else {
            return .failure(
                .init(status: 404, text: "There is /bytes/N, for example /bytes/1000000.\n")
            )
        }
        guard let size = number(parts[2]), size <= objectLimit else {
            let text = "N in /bytes/N is a number from 0 to \(objectLimit), for example 1000000.\n"
            return .failure(.init(status: 404, text: text))
        }
        var seed: UInt64 = 0
        for item in (request.query ?? "").split(separator: "&") {
            guard item.hasPrefix("seed="), let value = number(item.dropFirst(5)) else {
                return .failure(.init(status: 400, text: "The only query is ?seed=S, a number.\n"))
            }
            seed = value
        }
        return .success(Object(size: size, content: KnownContent(seed: seed)))
    }

    private static func number(_ text: Substring) -> UInt64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return UInt64(text)
    }

    private init(of object: Object, to request: RequestHead) {
        var fields = [
            "Accept-Ranges: bytes", "ETag: \(object.tag)", "Cache-Control: no-transform",
        ]
        if let tags = request.ifNoneMatch, Self.matches(tags, object.tag) {
            self.init(status: 304, fields: fields, body: .none, length: nil, request)
            return
        }
        fields.append("Content-Type: application/octet-stream")
        let applies = request.ifRange.map { $0 == object.tag } ?? true
        let wanted = applies ? ByteRange(request.range, size: object.size) : .whole
        switch wanted {
        case .whole:
            self.init(
                status: 200,
                fields: fields,
                body: .content(object.content, 0..<object.size),
                length: object.size,
                request
            )
        case .part(let range):
            let place = "\(range.lowerBound)-\(range.upperBound - 1)/\(object.size)"
            self.init(
                status: 206,
                fields: fields + ["Content-Range: bytes \(place)"],
                body: .content(object.content, range),
                length: UInt64(range.count),
                request
            )
        case .unsatisfiable:
            self.init(
                status: 416,
                fields: ["Content-Range: bytes */\(object.size)"],
                text: "The object has \(object.size) bytes.\n",
                request
            )
        }
    }

    /// Weak comparison (RFC 9110 §13.1.2); our tags hold no comma.
    private static func matches(_ list: String, _ tag: String) -> Bool {
        list.split(separator: ",").contains { item in
            let text = item.drop { $0 == " " }
            return text == "*" || text == tag || text == "W/\(tag)"
        }
    }

    // MARK: Messages

    private init(
        status: Int,
        fields: [String] = [],
        text: String,
        _ request: RequestHead,
        closes: Bool = false
    ) {
        self.init(
            status: status,
            fields: fields + ["Content-Type: text/plain; charset=utf-8"],
            body: .text(text),
            length: UInt64(text.utf8.count),
            request,
            closes: closes
        )
    }

    private init(
        status: Int,
        fields: [String],
        body: Body,
        length: UInt64?,
        _ request: RequestHead,
        closes: Bool = false
    ) {
        keepsConnection = request.keepsConnection && !closes
        var lines = ["HTTP/1.1 \(status) \(Self.reason(status))"] + fields
        if let length { lines.append("Content-Length: \(length)") }
        lines.append("Connection: \(keepsConnection ? "keep-alive" : "close")")
        head = lines.joined(separator: "\r\n") + "\r\n\r\n"
        self.body = request.method == "HEAD" ? .none : body
    }

    private static func reason(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 206: "Partial Content"
        case 304: "Not Modified"
        case 400: "Bad Request"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 413: "Content Too Large"
        case 416: "Range Not Satisfiable"
        case 431: "Request Header Fields Too Large"
        case 505: "HTTP Version Not Supported"
        default: "Error"
        }
    }
}
