import ToxiproxyCompatibility
import SystemIO
import TestSupport
import Testing

@testable import ControlAPI

/// Requests and their answers, as Toxiproxy 2.12.0 gives them.
@Suite struct ToxiproxyTableTests {
    /// A request to a server that has what `state` makes, and what is answered.
    struct Row: Sendable, CustomTestStringConvertible {
        var request: String
        var body: String?
        var fields: [String] = []
        var status: Int
        /// The whole body; `*` stands for anything up to what follows.
        var answer: String
        var type: String?
        var isMatched = true

        var testDescription: String { "\(request) \(body ?? "") -> \(status)" }

        init(
            _ request: String,
            _ body: String?,
            fields: [String] = [],
            _ status: Int,
            _ answer: String,
            type: String? = nil,
            isMatched: Bool = true
        ) {
            self.request = request
            self.body = body
            self.fields = fields
            self.status = status
            self.answer = answer
            self.type = type
            self.isMatched = isMatched
        }

        init(
            _ request: String,
            fields: [String] = [],
            _ status: Int,
            _ answer: String,
            type: String? = nil,
            isMatched: Bool = true
        ) {
            self.init(
                request,
                nil,
                fields: fields,
                status,
                answer,
                type: type,
                isMatched: isMatched
            )
        }

        static func error(
            _ request: String,
            _ body: String?,
            _ status: Int,
            _ text: String
        ) -> Row {
            Row(
                request,
                body,
                status,
                "{\"error\":\"\(text)\",\"status\":\(status)}\n",
                type: "text/plain; charset=utf-8"
            )
        }

        static func error(_ request: String, _ status: Int, _ text: String) -> Row {
            error(request, nil, status, text)
        }

        static func json(
            _ request: String,
            _ body: String?,
            _ status: Int,
            _ answer: String
        ) -> Row {
            Row(request, body, status, answer, type: "application/json")
        }

        static func json(_ request: String, _ body: String, _ answer: String) -> Row {
            json(request, body, 200, answer)
        }

        static func json(_ request: String, _ answer: String) -> Row {
            json(request, nil, 200, answer)
        }

        static func unknown(_ request: String, _ body: String? = nil) -> Row {
            Row(
                request,
                body,
                404,
                "404 page not found\n",
                type: "text/plain; charset=utf-8",
                isMatched: false
            )
        }
    }

    /// What is there before each row: a proxy with three toxics, and one that is disabled.
    private static func makeState(_ rig: ToxiproxyRig) throws {
        try rig.makeProxy("a")
        for toxic in [
            #"{"type":"latency","attributes":{"latency":100,"jitter":5}}"#,
            #"{"type":"bandwidth","name":"bw","stream":"upstream","toxicity":0.3,"attributes":{"rate":9}}"#,
            #"{"type":"noop","name":"n"}"#,
        ] { try rig.addToxic(toxic, to: "a") }
        let disabled =
            #"{"name":"off","listen":"localhost:26382","upstream":"x:1","enabled":false}"#
        try #require(try rig.ask("POST", "/proxies", disabled).status == 201)
    }

    static let latency =
        #"{"attributes":{"latency":100,"jitter":5},"name":"latency_downstream","type":"latency","#
        + #""stream":"downstream","toxicity":1}"#
    static let bandwidth =
        #"{"attributes":{"rate":9},"name":"bw","type":"bandwidth","stream":"upstream","#
        + #""toxicity":0.3}"#
    static let noop =
        #"{"attributes":{},"name":"n","type":"noop","stream":"downstream","toxicity":1}"#
    static let off =
        #"{"name":"off","listen":"localhost:26382","upstream":"x:1","enabled":false,"Logger":{},"#
        + #""toxics":[]}"#
    static let a =
        #"{"name":"a","listen":"127.0.0.1:*","upstream":"127.0.0.1:*","enabled":true,"Logger":{},"#
        + #""toxics":[\#(bandwidth),\#(latency),\#(noop)]}"#

