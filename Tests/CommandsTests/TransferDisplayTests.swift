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

    private static func progress(_ position: UInt64, step: UInt64) -> TransferRecord {
        .event(
            .progress(
                TransferProgress(
                    step: step,
                    position: position,
                    acknowledged: position,
                    expected: 10_000_000
                )
            )
        )
    }

    private static func display() throws -> TransferDisplay {
        var display = TransferDisplay(try description())
        display.add(progress(0, step: 0), atNanoseconds: 0)
        display.add(progress(2_000_000, step: 2_000_000), atNanoseconds: 1_000_000_000)
        display.add(progress(4_000_000, step: 2_000_000), atNanoseconds: 2_000_000_000)
        return display
    }

    @Test func `share, amount, rate and time left stand in one line`() throws {
        let line = try Self.display().line(
            atNanoseconds: 2_000_000_000,
            width: 200,
            hasBar: false,
            usesUnicode: false
        )
        #expect(line == "ten.bin  40 %  4.00 MB of 10.0 MB  2.00 MB/s  0:03 left")
    }

    @Test(arguments: [20, 40, 60, 80, 120, 200])
    func `no line is wider than the terminal`(width: Int) throws {
        var display = try Self.display()
        for hasBar in [true, false] {
            let line = display.line(
                atNanoseconds: 2_000_000_000,
                width: width,
                hasBar: hasBar,
                usesUnicode: true
            )
            #expect(line.count <= width)
        }
        display.add(.event(.waiting(.expensive)), atNanoseconds: 3_000_000_000)
        let waiting = display.line(
            atNanoseconds: 3_000_000_000,
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
        display.add(.event(.waiting(.expensive)), atNanoseconds: 3_000_000_000)
        let line = display.line(
            atNanoseconds: 3_000_000_000,
            width: 200,
            hasBar: true,
            usesUnicode: false
        )
        #expect(line.contains("waiting") && line.contains("--no-expensive"))
        #expect(!line.contains("MB/s"))
        display.add(.event(.resumed), atNanoseconds: 4_000_000_000)
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
            display.add(.request(RequestNote(request)), atNanoseconds: 2_000_000_000)
        }
        display.add(Self.progress(3_000_000, step: 0), atNanoseconds: 2_000_000_000)
        // Stored once, and after a restart again.
        display.add(Self.progress(0, step: 0), atNanoseconds: 2_000_000_000)
        display.add(Self.progress(500_000, step: 500_000), atNanoseconds: 2_000_000_000)
        let line = display.line(
            atNanoseconds: 2_000_000_000,
            width: 200,
            hasBar: false,
            usesUnicode: false
        )
        #expect(line.contains("attempt 2") && line.contains("500 kB again"))
    }

    @Test func `the rate is that of the last seconds`() {
        var meter = RateMeter()
        #expect(meter.bytesPerSecond(atNanoseconds: 0) == nil)
        for second in UInt64(0)...20 {
            meter.add(
                second <= 10 ? second * 1_000 : 10_000,
                atNanoseconds: second * 1_000_000_000
            )
        }
        #expect(meter.bytesPerSecond(atNanoseconds: 20_000_000_000) == 0)
        var steady = RateMeter()
        for tenth in UInt64(0)...100 {
            steady.add(tenth * 100, atNanoseconds: tenth * 100_000_000)
        }
        #expect(steady.bytesPerSecond(atNanoseconds: 10_000_000_000) == 1_000)
    }
}
