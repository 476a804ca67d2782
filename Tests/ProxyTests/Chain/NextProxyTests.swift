import Testing

@testable import Proxy

/// How another proxy is named, and what is reached without it.
@Suite struct NextProxyTests {
    @Test(arguments: [
        ("http://proxy.example:3128", "http://proxy.example:3128"),
        ("http://proxy.example:3128/", "http://proxy.example:3128"),
        ("HTTP://proxy.example", "http://proxy.example:80"),
        ("proxy.example:3128", "http://proxy.example:3128"),
        ("socks5://127.0.0.1", "socks5://127.0.0.1:1080"),
        ("socks5h://[::1]:9", "socks5://[::1]:9"), ("socks://[::1]", "socks5://[::1]:1080"),
    ])
    func `a proxy is named by its URL`(text: String, meaning: String) throws {
        let proxy = try NextProxy(parsing: text)
        #expect("\(proxy)" == meaning && proxy.credentials == nil)
    }

    @Test(arguments: [
        ("http://me:secret@h:1", "me", "secret"), ("http://a%40b:c%3ad%25@h:1/", "a@b", "c:d%"),
        ("http://me:p:q@h:1", "me", "p:q"), ("socks5://me:p@ss/@h:1", "me", "p@ss/"),
    ])
    func `user and password stand in front`(text: String, user: String, password: String) throws {
        let proxy = try NextProxy(parsing: text)
        #expect(proxy.credentials == .init(user: user, password: password))
        #expect(proxy.endpoint == .tcp(host: "h", port: 1))
    }

    @Test(arguments: [
        "https://me:secret@h:1", "ftp://me:secret@h:1", "http://me:secret@", "http://me:secret@h:0",
        "http://me:secret@h:x", "http://me:secret%@h:1", "http://:secret@h:1", "http://me:@h:1",
        "http://a%3asecret:secret@h:1", "http://secret@h:1", "http://me:secret@unix:/h",
        "http://me:secret@[h]:1", "http://me:secret@::1", "http://me:secret@h:1/path",
        "http://me:\(String(repeating: "secret", count: 43))@h:1",
    ])
    func `what names no proxy is refused without telling the password`(text: String) {
        let error = #expect(throws: ProxyError.self) { try NextProxy(parsing: text) }
        #expect(error?.kind == .badEndpoint)
        #expect(error?.description.contains("secret") == false, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        ("http://me:secret@h:1", "http://me:PASSWORD@h:1"), ("me:secret@h:1", "me:PASSWORD@h:1"),
        ("http://me:se@cr:et@h:1", "http://me:PASSWORD@h:1"), ("env", "env"),
        ("http://h:1", "http://h:1"), ("http://secret@h:1", "http://secret@h:1"),
    ])
    func `a URL is shown without its password`(text: String, shown: String) {
        #expect(NextProxy.shown(text) == shown)
    }

    private static let list =
        "localhost, .corp.example,*.cdn.example,example.org:8080 10.0.0.0/8,::1,fd00::/7,192.0.2.7,,!"

    @Test(arguments: [
        ("localhost:80", true), ("a.localhost:80", true), ("xlocalhost:80", false),
        ("corp.example:443", true), ("a.b.CORP.example:443", true), ("acorp.example:443", false),
        ("cdn.example:1", true), ("x.cdn.example:1", true), ("example.org:8080", true),
        ("www.example.org:8080", true), ("example.org:80", false), ("10.200.3.4:1", true),
        ("11.0.0.1:1", false), ("[::1]:5", true), ("[::2]:5", false), ("[fc00::1]:5", true),
        ("[fe80::1]:5", false), ("192.0.2.7:1", true), ("192.0.2.70:1", false),
        ("[::ffff:192.0.2.7]:1", true), ("other.test:1", false),
    ])
    func `exceptions mean a host and those below it`(server: String, isMeant: Bool) throws {
        let exceptions = ProxyExceptions(Self.list)
        #expect(exceptions.contains(try Endpoint(parsing: server)) == isMeant)
    }

    @Test func `a star means everything, an empty list nothing`() throws {
        let server = try Endpoint(parsing: "a.test:1")
        #expect(ProxyExceptions("*").contains(server))
        #expect(!ProxyExceptions("").contains(server))
        #expect(!ProxyExceptions("10.0.0.0/33,10.0.0.0/-1,10.0.0.0/,/8").contains(server))
    }

    @Test func `a server is added by its address`() throws {
        var exceptions = ProxyExceptions()
        exceptions.add(.tcp(host: "::1", port: 5))
        #expect(exceptions.contains(.tcp(host: "::1", port: 5)))
        #expect(!exceptions.contains(.tcp(host: "::1", port: 6)))
    }
}
