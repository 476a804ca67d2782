import HTTPWire
import Testing

@Suite struct HTTPURLTests {
    @Test(arguments: [
        ("http://a", "a", 80, "/", "a"),
        ("HTTP://A.Example:80/", "a.example", 80, "/", "a.example"),
        ("https://a:443/b?c#d", "a", 443, "/b?c", "a"),
        ("http://a:443?c", "a", 443, "/?c", "a:443"),
        ("http://[::1]:8080/x", "::1", 8_080, "/x", "[::1]:8080"),
        ("https://[2001:DB8::1.2.3.4]", "2001:db8::1.2.3.4", 443, "/", "[2001:db8::1.2.3.4]"),
        ("http://127.0.0.1:/", "127.0.0.1", 80, "/", "127.0.0.1"),
        ("http://a:00080/../b", "a", 80, "/../b", "a"),
        ("http://a_b.c-d~/", "a_b.c-d~", 80, "/", "a_b.c-d~"),
    ])
    func `a URL has host, port and target`(
        text: String,
        host: String,
        port: Int,
        target: String,
        field: String
    ) throws {
        let url = try HTTPURL(text)
        #expect(url.host == host)
        #expect(url.port == port)
        #expect(url.target == target)
        #expect(url.hostField == field)
        #expect(url.isSecure == text.hasPrefix("https"))
        #expect(try HTTPURL(url.text) == url)
    }

    @Test(arguments: [
        ("", HTTPURLError.scheme), ("a", .scheme), ("//a", .scheme), ("ftp://a", .scheme),
        ("http:", .host), ("http:a", .host), ("http:/a", .host), ("http://", .host),
        ("http:///a", .host), ("http://:80", .host), ("http://a:b", .host), ("http://a:0", .host),
        ("http://a:65536", .host), ("http://a:99999999999999999999", .host), ("http://a:-1", .host),
        ("http://a:8:8", .host), ("http://u@a", .userInformation),
        ("http://u:p@a:1", .userInformation),
        ("http://a%2f", .host), ("http://a b", .host), ("http://\u{FC}", .host),
        ("http://a\\b", .host),
        ("http://[::1", .host), ("http://[::1]x", .host), ("http://[]", .host),
        ("http://::1", .host),
        ("http://[fe80::1%25eth0]", .host), ("http://[1.2.3.4]", .host), ("http://[v1.a]", .host),
        ("http://a\n", .notURL), ("1http://a", .notURL), (":", .notURL),
    ])
    func `other text is refused with a reason`(text: String, error: HTTPURLError) {
        #expect(throws: error) { try HTTPURL(text) }
    }

    @Test(arguments: [
        ("::", true), ("::1", true), ("1::", true), ("1:2:3:4:5:6:7:8", true),
        ("1:2:3:4:5:6:7::", true),
        ("::2:3:4:5:6:7:8", true), ("1::8", true), ("::1.2.3.4", true),
        ("1:2:3:4:5:6:1.2.3.4", true),
        ("ABCD:ef01::", true), ("1:2:3:4:5:6:7", false), ("1:2:3:4:5:6:7:8:9", false),
        ("1:2:3:4::5:6:7:8", false), (":::", false), ("1:::2", false), ("1::2::3", false),
        (":1", false),
        ("1:", false), (":1::", false), ("12345::", false), ("g::", false), ("1.2.3.4", false),
        ("1.2.3.4::", false), ("::1.2.3", false), ("::1.2.3.256", false), ("::01.2.3.4", false),
        ("1:2:3:4:5:6:7:1.2.3.4", false), (":", false), ("::1.2.3.4.5", false), ("::1..2.3", false),
    ])
    func `an IPv6 address is one`(text: String, isValid: Bool) {
        #expect(((try? HTTPURL("http://[\(text)]/")) != nil) == isValid)
    }

    @Test(arguments: [
        ("/x", "http://a:8/x"), ("x?y", "http://a:8/b/x?y"), ("//c/", "http://c/"),
        ("https://a/#f", "https://a/"), ("", "http://a:8/b/c?d"),
        ("\u{C3}\u{BC}", "http://a:8/b/%C3%BC"),
        ("../../../x", "http://a:8/x"),
    ])
    func `a location is resolved`(location: String, text: String) throws {
        #expect(try HTTPURL("http://a:8/b/c?d").resolving(location).text == text)
    }

    @Test func `a location that leads nowhere is refused`() throws {
        let url = try HTTPURL("http://a/")
        #expect(throws: HTTPURLError.scheme) { try url.resolving("file:///etc/passwd") }
        #expect(throws: HTTPURLError.userInformation) { try url.resolving("//u@b/") }
        #expect(throws: HTTPURLError.notURL) { try url.resolving("\u{0}") }
    }

    @Test func `an origin is scheme, host and port`() throws {
        let url = try HTTPURL("http://a/x")
        #expect(url.hasSameOrigin(as: try HTTPURL("http://A:80/y")))
        #expect(!url.hasSameOrigin(as: try HTTPURL("https://a:80/x")))
        #expect(!url.hasSameOrigin(as: try HTTPURL("http://a:81/x")))
        #expect(!url.hasSameOrigin(as: try HTTPURL("http://b/x")))
    }

    @Test func `every error says what is wrong`() {
        for error in [HTTPURLError.notURL, .scheme, .userInformation, .host] {
            #expect(error.description.contains("URL"))
        }
    }
}
