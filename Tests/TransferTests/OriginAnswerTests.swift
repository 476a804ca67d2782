import Testing
import Transfer

@Suite struct OriginAnswerTests {
    private func request(_ method: String, _ path: String, query: String? = nil) -> RequestHead {
        var head = RequestHead()
        head.method = method
        head.path = path
        head.query = query
        return head
    }

    private func status(_ answer: OriginAnswer) -> Int? {
        Int(answer.head.split(separator: " ")[1])
    }

    @Test func `an object is answered with its length and a strong tag`() {
        let answer = OriginAnswer(to: request("GET", "/bytes/1000"))
        #expect(status(answer) == 200)
        #expect(answer.head.contains("Content-Length: 1000\r\n"))
        #expect(answer.head.contains("ETag: \"b1-1000-0\"\r\n"))
        #expect(answer.head.contains("Accept-Ranges: bytes\r\n"))
        #expect(answer.body == .content(KnownContent(seed: 0), 0..<1_000))
        #expect(answer.keepsConnection)
    }

    @Test func `HEAD has the same head and no body`() {
        let get = OriginAnswer(to: request("GET", "/bytes/5", query: "seed=9"))
        let head = OriginAnswer(to: request("HEAD", "/bytes/5", query: "seed=9"))
        #expect(head.head == get.head && head.body == .none)
        #expect(get.body == .content(KnownContent(seed: 9), 0..<5))
    }

    @Test func `a range is answered with its place`() {
        var asked = request("GET", "/bytes/1000")
        asked.range = "bytes=990-"
        let answer = OriginAnswer(to: asked)
        #expect(status(answer) == 206)
        #expect(answer.head.contains("Content-Range: bytes 990-999/1000\r\n"))
        #expect(answer.head.contains("Content-Length: 10\r\n"))
        asked.range = "bytes=1000-"
        #expect(status(OriginAnswer(to: asked)) == 416)
        #expect(OriginAnswer(to: asked).head.contains("Content-Range: bytes */1000\r\n"))
    }

    @Test func `If-Range with another tag gets the whole object`() {
        var asked = request("GET", "/bytes/10")
        asked.range = "bytes=5-"
        asked.ifRange = "\"b1-10-0\""
        #expect(status(OriginAnswer(to: asked)) == 206)
        asked.ifRange = "\"b1-10-1\""
        #expect(status(OriginAnswer(to: asked)) == 200)
        asked.ifRange = "W/\"b1-10-0\""
        #expect(status(OriginAnswer(to: asked)) == 200)
    }

    @Test func `If-None-Match with our tag gets no body`() {
        var asked = request("GET", "/bytes/10")
        asked.ifNoneMatch = "\"x\", W/\"b1-10-0\""
        let answer = OriginAnswer(to: asked)
        #expect(status(answer) == 304 && answer.body == .none)
        #expect(!answer.head.contains("Content-Length"))
    }

    @Test(arguments: [
        ("GET", "/", 200), ("GET", "/other", 404), ("GET", "/bytes/", 404),
        ("GET", "/bytes/-1", 404), ("GET", "/bytes/1/2", 404), ("POST", "/bytes/1", 405),
        ("GET", "/bytes/99999999999999999999", 404), ("GET", "/bytes/1125899906842624", 200),
        ("GET", "/bytes/1125899906842625", 404), ("GET", "/bytes/0", 200),
    ])
    func `each path has its status`(method: String, path: String, expected: Int) {
        #expect(status(OriginAnswer(to: request(method, path))) == expected)
    }

    @Test func `a body, a wrong query and nonsense are refused`() {
        var asked = request("GET", "/bytes/1")
        asked.hasBody = true
        let refusal = OriginAnswer(to: asked)
        #expect(status(refusal) == 413 && !refusal.keepsConnection)
        #expect(status(OriginAnswer(to: request("GET", "/bytes/1", query: "sed=1"))) == 400)
        let nonsense = OriginAnswer(to: RequestError.headTooLarge)
        #expect(status(nonsense) == 431 && !nonsense.keepsConnection)
    }
}
