import Basics
import Faults
import Testing

struct FlowAddressTests {
    @Test(
        arguments: [
            "u1:down#3=drop", "u*:up=mtu(1300)", "u1/initial:up#1..3=drop",
            "u*/1rtt:down?2%=corrupt", "u2:down#*/10=corrupt(50)", "u1:up#100=rebind(port)",
            "u1:up#1=rebind(address)", "u*:idle(30s)=forget", "u1:down#9=hole(5s)",
            "u1:down#9=hole(both)", "u1:up#4=stall(200ms)", "u1:up#2=dup", "u1:down#5=reorder(3)",
            "u1:down#5=delay(50ms)", "u*?10%:down=ecn(ce)", "u1:down=ecn(bleach)",
            "u1..3/0rtt:up=drop", "u1/handshake:down#2?50%=drop", "u1:down#3=drop,times=4",
            "c1..3:connect=refuse", "u*:up?30%=drop,burst=3",
        ]
    )
    func `a fault is written back as it was read`(text: String) throws {
        #expect(try Fault(parsing: text).canonicalText == text)
    }

    @Test(
        arguments: [
            ("u1:down#3..3=drop", "u1:down#3=drop"), ("u1:down#*=drop", "u1:down=drop"),
            ("u1:down#*?5%=drop", "u1:down?5%=drop"), ("u1:down#3=drop,times=1", "u1:down#3=drop"),
        ]
    )
    func `what means the same is written in one way`(text: String, canonical: String) throws {
        #expect(try Fault(parsing: text).canonicalText == canonical)
    }

    @Test(
        arguments: [
            ("u1:down+5=drop", 8, "a flow has datagrams, not bytes"),
            ("u1/inital:down=drop", 4, "unknown packet type 'inital'"),
            ("u1:resp.head=drop", 4, "unknown place 'resp'"),
            ("u1:down#5..3=drop", 9, "the range 5..3 is empty"),
            ("u1:down#3=rst", 11, "'rst' does not act at a datagram; this does: hole, stall"),
            ("c1:down+5=drop", 11, "'drop' does not act at a byte"),
            ("u1:down=mtu(20)", 13, "'20' is not a number of bytes from 29 to 65535"),
            ("u1:down=reorder", 9, "'reorder' needs a value, like 'reorder(3)'"),
            ("u1:idle(30s)=drop", 14, "'drop' does not act at 'idle(...)' of a flow"),
            ("u1:down#2=stall(until=c1:up+5)", 23, "duration"),
            ("u1:up#3=drop,burst=3", 14, "'burst' goes with a chance of datagrams only"),
            ("u1:up?3%=drop,burst=0", 21, "count from 1"),
            ("c1:down+5=corrupt(50)", 19, "'corrupt' takes no value"),
            ("c1:up+5=stall(until=u1:up#3)", 21, "a datagram is no event"),
        ]
    )
    func `a mistake is named with its column`(text: String, column: Int, words: String) {
        let error = #expect(throws: ScheduleError.self) { try Fault(parsing: text) }
        #expect(error?.column == column)
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
    }
}
