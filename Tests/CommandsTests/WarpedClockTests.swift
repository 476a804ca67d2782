import SystemIO
import Testing

@testable import Commands

@Suite struct WarpedClockTests {
    /// The beginning of an executable file with these program headers, each a type and an offset.
    static func image(_ headers: [(type: UInt8, offset: UInt8)], note: String = "GNU") -> [UInt8] {
        var bytes = [0x7F] + Array("ELF".utf8) + [2, 1] + [UInt8](repeating: 0, count: 250)
        (bytes[32], bytes[54], bytes[56]) = (64, 56, UInt8(headers.count))
        for (index, header) in headers.enumerated() {
            bytes[64 + 56 * index] = header.type
            bytes[64 + 56 * index + 8] = header.offset
        }
        bytes.replaceSubrange(212..<212 + note.utf8.count, with: note.utf8)
        return bytes
    }

    @Test func `a file says how its program comes to its libraries`() {
        #expect(ProgramImage(Self.image([(1, 0), (3, 0), (4, 200)])) == .dynamic)
        #expect(ProgramImage(Self.image([(1, 0), (4, 200)])) == .fixed)
        #expect(ProgramImage(Self.image([(3, 0), (4, 200)], note: "Go")) == .go)
        #expect(ProgramImage(Array("#!/bin/sh -e\nx".utf8)) == .script(interpreter: "/bin/sh"))
        #expect(
            ProgramImage(Array("#! /usr/bin/env -S node --x\n".utf8))
                == .script(interpreter: "node")
        )
        #expect(ProgramImage(Array("just text".utf8)) == .other)
        #expect(ProgramImage([]) == .other)
    }

    @Test func `programs that libraries are loaded into, and files that are none, are let through`()
    {
        #expect(WarpedClock.objection(to: "sh", searchPath: "/nowhere:/bin") == nil)
        #expect(WarpedClock.objection(to: "/bin/sh", searchPath: "") == nil)
        #expect(WarpedClock.objection(to: "no-such-program", searchPath: "/bin") == nil)
    }

    @Test func `the library stands before others that are preloaded`() throws {
        guard let clock = WarpedClock(factor: 20) else { return }
        let variables = clock.environment(over: ["A=b", "LD_PRELOAD=/x.so", "FAKETIME=-1d"])
        #expect(variables.contains("A=b") && variables.contains("FAKETIME=+0 x20"))
        let preloaded = try #require(variables.first { $0.hasPrefix("LD_PRELOAD=") })
        #expect(preloaded.hasSuffix(".so.1:/x.so"))
        #expect(variables.count == 4)
    }
}