    static let reading: [Row] = [
        Row(
            "GET /version",
            200,
            "{\"version\": \"2.12.0\"}\n",
            type: "application/json;charset=utf-8"
        ),
        .json("GET /proxies", "{\"a\":\(a),\"off\":\(off)}"),
        .json("GET /proxies?x=y", "{\"a\":*"),
        .json("GET /proxies/a", a),
        .json("GET /proxies/%61", a),
        .json("GET /proxies/off", off),
        .error("GET /proxies/b", 404, "proxy not found"),
        .json("GET /proxies/a/toxics", "[\(bandwidth),\(latency),\(noop)]"),
        .json("GET /proxies/off/toxics", "[]"),
        .error("GET /proxies/b/toxics", 404, "proxy not found"),
        .json("GET /proxies/a/toxics/bw", bandwidth),
        .error("GET /proxies/a/toxics/b", 404, "toxic not found"),
        .error("GET /proxies/b/toxics/bw", 404, "proxy not found"),
        Row("GET /metrics", 200, "# HELP *", type: "text/plain; version=0.0.4; charset=utf-8"),
        Row("PUT /metrics", 200, "# HELP *", type: "text/plain; version=0.0.4; charset=utf-8"),
    ]

    static let routing: [Row] = [
        .unknown("GET /"), .unknown("GET /proxies/"), .unknown("GET /proxies/a/"),
        .unknown("GET /proxies/a/toxics/"), .unknown("GET /nothing"),
        .unknown("POST /nothing", "{}"), .unknown("GET /proxies/a/toxics/n/x"),
        .unknown("GET /PROXIES"),
        Row("HEAD /proxies", 405, "", isMatched: false),
        Row("OPTIONS /proxies", 405, "", isMatched: false),
        Row("PUT /proxies", 405, "", isMatched: false),
        Row("PUT /proxies/a", "{}", 405, "", isMatched: false),
        Row("DELETE /proxies", 405, "", isMatched: false),
        Row("POST /version", 405, "", isMatched: false),
        Row("GET /populate", 405, "", isMatched: false),
        Row("GET /reset", 405, "", isMatched: false),
        Row("DELETE /proxies/a/toxics", 405, "", isMatched: false),
        Row("GET http://127.0.0.1:8474/proxies/a?x", 200, "{\"name\":\"a\"*"),
        Row("GET http://toxics.example/version", 403, "*is not allowed*", isMatched: false),
        Row("OPTIONS *", 200, "", isMatched: false), Row("GET *", 404, "*", isMatched: false),
        Row("GET //proxies", 301, "", isMatched: false),
        Row("GET /proxies/../version", 301, "", isMatched: false),
    ]

    static let browsers: [Row] = [
        Row(
            "GET /version",
            fields: ["User-Agent: Mozilla/5.0 (X11)"],
            403,
            "User agent not allowed\n",
            type: "text/plain; charset=utf-8"
        ),
        Row(
            "POST /proxies",
            "{}",
            fields: ["User-Agent: Mozilla/"],
            403,
            "User agent not allowed\n",
            type: "text/plain; charset=utf-8"
        ),
        Row("GET /version", fields: ["User-Agent: mozilla/5.0"], 200, "{\"version\"*"),
        Row("GET /version", fields: ["User-Agent: curl/8 Mozilla/5.0"], 200, "{\"version\"*"),
    ]

