import Basics
import DNSWire
import Faults
import Testing

@Suite struct QueryFaultTests {
    @Test(arguments: [
        "A(api.example.com)#1=nxdomain", "AAAA(*.example.com)#*=nodata", "*(*)#*/3=servfail",
        "HTTPS(a.b)#2/3=refused", "TYPE65280(a.b)#1..3=timeout", "A(a.b)#*?10%=delay(2s)",
        "A(a.b)#1=truncate", "A(a.b)#1=truncate(hole)", "A(a.b)#1=truncate(fin)",
        "A(a.b)#1=truncate(rst)", "A(a.b)#1=wrong", "A(a.b)#1=wrong(192.0.2.1,192.0.2.2)",
        "AAAA(a.b)#*=rotate", "AAAA(a.b)#*=rotate(::1,::2)", "A(a.b)#1=dead-first",
        "A(a.b)#1=dead-first(127.0.0.9)", "A(a.b)#1=ttl(0)", "A(a.b)#1=ttl(2147483647)",
        "A(a.b)#1=cname-loop",
    ])
    func `a fault that is written one way is read and written so`(text: String) throws {
        #expect(try QueryFault(parsing: text).canonicalText == text)
    }

    @Test(arguments: [
        ("A(API.example.com.)#*/1=nxdomain", "A(api.example.com)#*=nxdomain"),
        ("TYPE1(a.b)#1=delay(1000ms)", "A(a.b)#1=delay(1s)"),
        ("A(a.b)#2..2=truncate(answer)", "A(a.b)#2=truncate"),
        ("AAAA(a.b)#1=wrong(2001:DB8:0::1)", "AAAA(a.b)#1=wrong(2001:db8::1)"),
    ])
    func `other ways to write it mean the same`(text: String, canonical: String) throws {
        #expect(try QueryFault(parsing: text).canonicalText == canonical)
    }

    @Test func `every effect has a name that help lists`() throws {
        for name in QueryEffect.names {
            let value = ["delay": "(1s)", "ttl": "(0)"][name] ?? ""
            #expect(try QueryFault(parsing: "A(a.b)#1=\(name)\(value)").effect.name == name)
        }
    }

    @Test(arguments: [
        ("", 1, "expected a query, like 'A(api.example.com)#1' or '*(*.example.com)#*'"),
        ("api.example.com A#1=nxdomain", 1, "expected a query, like"),
        ("(a.b)#1=nxdomain", 1, "expected a query, like"),
        ("AAA(a.b)#1=nxdomain", 1, "unknown type 'AAA'; did you mean 'AAAA'?"),
        ("a(a.b)#1=nxdomain", 1, "unknown type 'a'; did you mean 'A'?"),
        ("A(a..:1)#1=nxdomain", 3, "'a..:1' is no name; write one like 'api.example.com'"),
        ("A()#1=nxdomain", 3, "'' is no name"),
        ("A(a.b", 6, "expected ')', found the end"),
        ("A(a.b)=nxdomain", 7, "expected '#' and which query, '#1' for the first or '#*' for all"),
        ("A(a.b)#0=nxdomain", 8, "queries count from 1, found 0"),
        ("A(a.b)#1", 9, "expected '=' and an effect, found the end"),
        ("A(a.b)#1=nxdomian", 10, "unknown effect 'nxdomian'; did you mean 'nxdomain'?"),
        ("A(a.b)#1=drop", 10, "unknown effect 'drop'; write timeout"),
        ("A(a.b)#1=slow(2s)", 10, "unknown effect 'slow'; write delay(2s)"),
        ("A(a.b)#1=nxdomain(1)", 18, "expected the end of the text, found '('"),
        ("A(a.b)#1=delay", 15, "'delay' needs a time, like 'delay(2s)'"),
        ("A(a.b)#1=delay(2)", 16, "2"),
        ("A(a.b)#1=delay(0s)", 16, "'0s' is no time at all; expected more than 0"),
        ("A(a.b)#1=delay(61min)", 16, "'61min' is too long; the most is 1h"),
        ("A(a.b)#1=ttl", 13, "'ttl' needs a number of seconds, like 'ttl(0)'"),
        ("A(a.b)#1=ttl(2147483648)", 14, "'2147483648' is too large; the most is 2147483647"),
        ("A(a.b)#1=truncate(reset)", 19, "unknown ending of TCP 'reset'; did you mean 'rst'?"),
        (
            "A(a.b)#1=wrong(1.2.3)", 16,
            "'1.2.3' is not an address, like 127.0.0.1 or ::1, without a port"
        ),
        ("A(a.b)#1=wrong(127.0.0.1", 25, "expected ')', found the end"),
        ("A(a.b)#1=dead-first(1.1.1.1,2.2.2.2)", 20, "'dead-first' takes one address"),
    ])
    func `what is wrong is named with its column`(text: String, column: Int, words: String) throws {
        let error = try #require(throws: ScheduleError.self) {
            _ = try QueryFault(parsing: text)
        }
        #expect(error.column == column)
        #expect(error.description.contains(words), "\(error.description)")
    }
}
