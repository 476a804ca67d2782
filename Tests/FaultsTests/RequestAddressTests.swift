import Basics
import Faults
import Testing

/// Faults in requests and responses: their text.
@Suite struct RequestAddressTests {
    @Test(
        arguments: [
            ("c1/r1:resp.body+1=fin", "c1/r1:resp.body+1=fin"),
            ("c*/3/r2/5:req.head-1=rst", "c*/3/r2/5:req.head-1=rst"),
            ("c*/r*:resp.end=hole", "c*/r*:resp.end=hole"),
            ("c1?10%/r*/2:resp.body+1KiB..2KiB=rst", "c1?10%/r*/2:resp.body+1024..2048=rst"),
            (
                "PATCH(/u/*)#1:req.body~500=rst,see=104",
                "PATCH(/u/*)#1:req.body~500=rst,see=104"
            ),
            ("*(/a%2a%20%2f?b)#*?5%:req.head=fin", "*(/a%2A%20/?b)#*?5%:req.head=fin"),
            ("GET(/**)#2:resp.body-0=fin,drain=5000ms", "GET(/*)#2:resp.body=fin,drain=5s"),
            ("GET(/*)#2:resp.body=fin,drain=2s,times=1", "GET(/*)#2:resp.body=fin"),
            ("GET(/*)#*:resp.body=fin,times=all", "GET(/*)#*:resp.body=fin"),
            (
                "GET(/*)#1:resp.body=fin,times=2,far=rst",
                "GET(/*)#1:resp.body=fin,far=rst,times=2"
            ),
            ("c1:resp.chunk[3]+5=rst,far=rst", "c1:resp.chunk[3]+5=rst"),
            ("c1:resp.size[3]-2=fin", "c1:resp.size[3]-2=fin"),
            ("c1:resp.last+3=fin", "c1:resp.last+3=fin"),
            ("c1:resp.body+7=corrupt", "c1:resp.body+7=corrupt"),
            ("c1:resp.body+7=slow(8KiB/s)", "c1:resp.body+7=slow(65536bit/s)"),
            ("c1:resp.body+7=truncate,far=fin", "c1:resp.body+7=truncate"),
            (
                "c1/r1:resp.head+0=rst,gate=body+100",
                "c1/r1:resp.head+0=rst,gate=body+100"
            ),
            ("c1/r1:resp.head+0=rst,gate=open", "c1/r1:resp.head+0=rst,gate=open"),
            ("c1:interim(104#1)=withhold", "c1:interim(104)=withhold"),
            ("c1:interim(104#*)=dup", "c1:interim(104#*)=dup"),
            ("c1:interim(104#2)+0=fin", "c1:interim(104#2)+0=fin"),
            ("c1:interim(104)=stall(2s)", "c1:interim(104)=stall(2s)"),
            (
                "c1:interim(104)=edit(Location=/u/x%2Cy,upload-offset=)",
                "c1:interim(104)=edit(location=/u/x%2Cy,upload-offset=)"
            ),
            ("c1/r1:idle=rst-on-next", "c1/r1:idle=rst-on-next"),
            ("c1:idle=fin", "c1:idle=fin"),
            ("c*=buffer(req)", "c*=buffer(req)"),
            ("POST(/f)#1=buffer(resp)", "POST(/f)#1=buffer(resp)"),
            ("c*=strip(1xx)", "c*=strip(1xx)"),
            ("c2:connect=silent", "c2:connect=silent"),
            ("c2:connect=silent(2)", "c2:connect=silent(2)"),
            (
                "c2:connect=down(until=c1/r1:resp.end)",
                "c2:connect=down(until=c1/r1:resp.end)"
            ),
            ("c2:connect=down(2s)", "c2:connect=down(2s)"),
            ("c1/r1:req.end=swallow", "c1/r1:req.end=swallow"),
            (
                "c1/r1:req.end=swallow(end=fin,keep=half)",
                "c1/r1:req.end=swallow(keep=half,end=fin)"
            ),
            ("c1/r1:req.end=swallow(head)", "c1/r1:req.end=swallow(keep=head)"),
            (
                "c1/r1:req.body+9=late(1KiB,until=PATCH(/u/*)#2:req.end)",
                "c1/r1:req.body+9=late(1024,until=PATCH(/u/*)#2:req.end)"
            ),
            (
                "c1/r1:req.body+9=stall,until=c2:connect,see=open",
                "c1/r1:req.body+9=stall(until=c2:connect),see=open"
            ),
            (
                "c1/r1:req.head=status(503,retry-after=4)",
                "c1/r1:req.head=status(503,retry-after=4)"
            ),
            ("c1/r1:req.head=status(503,until=c9)", "c1/r1:req.head=status(503,until=c9)"),
            (
                "c1/r1:req.end=status(429,retry-after=date+4,x-why=a%20b,close)",
                "c1/r1:req.end=status(429,retry-after=date+4,x-why=a%20b,close)"
            ),
            (
                "GET(/a)#1:req.head=status(200,close,page,x-why=page)",
                "GET(/a)#1:req.head=status(200,x-why=page,page,close)"
            ),
            ("c1/r1:req.head=early(413)", "c1/r1:req.head=early(413)"),
            (
                "c1/r1:req.head=inject(103,link=%3C/a%3E)",
                "c1/r1:req.head=inject(103,link=%3C/a%3E)"
            ),
            ("c1/r1:req.body+5=crash", "c1/r1:req.body+5=crash"),
            (
                "c1/r1:req.body+5=crash(loss=tail:1KiB)",
                "c1/r1:req.body+5=crash(loss=tail:1024)"
            ),
            ("c1/r1:req.body+5=crash(meta)", "c1/r1:req.body+5=crash(loss=meta)"),
            ("obj(/big.bin)#2=mutate(same-size)", "obj(/big.bin)#2=mutate(same-size)"),
            ("obj(/b)#1=range(shift:-1000)", "obj(/b)#1=range(shift:-1000)"),
            ("obj(/b)#1=range(short:1KiB)", "obj(/b)#1=range(short:1024)"),
            ("obj(/b)#*=range(200-partial)", "obj(/b)#*=range(200-partial)"),
            ("obj(/u/*)#2=expire", "obj(/u/*)#2=expire"),
            (
                "obj(/u/*)#2=limit(max-append-size=1MiB)",
                "obj(/u/*)#2=limit(max-append-size=1048576)"
            ),
            ("c1:connect=refuse(3),times=2", "c1:connect=refuse(3),times=2"),
            ("host(API.example.com)/c1:down+5=rst", "host(api.example.com)/c1:down+5=rst"),
            ("host(*.cdn:8443)/c*/r2:req.end=swallow", "host(*.cdn:8443)/c*/r2:req.end=swallow"),
            ("host([::1])/c2:connect=refuse", "host([::1])/c2:connect=refuse"),
            (
                "GET(//api.example.com/x)#2:resp.body+1=fin",
                "GET(//api.example.com/x)#2:resp.body+1=fin"
            ),
            ("*(//*.cdn/*)#1:req.end=swallow", "*(//*.cdn/*)#1:req.end=swallow"),
            (
                "c1:down+5=stall(until=host(a)/c1:connect)",
                "c1:down+5=stall(until=host(a)/c1:connect)"
            ),
        ])
    func `a request-addressed fault has one canonical form that reads as itself`(
        text: String,
        canonical: String
    ) throws {
        let fault = try Fault(parsing: text)
        #expect(fault.canonicalText == canonical)
        #expect(try Fault(parsing: canonical) == fault)
    }

