import Testing

@testable import Proxy

@Suite struct EndpointTests {
    @Test(arguments: [
        "127.0.0.1:80", "[::1]:8080", "localhost:0", "example.com:443", "unix:/tmp/a.sock",
    ])
    func `an endpoint is written as it was read`(text: String) throws {
        #expect(try Endpoint(parsing: text).description == text)
    }

    @Test(arguments: [
        ("8080", "127.0.0.1:8080"), ("0", "127.0.0.1:0"), ("http://127.0.0.1:80", "127.0.0.1:80"),
        ("http://localhost:8080/", "localhost:8080"), ("HTTP://example.org", "example.org:80"),
        ("http://[::1]", "[::1]:80"), ("http://[::1]:9/", "[::1]:9"),
    ])
    func `a port alone and a URL name the server that they mean`(text: String, meaning: String)
        throws
    {
        #expect(try Endpoint(parsing: text).description == meaning)
    }

    @Test(arguments: [
        ("65536", "not a port"), ("http://a:1/b", "more than a server; write a:1,"),
        ("https://a.org/", "only --upstream takes an https URL"),
        ("https://[::1]:9", "only --upstream takes an https URL"), ("ftp://a:1", "write host:port"),
        ("http://", "':80' has no host"),
        ("127.0.0.1", "has no port"), ("::1:80", "in brackets"), ("[abc]:80", "not an IPv6"),
        ("host:65536", "not a port"), ("host:+1", "not a port"), (":80", "write 127.0.0.1:80"),
        ("unix:", "needs a path"), ("a b:1", "not a host name"),
        ("unix:/" + String(repeating: "x", count: 107), "at most 107 bytes"),
    ])
    func `an endpoint that cannot be read says why`(text: String, words: String) {
        let error = #expect(throws: ProxyError.self) { try Endpoint(parsing: text) }
        #expect(error?.kind == .badEndpoint)
        #expect(error?.description.contains(words) == true)
    }
}
