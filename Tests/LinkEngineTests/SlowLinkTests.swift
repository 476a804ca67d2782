import Basics
import Testing

@testable import LinkEngine

/// Links without loss on which the rate is the limit, and what lets the window grow on them.
@Suite struct SlowLinkTests {
    /// A profile and a transfer over it, as measured on Linux 6.18 behind an emulator of packets.
    struct Case: CustomStringConvertible {
        var description: String
        var kilobits: (down: UInt64, up: UInt64)
        var milliseconds: (down: Int64, up: Int64)
        var way: Direction
        var bytes: Int
        var seconds: Double

        var settings: LinkSettings {
            var settings = LinkSettings()
            settings.down.delay = .milliseconds(milliseconds.down)
            settings.up.delay = .milliseconds(milliseconds.up)
            for (way, rate) in [(Direction.down, kilobits.down), (.up, kilobits.up)] {
                if let rate = BitRate(bitsPerSecond: rate * 1_000) {
                    settings[way].capacity = .rate(rate)
                }
            }
            return settings
        }

        var completion: Double {
            if way == .up { return Upload(settings: settings, bodyBytes: bytes).completion }
            var download = Download(responseBytes: bytes, headBytes: 44)
            download.settings = settings
            return download.completion
        }
    }

    private static func cases(
        _ name: String,
        _ kilobits: (UInt64, UInt64),
        _ milliseconds: (Int64, Int64),
        _ transfers: [(Direction, Int, Double)]
    ) -> [Case] {
        transfers.map { way, bytes, seconds in
            Case(
                description: "\(name), \(bytes) bytes \(way)",
                kilobits: kilobits,
                milliseconds: milliseconds,
                way: way,
                bytes: bytes,
                seconds: seconds
            )
        }
    }

    private static let measured =
        cases(
            "edge",
            (240, 200),
            (400, 440),
            [
                (.down, 200_000, 8.997), (.down, 1_000_000, 36.621), (.up, 200_000, 10.288),
                (.up, 1_000_000, 43.437),
            ]
        )
        + cases(
            "3g",
            (780, 330),
            (100, 100),
            [(.down, 1_000_000, 11.097), (.up, 1_000_000, 25.522)]
        )
        + cases(
            "lte",
            (50_000, 10_000),
            (50, 65),
            [(.down, 5_000_000, 1.602), (.up, 5_000_000, 4.662)]
        )
        + cases("satellite", (18_750, 2_960), (338, 338), [(.down, 5_000_000, 7.491)])

    @Test(arguments: measured)
    func `a transfer without loss takes as long as on Linux`(entry: Case) {
        #expect(abs(entry.completion / entry.seconds - 1) < 0.006)
    }

    @Test func `a receiver takes a shorter round trip at once and a longer one by an eighth`() {
        var roundTrip = ReceiverRoundTrip()
        func sample(
            _ milliseconds: Int64,
            sentAt echo: Int64,
            hasReadAll: Bool = true
        ) -> Duration? {
            roundTrip.sample(
                echo: .start + .milliseconds(echo),
                hasReadAll: hasReadAll,
                at: .start + .milliseconds(echo + milliseconds) + .microseconds(900)
            )
            return roundTrip.smoothed
        }
        #expect(roundTrip.smoothed == nil)
        #expect(sample(80, sentAt: 0) == .milliseconds(80))
        #expect(sample(160, sentAt: 1) == .milliseconds(90))
        #expect(sample(170, sentAt: 2, hasReadAll: false) == .milliseconds(90))
        #expect(sample(10, sentAt: 2) == .milliseconds(90), "a time stamp counts once")
        #expect(sample(40, sentAt: 3, hasReadAll: false) == .milliseconds(40))
    }
}