    @Test(arguments: Effect.RangeMisbehaviour.everyText)
    func `every range effect is read and written back`(text: String) throws {
        let fault = "obj(/b)#1=range(\(text))"
        #expect(try Fault(parsing: fault).canonicalText == fault)
    }

    @Test func `a fault is read into its parts`() throws {
        let fault = try Fault(parsing: "PATCH(/u/*)#2:req.body-10=fin,see=104,drain=5s,times=3")
        let path = try #require(PathGlob("/u/*"))
        let target = FaultTarget.matching(
            RequestPattern(method: "PATCH", path: path),
            OrdinalSelector(.one(2))
        )
        #expect(
            fault
                == Fault(
                    FaultAddress(target, .message(.up, .body, .fromEnd(10))),
                    .finish,
                    FaultOptions(see: .interim(104), times: .count(3), drain: .seconds(5))
                )
        )
        #expect(fault.address.isOfRequests)
        #expect(try Fault(parsing: "c1:down+5=rst").address.isOfRequests == false)
        #expect(try Fault(parsing: "c1:idle=rst").address.isOfRequests)
    }

    @Test(
        arguments: [
            ("c1/r0:resp.body=fin", 5, "requests count from 1"),
            ("host()/c1:down+1=rst", 6, "'' is no host"),
            ("host(a:b)/c1:down+1=rst", 6, "'a:b' is no host"),
            ("host(a)c1:down+1=rst", 7, "expected ')/' and a connection"),
            ("host(a)/GET(/x)#1:req.end=rst", 9, "by path write 'GET(//api.example.com/x)#1'"),
            ("host(a)/c1:connect=down(1s)", 20, "write 'c1:connect=down', or 'refuse'"),
            ("GET(///x)#1:req.end=rst", 7, "'' is no host"),
            ("GET(//a)#1:req.end=rst", 5, "expected a path"),
            ("c1/rx:resp.body=fin", 5, "expected a request number or '*'"),
            ("patch(/u)#1:req.end=rst", 1, "methods are written in upper case"),
            ("PATCH(/u):req.end=rst", 10, "expected '#' and a number"),
            ("PATCH()#1:req.end=rst", 7, "expected a path"),
            ("PATCH(/u#1:req.end=rst", 23, "expected a path like '/u/*' and ')', found the end"),
            ("PATCH(/%zz)#1:req.end=rst", 7, "two hexadecimal digits"),
            ("PATCH(/u)#0:req.end=rst", 11, "requests count from 1"),
            ("c1/r1:resp=fin", 11, "expected a part like 'resp.body', found '='"),
            ("c1/r1:resp.bdoy=fin", 12, "unknown part 'bdoy'; did you mean 'body'?"),
            ("c1/r1:resp.chunk=fin", 17, "expected a number like 'chunk[1]'"),
            ("c1/r1:resp.chunk[0]=fin", 18, "chunks count from 1"),
            ("c1/r1:resp.chunk[1=fin", 19, "expected ']'"),
            ("c1/r1:resp.end+1=fin", 15, "'end' takes no offset"),
            ("c1/r1:resp.body~1001=fin", 17, "too large; the most is 1000"),
            ("c1/r1:resp.body~=fin", 17, "expected thousandths"),
            ("c1/r1:interim=dup", 14, "expected a status like 'interim(104)'"),
            ("c1/r1:interim(200)=dup", 15, "200 is no interim status"),
            ("c1/r1:interim(101)=dup", 15, "101 is no interim status"),
            ("c1/r1:interim(104)+3=dup", 22, "leave the offset out"),
            ("c1/r1:up+5=rst", 7, "write 'c1:up+5'"),
            ("GET(/x)#1:connect=refuse", 11, "'connect' is of a connection"),
            ("c1=rst", 4, "does not act at a connection or request as a whole"),
            ("c1:idle=stall(1s)", 9, "does not act at 'idle'; this does: rst, fin"),
            ("c1/r1:req.body=swallow", 16, "'swallow' acts at 'req.end' only"),
            ("c1/r1:resp.body=status(503)", 17, "'status' does not act at a response"),
            ("c1/r1:resp.head=truncate", 17, "'truncate' acts in 'resp.body'"),
            ("c1/r1:resp.body=corrupt", 17, "give an offset like 'body+10'"),
            ("c1/r1:req.end=mutate(grow)", 15, "write 'obj(PATH)#N=mutate'"),
            ("obj(/x)#1=rst", 11, "'rst' acts on traffic; 'obj(...)' takes mutate"),
            ("obj(/x)#1:req.head=expire", 20, "takes no anchor"),
            ("obj(/x)#1=mutate(gorw)", 18, "unknown value 'gorw'; did you mean 'grow'?"),
            ("obj(/x)#1=mutate", 11, "'mutate' needs a value, like 'mutate(same-size)'"),
            ("obj(/x)#1=range(shift:x)", 17, "expected one like 'shift:-1000'"),
            ("obj(/x)#1=range(ignroe)", 17, "did you mean 'ignore'?"),
            ("obj(/x)#1=limit(max-siez=3)", 17, "did you mean 'max-size'?"),
            ("obj(/x)#1=limit(3)", 17, "expected max-append-size= or max-size=, found '3'"),
            ("c1/r1:req.end=status", 15, "'status' needs a status, like 'status(503)'"),
            ("c1/r1:req.end=status(104)", 22, "no status from 200 to 999"),
            ("c1/r1:req.head=inject(101)", 23, "no status from 100 to 199"),
            ("c1/r1:req.end=inject(103,page)", 26, "expected a field like 'retry-after=4'"),
            ("c1/r1:req.end=status(503,x)", 26, "expected a field like 'retry-after=4'"),
            ("c1/r1:req.end=status(503,x=%0d)", 28, "no control characters"),
            ("c1/r1:req.end=status(503,x=%2)", 28, "two hexadecimal digits"),
            ("c1/r1:req.end=status(503,x=%20a)", 28, "begins nor ends with a space"),
            ("c1/r1:req.end=status(503,a/b=c)", 26, "'a/b' is no name"),
            ("c1/r1:req.end=swallow(keep=all)", 28, "unknown value 'all'"),
            ("c1/r1:req.end=swallow(kep=head)", 23, "did you mean 'keep'?"),
            ("c1/r1:req.body=late(5)", 16, "needs a number of bytes and an event"),
            ("c1/r1:req.body=late(0,until=c2:connect)", 21, "not from 1 to"),
            ("c1/r1:req.body=stall(until=obj(/x)#1)", 28, "is no event"),
            ("c1/r1:req.body=stall(until=c1)", 28, "an event needs a place"),
            ("c1/r1:req.body=stall(until=c1:up+1..5)", 28, "at one place"),
            ("c1/r1:req.body=rst,sea=104", 20, "unknown argument 'sea'; did you mean 'see'?"),
            ("c1/r1:req.body=rst,see=101", 24, "is nothing that a client can have seen"),
            ("c1/r1:resp.body=rst,see=104", 21, "'see' goes with"),
            ("c1/r1:req.body=rst,gate=open", 20, "'gate' goes with places in a response"),
            ("c1/r1:resp.body=rst,gate=tail", 26, "unknown part 'tail'"),
            ("c1/r1:resp.body=rst,drain=5s", 21, "'drain' goes with"),
            ("c1/r1:resp.body=fin,drain=5", 27, "has no unit"),
            ("c1/r1:resp.body=fin,times=0", 27, "0 times is never"),
            ("c1/r1:resp.body=fin,times=x", 27, "expected a number or 'all'"),
            ("c1/r1:resp.body=fin,until=c2:connect", 21, "'until' stands right after"),
            ("c1/r1:resp.body=fin,times=2,times=2", 29, "'times' is given twice"),
            ("c1/r1:req.head=crash(loss=uncomited)", 27, "unknown loss 'uncomited'; did you mean"),
            ("c1=buffer(rep)", 11, "unknown message 'rep'; did you mean 'req'?"),
            ("c1=strip(2xx)", 10, "did you mean '1xx'?"),
            ("c1:resp.body=silent", 14, "'silent' acts at 'connect' only"),
        ])
    func `a mistake is named with its column`(text: String, column: Int, words: String) {
        do throws(ScheduleError) {
            _ = try Fault(parsing: text)
            Issue.record("\(text) was read")
        } catch {
            #expect(error.column == column, "\(text): \(error)")
            #expect(error.description.contains(words), "\(text): \(error)")
        }
    }

    @Test func `what is too long or too much is refused`() {
        let path = "/" + String(repeating: "x", count: ScheduleLimits.globLength)
        #expect(throws: ScheduleError.self) { try Fault(parsing: "GET(\(path))#1:req.end=rst") }
        let fields = (0..<ScheduleLimits.values).map { ",x\($0)=1" }.joined()
        #expect(throws: ScheduleError.self) {
            try Fault(parsing: "c1/r1:req.end=status(503\(fields))")
        }
    }
}

extension Effect.RangeMisbehaviour {
    static let everyText = [
        "ignore", "shift:-1000", "shift:5", "short:7", "no-content-range", "wrong-total",
        "200-partial", "304", "416", "multipart", "gzip",
    ]
}
