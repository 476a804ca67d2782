import Faults
import Testing

@Suite struct FaultScheduleTests {
    @Test func `a schedule line is read and written back in order of address`() throws {
        let schedule = try FaultSchedule(
            parsing: "lc1;c*/3:connect=refuse;c1:down+1MiB=rst;seed=7;c1:up+5=stall(1s)"
        )
        #expect(schedule.seed == 7)
        #expect(schedule.faults.count == 3)
        #expect(
            schedule.canonicalText
                == "lc1;seed=7;c1:down+1048576=rst;c1:up+5=stall(1s);c*/3:connect=refuse"
        )
        let again = try FaultSchedule(parsing: schedule.canonicalText)
        #expect(again.canonicalText == schedule.canonicalText)
    }

    @Test func `of equal faults each takes one away`() throws {
        let schedule = try FaultSchedule(parsing: "lc1;c1:up+5=rst;c1:up+5=rst;c2:up+5=rst")
        let others = Array(schedule.faults.dropFirst())
        #expect(schedule.faults(without: others).map(\.canonicalText) == ["c1:up+5=rst"])
        #expect(schedule.faults(without: []) == schedule.faults)
    }

    @Test func `faults at one address are written in order of their text`() throws {
        for line in ["lc1;c1:up+5=rst;c1:up+5=fin", "lc1;c1:up+5=fin;c1:up+5=rst"] {
            #expect(
                try FaultSchedule(parsing: line).canonicalText == "lc1;c1:up+5=fin;c1:up+5=rst"
            )
        }
    }

    @Test func `seed and base lead, then faults by whose traffic it is and by place`() throws {
        let line =
            "lc1;seed=7;base=00000000000000af;c1=strip(1xx);c1:connect=silent;c1:down+1=rst;"
            + "c1:idle=fin;c2=buffer(req);c1/r1:req.head=rst;c1/r1:req.body~500=rst;"
            + "c1/r1:interim(104)=dup;c1/r1:resp.body+1=fin;c1/r1:resp.body=fin;"
            + "GET(/a)#1:req.end=rst;GET(/a)#2:req.end=rst;PUT(/a)#1:req.end=rst;obj(/a)#1=expire"
        #expect(try FaultSchedule(parsing: line).canonicalText == line)
        let items = line.split(separator: ";").dropFirst()
        let reversed = (["lc1"] + items.reversed()).joined(separator: ";")
        #expect(try FaultSchedule(parsing: reversed).canonicalText == line)
    }

    @Test func `an empty schedule is its version`() throws {
        #expect(try FaultSchedule(parsing: "lc1").canonicalText == "lc1")
        #expect(try FaultSchedule(parsing: "lc1").faults.isEmpty)
    }

    @Test(
        arguments: [
            ("c1:up+1=rst", 1, "expected 'lc1'"),
            ("lc1;seed=1;seed=2", 12, "given twice"),
            ("lc1;seed=18446744073709551616", 10, "too large"),
            ("lc1;seed=x", 10, "expected a seed"),
            ("lc1;base=0123456789abcde", 10, "16 hexadecimal digits"),
            ("lc1;base=-000000000000000", 10, "16 hexadecimal digits"),
            ("lc1;base=0123456789abcdeg", 10, "16 hexadecimal digits"),
            ("lc1;base=0123456789abcdef;base=0123456789abcdef", 27, "given twice"),
            ("lc1;c1:up+1=rts", 13, "did you mean 'rst'?"),
            ("lc1;", 5, "expected a connection"),
            ("lc2", 1, "expected 'lc1'"),
            ("lc1 ", 4, "found U+20"),
        ])
    func `a mistake is named with its column`(text: String, column: Int, words: String) {
        #expect {
            try FaultSchedule(parsing: text)
        } throws: { error in
            guard let error = error as? ScheduleError else { return false }
            return error.column == column && error.description.contains(words)
        }
    }

    @Test func `a line beyond the limits is refused`() {
        let tooMany = "lc1" + String(repeating: ";c1:up+1=rst", count: 1_025)
        #expect(throws: ScheduleError.self) { try FaultSchedule(parsing: tooMany) }
        let tooLong = "lc1;seed=" + String(repeating: "0", count: 65_536)
        #expect(throws: ScheduleError.self) { try FaultSchedule(parsing: tooLong) }
    }
}
