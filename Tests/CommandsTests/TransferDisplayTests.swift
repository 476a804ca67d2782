import Basics
import HTTPWire
import ResumableClient
import Testing
import Transfers

@testable import Commands

/// What a person sees of a transfer.
@Suite struct TransferDisplayTests {
    private static func description() throws -> TransferDescription {
        TransferDescription(.download, try HTTPURL("http://a/ten.bin"), file: "dir/ten.bin")
    }

    private static func progress(
        _ position: UInt64,
        step: UInt64,
        of expected: UInt64 = 10_000_000
    ) -> TransferRecord {
        .event(
            .progress(
                TransferProgress(
                    step: step,
                    position: position,
                    acknowledged: position,
                    expected: expected
                )
            )
        )
    }

    private static func display() throws -> TransferDisplay {
        var display = TransferDisplay(try description())
        display.add(progress(0, step: 0), at: .start)
        display.add(progress(2_000_000, step: 2_000_000), at: .start + .seconds(1))
        display.add(progress(4_000_000, step: 2_000_000), at: .start + .seconds(2))
        return display
    }

    @Test func `share, amount, rate and time left stand in one line`() throws {
        let line = try Self.display().line(
            at: .start + .seconds(2),
            width: 200,
            hasBar: false,
            usesUnicode: false
        )
        #expect(line == "ten.bin  40 %  4.00 MB of 10.0 MB  2.00 MB/s  0:03 left")
    }

    @Test func `a size that takes longer than any clock counts is no crash`() throws {
        var display = TransferDisplay(try Self.description())
        display.add(Self.progress(0, step: 0, of: .max), at: .start)
        display.add(
            Self.progress(1_000_000_000, step: 1_000_000_000, of: .max),
            at: .start + .seconds(1)
        )
        let line = display.line(
            at: .start + .seconds(1),
            width: 200,
            hasBar: false,
            usesUnicode: false
        )
        #expect(line.hasSuffix("876000:00:00 left"))
    }

    @Test(arguments: [20, 40, 60, 80, 120, 200])
    func `no line is wider than the terminal`(width: Int) throws {
        var display = try Self.display()
        for hasBar in [true, false] {
            let line = display.line(
                at: .start + .seconds(2),
                width: width,
                hasBar: hasBar,
                usesUnicode: true
            )
            #expect(line.count <= width)
        }
        display.add(.event(.waiting(.expensive)), at: .start + .seconds(3))
        let waiting = display.line(
            at: .start + .seconds(3),
            width: width,
            hasBar: true,
            usesUnicode: false
        )
        #expect(waiting.count <= width)
    }

    @Test func `the bar is filled as far as the transfer is`() {
        #expect(TransferDisplay.bar(0, of: 10, width: 10, usesUnicode: false) == "..........")
        #expect(TransferDisplay.bar(4, of: 10, width: 10, usesUnicode: false) == "####......")
        #expect(TransferDisplay.bar(10, of: 10, width: 3, usesUnicode: true) == "███")
        #expect(TransferDisplay.bar(0, of: 0, width: 3, usesUnicode: false) == "###")
    }

    @Test func `S15 waiting is said instead of a rate`() throws {
        var display = try Self.display()
        display.add(.event(.waiting(.expensive)), at: .start + .seconds(3))
        let line = display.line(
            at: .start + .seconds(3),
            width: 200,
            hasBar: true,
            usesUnicode: false
        )
        #expect(line.contains("waiting") && line.contains("--no-expensive"))
        #expect(!line.contains("MB/s"))
        display.add(.event(.resumed), at: .start + .seconds(4))
        #expect(display.condition == .moving)
    }

    @Test func `attempts and bytes that went twice are shown`() throws {
        var display = try Self.display()
        for ordinal in 1...2 {
            let request = TransferRequest(
                ordinal: ordinal,
                address: try HTTPURL("http://a/"),
                method: "GET",
                fields: [:]
            )
            display.add(.request(RequestNote(request)), at: .start + .seconds(2))
        }
        display.add(Self.progress(3_000_000, step: 0), at: .start + .seconds(2))
        // Stored once, and after a restart again.
        display.add(Self.progress(0, step: 0), at: .start + .seconds(2))
        display.add(Self.progress(500_000, step: 500_000), at: .start + .seconds(2))
        let line = display.line(
            at: .start + .seconds(2),
            width: 200,
            hasBar: false,
            usesUnicode: false
        )
        #expect(line.contains("attempt 2") && line.contains("500 kB again"))
    }

    @Test func `the rate is that of the last seconds`() {
        var meter = RateMeter()
        #expect(meter.bytesPerSecond(at: .start) == nil)
        for second in UInt64(0)...20 {
            meter.add(
                second <= 10 ? second * 1_000 : 10_000,
                at: .start + .seconds(Int64(second))
            )
        }
        #expect(meter.bytesPerSecond(at: .start + .seconds(20)) == 0)
        var steady = RateMeter()
        for tenth in UInt64(0)...100 {
            steady.add(tenth * 100, at: .start + .milliseconds(Int64(tenth) * 100))
        }
        #expect(steady.bytesPerSecond(at: .start + .seconds(10)) == 1_000)
    }
}
