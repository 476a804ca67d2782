import Basics
import DNSWire
import Faults
import Testing

/// Faults of name lookups among all others.
@Suite struct LookupFaultTests {
    @Test(arguments: [
        "A(api.example.com)#1=nxdomain", "AAAA(*.example.com)#*=nodata", "*(*)#*/3=servfail",
        "TYPE65280(a.b)#1..3=timeout", "A(a.b)#*?10%=delay(2s)", "A(a.b)#1=truncate(hole)",
        "A(a.b)#1=wrong(192.0.2.1,192.0.2.2)", "*(a.b)#1=ttl(0)", "*(a.b)#1=cname-loop",
    ])
    func `one is read as in linkcond dns, and written so`(text: String) throws {
        let fault = try Fault(parsing: text)
        #expect(fault.canonicalText == text)
        #expect(QueryFault(fault) == (try QueryFault(parsing: text)))
        #expect(fault.effect.kind == .query)
    }

    @Test(arguments: [
        "*(*)#1:resp.head=rst", "*(*)#*=buffer(req)", "*(x.png)#1=buffer(resp)",
        "A(/x)#1:req.head=rst", "MX(/*)#*:resp.end=fin", "GET(a.b)#1:req.head=rst",
    ])
    func `a request that is written alike stays one`(text: String) throws {
        let fault = try Fault(parsing: text)
        #expect(fault.canonicalText == text)
        #expect(QueryFault(fault) == nil)
    }

    @Test func `a schedule holds all kinds, those of lookups last`() throws {
        let faults = [
            "c1:down+9=rst", "*(/a)#1:resp.head=fin", "u1:up#1=drop", "A(a.b)#1..2=servfail",
        ]
        let line = "lc1;seed=7;" + faults.joined(separator: ";")
        let turned = "lc1;\(faults.reversed().joined(separator: ";"));seed=7"
        #expect(try FaultSchedule(parsing: line).canonicalText == line)
        #expect(try FaultSchedule(parsing: turned).canonicalText == line)
    }

    @Test(arguments: [
        ("A(a.b)#1:req.head=rst", 10, "a name lookup has no parts; expected '=' and an effect"),
        ("A(a.b)#1=servfail,times=2", 19, "a fault of name lookups takes no argument"),
        ("A(a.b)#1", 9, "expected '=' and an effect"),
        ("A(a.b)=servfail", 7, "expected '#' and which query"),
        ("*(a.b)#1=nxdomian", 10, "unknown effect 'nxdomian'; did you mean 'nxdomain'?"),
        ("A(a.b)#1=rst", 10, "unknown effect 'rst'"),
        ("c1:down+5=servfail", 11, "'servfail' acts on name lookups; write 'A(api.example.com)#1"),
        ("c1:down+5=dns", 11, "unknown effect 'dns'"),
        ("host(a.b)/A(a.b)#1=servfail", 11, "'host(...)/' is followed by a connection"),
        ("c1:down+5=stall(until=A(a.b)#1)", 23, "a name lookup is no event; name a request"),
    ])
    func `what is wrong is named with its column`(text: String, column: Int, words: String) throws {
        let error = try #require(throws: ScheduleError.self) { _ = try Fault(parsing: text) }
        #expect(error.column == column)
        #expect(error.description.contains(words), "\(error.description)")
    }

    @Test func `one that nobody met has a reason of its own`() throws {
        let plan = FaultPlan(faults: [try Fault(parsing: "A(a.b)#1=servfail")], seed: 7)
        #expect(FaultLedger(plan: plan).rows.map(\.reason) == [.noQuery])
        // None acts on traffic.
        #expect(plan.faults(onConnection: 1).isEmpty && plan.requests.isEmpty)
    }
}