    /// Bodies that are no JSON, or other JSON than is asked for.
    static let bodies: [Row] = [
        .error("POST /proxies", 400, "bad request body: EOF"),
        .error("POST /proxies", "", 400, "bad request body: EOF"),
        .error("POST /proxies", "  ", 400, "bad request body: EOF"),
        .error("POST /proxies", #"{"name":"#, 400, "bad request body: unexpected EOF"),
        .error(
            "POST /proxies",
            "x",
            400,
            "bad request body: invalid character 'x' looking for beginning of value"
        ),
        .error(
            "POST /proxies",
            #"{"name":5}"#,
            400,
            "bad request body: json: cannot unmarshal number 5 into Go struct field .name of type string"
        ),
        .error(
            "POST /proxies",
            #"{"name":"b","enabled":"yes"}"#,
            400,
            "bad request body: *.enabled of type bool"
        ),
        .error("POST /proxies", "[]", 400, "bad request body: *array*"),
        .error("PATCH /proxies/a", "", 400, "bad request body: EOF"),
        .error("POST /proxies/a", "[", 400, "bad request body: unexpected EOF"),
        .error("PATCH /proxies/b", "", 404, "proxy not found"),
        .error("POST /proxies/a/toxics", 400, "bad request body: EOF"),
        .error("POST /proxies/b/toxics", "x", 404, "proxy not found"),
        .error("PATCH /proxies/a/toxics/n", "{", 400, "bad request body: unexpected EOF"),
        .error("PATCH /proxies/a/toxics/m", "{", 404, "toxic not found"),
        .error("PATCH /proxies/b/toxics/m", "{", 404, "proxy not found"),
        Row(
            "POST /populate",
            "x",
            400,
            #"{"error":"bad request body: invalid character 'x' looking for beginning of value","#
                + #""status":400,"proxies":null}"#,
            type: "application/json"
        ),
        Row(
            "POST /populate",
            nil,
            400,
            #"{"error":"bad request body: EOF","status":400,"proxies":null}"#,
            type: "application/json"
        ),
        Row("POST /populate", "{}", 400, #"{"error":"bad request body: *","status":400,*"#),
    ]

    static let creating: [Row] = [
        .json(
            "POST /proxies",
            #"{"name":"b","listen":"127.0.0.1:0","upstream":"u:1"}"#,
            201,
            #"{"name":"b","listen":"127.0.0.1:*","upstream":"u:1","enabled":true,"Logger":{},"toxics":[]}"#
        ),
        .json(
            "POST /proxies",
            #"{"name":"b","upstream":"garbage"}"#,
            201,
            #"{"name":"b","listen":"127.0.0.1:*","upstream":"garbage","enabled":true,*"#
        ),
        .json(
            "POST /proxies",
            #"{"NAME":"b","Listen":"[::1]:0","uPstream":"u:1","ENABLED":null} trailing"#,
            201,
            #"{"name":"b","listen":"[::1]:*","upstream":"u:1","enabled":true,*"#
        ),
        .json(
            "POST /proxies",
            #"{"name":"b","upstream":"u:1","name":"c","listen":"localhost:0"}"#,
            201,
            #"{"name":"c","listen":"127.0.0.1:*"#
        ),
        .json(
            "POST /proxies",
            #"{"name":"<&>\"\u00e9","upstream":"u/1:1","enabled":false}"#,
            201,
            #"{"name":"\u003c\u0026\u003e\"é","listen":"","upstream":"u/1:1","enabled":false,*"#
        ),
        .json(
            "POST /proxies",
            #"{"name":"b","upstream":"u:1","toxics":[{"type":"noop"},{"type":"noop","stream":"upstream"}]}"#,
            201,
            #"{"name":"b",*"name":"noop_upstream"*"name":"noop_downstream"*"#
        ),
        .error("POST /proxies", "{}", 400, "missing required field: name"),
        .error("POST /proxies", "null", 400, "missing required field: name"),
        .error("POST /proxies", #"{"name":""}"#, 400, "missing required field: name"),
        .error("POST /proxies", #"{"name":"a"}"#, 400, "missing required field: upstream"),
        .error("POST /proxies", #"{"name":"a","upstream":"u:1"}"#, 409, "proxy already exists"),
        .error(
            "POST /proxies",
            #"{"name":"b","upstream":"u:1","listen":"garbage"}"#,
            500,
            "listen tcp: address garbage: missing port in address"
        ),
        .error(
            "POST /proxies",
            #"{"name":"b","upstream":"u:1","listen":"127.0.0.1:99999"}"#,
            500,
            "listen tcp: address 99999: invalid port"
        ),
        .error(
            "POST /proxies",
            #"{"name":"b","upstream":"u:1","listen":"127.2.3.4.5.invalid:9"}"#,
            500,
            "listen tcp: lookup 127.2.3.4.5.invalid: no such host"
        ),
        .error(
            "POST /proxies",
            #"{"name":"b","upstream":"u:1","listen":"203.0.113.7:9"}"#,
            500,
            "listen tcp 203.0.113.7:9: other machines could reach it*"
        ),
        .error(
            "POST /proxies",
            #"{"name":"b","upstream":"u:1","toxics":[{"type":"noop"},{"type":"noop"}]}"#,
            409,
            "toxic already exists"
        ),
    ]

    static let updating: [Row] = [
        .json("PATCH /proxies/a", "{}", a), .json("POST /proxies/a", "null", a),
        .json("PATCH /proxies/a", #"{"name":"z","enabled":true}"#, a),
        .json(
            "PATCH /proxies/a",
            #"{"enabled":false}"#,
            #"{"name":"a","listen":"127.0.0.1:*","upstream":"127.0.0.1:*","enabled":false,*"#
        ),
        .json(
            "POST /proxies/a",
            #"{"upstream":""}"#,
            #"{"name":"a","listen":"127.0.0.1:*","upstream":"","enabled":true,*"#
        ),
        .json(
            "PATCH /proxies/off",
            #"{"listen":"127.0.0.1:0","enabled":true}"#,
            #"{"name":"off","listen":"127.0.0.1:*","upstream":"x:1","enabled":true,*"#
        ),
        .error(
            "PATCH /proxies/a",
            #"{"listen":"garbage"}"#,
            500,
            "listen tcp: address garbage: missing port in address"
        ),
        Row("DELETE /proxies/a", 204, ""), .error("DELETE /proxies/b", 404, "proxy not found"),
        Row("POST /reset", 204, ""), Row("POST /reset", "garbage", 204, ""),
    ]

    static let toxics: [Row] = [
        .json(
            "POST /proxies/a/toxics",
            #"{"type":"slicer"}"#,
            #"{"attributes":{"average_size":0,"size_variation":0,"delay":0},"name":"slicer_downstream","#
                + #""type":"slicer","stream":"downstream","toxicity":1}"#
        ),
        .json(
            "POST /proxies/a/toxics",
            #"{"type":"latency","stream":"UPSTREAM","name":"","toxicity":7}"#,
            #"{"attributes":{"latency":0,"jitter":0},"name":"latency_UPSTREAM","type":"latency","#
                + #""stream":"UPSTREAM","toxicity":7}"#
        ),
        .json(
            "POST /proxies/a/toxics",
            #"{"type":"limit_data","attributes":{"BYTES":-1,"x":1},"toxicity":0.0000001}"#,
            #"{"attributes":{"bytes":-1},"name":"limit_data_downstream","type":"limit_data","#
                + #""stream":"downstream","toxicity":1e-7}"#
        ),
        .json(
            "POST /proxies/a/toxics",
            #"{"type":"reset_peer","attributes":{"timeout":null},"stream":null,"name":null,"toxicity":null}"#,
            #"{"attributes":{"timeout":0},"name":"reset_peer_downstream","type":"reset_peer","#
                + #""stream":"downstream","toxicity":1}"#
        ),
        .json("POST /proxies/a/toxics", #"{"type":"timeout","name":"t"}"#, #"{*"timeout":0*"#),
        .json("POST /proxies/a/toxics", #"{"type":"slow_close"}"#, #"{*"delay":0*"#),
        .error(
            "POST /proxies/a/toxics",
            "{}",
            400,
            "invalid toxic type"
        ),
        .error("POST /proxies/a/toxics", #"{"type":"Latency"}"#, 400, "invalid toxic type"),
        .error("POST /proxies/a/toxics", #"{"type":"packet_loss"}"#, 400, "invalid toxic type"),
        .error(
            "POST /proxies/a/toxics",
            #"{"type":"x","stream":""}"#,
            400,
            "stream was invalid, can be either upstream or downstream"
        ),
        .error(
            "POST /proxies/a/toxics",
            #"{"type":"noop","name":"n","attributes":{"latency":"bad"}}"#,
            409,
            "toxic already exists"
        ),
        .error(
            "POST /proxies/a/toxics",
            #"{"type":"noop","name":"bw","stream":"downstream"}"#,
            409,
            "toxic already exists"
        ),
        .error(
            "POST /proxies/a/toxics",
            #"{"type":"latency","name":"l","attributes":{"latency":"100"}}"#,
            400,
            "bad request body: json: cannot unmarshal string into Go struct field"
                + " .attributes.latency of type int64"
        ),
        .error(
            "POST /proxies/a/toxics",
            #"{"type":"latency","name":"l","attributes":{"latency":1.5}}"#,
            400,
            "bad request body: *attributes.latency of type int64"
        ),
        .error(
            "POST /proxies/a/toxics",
            #"{"type":"latency","name":"l","attributes":{"jitter":1e3}}"#,
            400,
            "bad request body: *attributes.jitter of type int64"
        ),
        .error(
            "POST /proxies/a/toxics",
            #"{"type":"noop","name":"l","toxicity":"1"}"#,
            400,
            "bad request body: *toxicity of type float32"
        ),
        .json(
            "PATCH /proxies/a/toxics/latency_downstream",
            #"{"attributes":{"jitter":9},"name":"z","type":"noop","stream":"upstream"}"#,
            #"{"attributes":{"latency":100,"jitter":9},"name":"latency_downstream","type":"latency","#
                + #""stream":"downstream","toxicity":1}"#
        ),
        .json(
            "POST /proxies/a/toxics/bw",
            #"{"toxicity":0.25}"#,
            #"{"attributes":{"rate":9},"name":"bw","type":"bandwidth","stream":"upstream","#
                + #""toxicity":0.25}"#
        ),
        .json("PATCH /proxies/a/toxics/bw", "{}", bandwidth),
        .json("PATCH /proxies/a/toxics/bw", "null", bandwidth),
        Row("DELETE /proxies/a/toxics/bw", 204, ""),
        .error("DELETE /proxies/a/toxics/b", 404, "toxic not found"),
        .error("DELETE /proxies/b/toxics/bw", 404, "proxy not found"),
    ]

    static let populating: [Row] = [
        Row("POST /populate", "[]", 201, #"{"proxies":null}"#, type: "application/json"),
        Row("POST /populate", "null", 201, #"{"proxies":null}"#, type: "application/json"),
        .json(
            "POST /populate",
            #"[{"name":"c","upstream":"u:1"},{"name":"b","upstream":"u:2","enabled":false}]"#,
            201,
            #"{"proxies":[{"name":"c",*,{"name":"b","listen":"","upstream":"u:2","enabled":false,*"#
        ),
        Row(
            "POST /populate",
            #"[{"name":"c","upstream":"u:1"},{"upstream":"u:1"}]"#,
            400,
            #"{"error":"missing required field: name at proxy 2","status":400,"proxies":null}"#,
            type: "application/json"
        ),
        Row(
            "POST /populate",
            #"[{"name":"c"}]"#,
            400,
            #"{"error":"missing required field: upstream at proxy 1","status":400,"proxies":null}"#,
            type: "application/json"
        ),
    ]

    /// What Toxiproxy would not survive, or would take without a word.
    static let unlikeToxiproxy: [Row] = [
        .error(
            "POST /proxies/a/toxics",
            #"{"type":"bandwidth","name":"x","attributes":{"rate":-1}}"#,
            400,
            "attribute rate must not be negative"
        ),
        .json(
            "POST /proxies/a/toxics",
            #"{"type":"slicer","name":"x","attributes":{"average_size":10,"size_variation":10}}"#,
            #"{"attributes":{"average_size":10,"size_variation":10,"delay":0},"name":"x",*"#
        ),
        .json(
            "POST /proxies/a/toxics",
            #"{"type":"slicer","name":"x","attributes":{"delay":-1}}"#,
            #"{"attributes":{"average_size":0,"size_variation":0,"delay":-1},"name":"x",*"#
        ),
        .json(
            "POST /proxies/a/toxics",
            #"{"type":"latency","name":"x","attributes":{"jitter":1099511627777}}"#,
            #"{"attributes":{"latency":0,"jitter":1099511627777},"name":"x",*"#
        ),
        .json(
            "POST /proxies/a/toxics",
            #"{"type":"timeout","name":"x","attributes":{"timeout":-9223372036854775808}}"#,
            #"{"attributes":{"timeout":-9223372036854775808},"name":"x",*"#
        ),
        .error(
            "POST /proxies/a/toxics",
            #"{"type":"timeout","name":"x","attributes":{"timeout":9223372036854775808}}"#,
            400,
            "bad request body: *of type int64"
        ),
        Row(
            "POST /populate",
            #"[{"name":"c","upstream":"u:1"},{"name":"c","upstream":"u:1"}]"#,
            400,
            #"{"error":"duplicate name: c at proxy 2","status":400,"proxies":null}"#
        ),
        Row("POST /proxies", #"{"name":"x/y","upstream":"u:1"}"#, 201, #"{"name":"x/y",*"#),
    ]

    static let rows =
        reading + routing + browsers + bodies + creating + updating + toxics + populating
        + unlikeToxiproxy

    @Test func `every request is answered as Toxiproxy does`() throws {
        for row in Self.rows {
            let rig = try ToxiproxyRig()
            defer { rig.tearDown() }
            try Self.makeState(rig)
            let (method, path) = Self.split(row)
            Self.check(row, try rig.ask(method, path, row.body, fields: row.fields))
        }
    }

    @Test func `requests that change nothing are answered alike over one connection`() throws {
        let rig = try ToxiproxyRig()
        defer { rig.tearDown() }
        try Self.makeState(rig)
        let peer = try RawPeer.connect(to: rig.server.address, on: rig.loop)
        defer { peer.close() }
        for row in Self.reading + Self.routing + Self.browsers + Self.bodies {
            let (method, path) = Self.split(row)
            peer.send(ToxiproxyRig.request(method, path, row.body, fields: row.fields))
            Self.check(row, try rig.reply(to: method, over: peer))
        }
    }

    @Test func `requests that come byte by byte are answered alike`() throws {
        let rig = try ToxiproxyRig()
        defer { rig.tearDown() }
        try Self.makeState(rig)
        for row in Self.bodies + [Self.reading[3], Self.toxics[0]] {
            let (method, path) = Self.split(row)
            let peer = try RawPeer.connect(to: rig.server.address, on: rig.loop)
            defer { peer.close() }
            let request = ToxiproxyRig.request(method, path, row.body, fields: row.fields)
            for byte in request.utf8 {
                peer.send([byte])
                for _ in 0..<2 where !peer.isOver { try rig.turn() }
            }
            Self.check(row, try rig.reply(to: method, over: peer))
        }
    }

    @Test func `an expectation is met and HTTP 1.0 is answered`() throws {
        let rig = try ToxiproxyRig()
        defer { rig.tearDown() }
        let peer = try RawPeer.connect(to: rig.server.address, on: rig.loop)
        defer { peer.close() }
        peer.send("POST /proxies HTTP/1.1\r\nHost: [::1]\r\nExpect: 100-continue\r\n")
        peer.send("Content-Length: 29\r\n\r\n")
        try rig.run("the body is asked for") { peer.text.hasPrefix("HTTP/1.1 100 ") }
        peer.send(#"{"name":"b","upstream":"u:1"}"#)
        #expect(try rig.reply(to: "POST", over: peer).status == 201)
        let old = try RawPeer.connect(to: rig.server.address, on: rig.loop)
        defer { old.close() }
        old.send("GET /version HTTP/1.0\r\n\r\n")
        #expect(try rig.reply(to: "GET", over: old).status == 200)
    }

    @Test func `a body that is too large is refused`() throws {
        let rig = try ToxiproxyRig()
        defer { rig.tearDown() }
        let reply = try rig.ask("POST", "/proxies", String(repeating: " ", count: 1 << 20 + 1))
        #expect(reply.status == 413)
    }

    private static func split(_ row: Row) -> (String, String) {
        let parts = row.request.split(separator: " ")
        return (String(parts[0]), String(parts[1]))
    }

    private static func check(_ row: Row, _ reply: ToxiproxyReply) {
        let name = row.testDescription
        #expect(reply.status == row.status, "\(name): \(reply)")
        #expect(matches(reply.body, row.answer), "\(name): \(reply)")
        if let type = row.type { #expect(reply.fields["Content-Type"] == type, "\(name)") }
        if row.answer.isEmpty { #expect(reply.fields["Content-Type"] == nil, "\(name)") }
        let identifier = reply.fields["X-Toxiproxy-Request-Id"]
        #expect((identifier != nil) == row.isMatched, "\(name)")
        if let identifier {
            let digits = Set("0123456789abcdefghijklmnopqrstuv")
            #expect(identifier.count == 20 && identifier.allSatisfy(digits.contains))
        }
        if reply.body.hasPrefix("{\"error\""), !row.request.contains("populate") {
            #expect(reply.fields["X-Content-Type-Options"] == "nosniff")
        }
    }

    /// Whether a text is what a pattern says.
    static func matches(_ text: String, _ pattern: String) -> Bool {
        let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
        var rest = text[...]
        for (index, part) in parts.enumerated() where !part.isEmpty {
            guard let range = rest.firstRange(of: part),
                index > 0 || range.lowerBound == rest.startIndex
            else { return false }
            rest = rest[range.upperBound...]
        }
        return rest.isEmpty || parts.last == ""
    }
}
