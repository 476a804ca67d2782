import Basics
import Faults
import LinkEngine
import LinkProfile
import Testing

/// The published tables, typed once more and in their own units, against the files.
@Suite struct BuiltinNumbersTests {
    /// Rates in kbit/s, 0 for unlimited; delays in ms, one way; loss in hundredths of a percent.
    struct Row: Sendable {
        var name: String
        var rate: (down: UInt64, up: UInt64)
        var delay: (down: Int64, up: Int64)
        var loss: (down: UInt64, up: UInt64) = (0, 0)
    }

    /// One way, as published.
    static let oneWay = [
        Row(name: "100-loss", rate: (0, 0), delay: (0, 0), loss: (10_000, 10_000)),
        Row(name: "high-latency-dns", rate: (0, 0), delay: (0, 0)),
        Row(
            name: "very-bad-network",
            rate: (1000, 1000),
            delay: (500, 500),
            loss: (1000, 1000)
        ),
        Row(name: "edge", rate: (240, 200), delay: (400, 440)),
        Row(name: "3g", rate: (780, 330), delay: (100, 100)),
        Row(name: "dsl", rate: (2000, 256), delay: (5, 5)),
        Row(name: "wifi", rate: (40_000, 33_000), delay: (1, 1)),
        Row(name: "lte", rate: (50_000, 10_000), delay: (50, 65)),
        Row(name: "wifi-ac", rate: (250_000, 100_000), delay: (1, 1)),
        Row(name: "3g-good", rate: (850, 420), delay: (100, 100)),
        Row(name: "edge-good", rate: (250, 200), delay: (350, 370)),
        Row(name: "lossy", rate: (780, 330), delay: (100, 100), loss: (100, 0)),
        Row(name: "edge-lossy", rate: (240, 200), delay: (400, 440), loss: (100, 0)),
        Row(name: "cable", rate: (6000, 1000), delay: (2, 2)),
        Row(name: "wifi-good", rate: (45_000, 40_000), delay: (1, 1)),
        Row(name: "wifi-lossy", rate: (40_000, 33_000), delay: (1, 1), loss: (100, 0)),
        Row(
            name: "atc-2g-developing-rural",
            rate: (20, 18),
            delay: (650, 650),
            loss: (200, 200)
        ),
        Row(name: "atc-2g-developing-urban", rate: (35, 32), delay: (650, 650)),
        Row(name: "atc-edge-average", rate: (240, 200), delay: (400, 440)),
        Row(name: "atc-edge-good", rate: (250, 200), delay: (350, 370)),
        Row(name: "atc-edge-lossy", rate: (240, 200), delay: (400, 440), loss: (100, 100)),
        Row(name: "atc-3g-average", rate: (780, 330), delay: (100, 100)),
        Row(name: "atc-3g-good", rate: (850, 420), delay: (90, 100)),
        Row(name: "atc-dsl", rate: (2000, 256), delay: (5, 5)),
        Row(name: "atc-cable", rate: (6000, 1000), delay: (2, 2)),
        Row(name: "atc-no-connectivity", rate: (1, 1), delay: (0, 0)),
        Row(name: "none", rate: (0, 0), delay: (0, 0)),
        Row(name: "drop-after-n-bytes", rate: (0, 0), delay: (0, 0)),
        Row(name: "hotspot", rate: (50_000, 10_000), delay: (51, 66)),
        Row(name: "on-demand", rate: (50_000, 10_000), delay: (50, 65)),
        Row(name: "constrained", rate: (50_000, 10_000), delay: (50, 65)),
        Row(name: "expensive", rate: (50_000, 10_000), delay: (50, 65)),
        Row(name: "tunnel", rate: (50_000, 10_000), delay: (50, 65)),
        Row(name: "pantheon-india", rate: (100_420, 100_420), delay: (27, 27)),
        Row(name: "pantheon-china", rate: (77_720, 77_720), delay: (51, 51), loss: (6, 0)),
        Row(name: "pantheon-california", rate: (114_680, 114_680), delay: (45, 45)),
        Row(name: "policer", rate: (12_000, 12_000), delay: (10, 10)),
    ]

    /// Published as round trips, `delay.down` of these rows.
    static let roundTrips: [(String, UInt64, UInt64, Int64)] = [
        ("chrome-slow-3g", 500, 500, 400), ("chrome-fast-3g", 1600, 750, 150),
        ("chrome-slow-4g", 1600, 750, 150), ("chrome-fast-4g", 9000, 1500, 60),
        ("wpt-cable", 5000, 1000, 28), ("wpt-dsl", 1500, 384, 50), ("wpt-fios", 20_000, 5000, 4),
        ("wpt-dial", 49, 30, 120), ("wpt-3g", 1600, 768, 300), ("wpt-3g-fast", 1600, 768, 150),
        ("wpt-3g-slow", 400, 400, 400), ("wpt-3g-em", 400, 400, 400),
        ("wpt-lte", 12_000, 12_000, 70), ("wpt-edge", 240, 200, 840), ("wpt-2g", 280, 256, 800),
        ("measured-3g-p5", 1300, 400, 207), ("measured-3g-p25", 7600, 1500, 121),
        ("measured-3g-p50", 13_200, 2700, 80), ("measured-3g-p75", 17_200, 3500, 60),
        ("measured-3g-p95", 23_600, 4000, 42), ("measured-4g-p5", 4400, 1200, 202),
        ("measured-4g-p25", 13_400, 5300, 118), ("measured-4g-p50", 27_100, 10_600, 85),
        ("measured-4g-p75", 49_200, 20_600, 62), ("measured-4g-p95", 99_200, 42_500, 43),
        ("measured-5g-p25", 11_000, 0, 69), ("measured-5g-p50", 30_000, 0, 69),
        ("measured-5g-p75", 99_000, 0, 69), ("measured-5g-p95", 229_000, 0, 69),
        ("measured-5g-driving", 15_900, 0, 75), ("measured-lte-driving", 6800, 0, 84),
        ("satellite", 18_750, 2960, 676),
    ]

    @Test(arguments: oneWay)
    func `a preset with delays one way has its published numbers`(row: Row) throws {
        let link = try library().load(row.name).link
        #expect(link.down.capacity == capacity(kilobits: row.rate.down))
        #expect(link.up.capacity == capacity(kilobits: row.rate.up))
        #expect(link.down.delay == .milliseconds(row.delay.down))
        #expect(link.up.delay == .milliseconds(row.delay.up))
        #expect(link.down.loss == loss(hundredths: row.loss.down))
        #expect(link.up.loss == loss(hundredths: row.loss.up))
    }

    @Test(arguments: roundTrips)
    func `a preset with a round trip halves it`(
        name: String,
        down: UInt64,
        up: UInt64,
        roundTrip: Int64
    ) throws {
        let link = try library().load(name).link
        #expect(link.down.capacity == capacity(kilobits: down))
        #expect(link.up.capacity == capacity(kilobits: up))
        #expect(link.down.delay == .microseconds(roundTrip * 500))
        #expect(link.up.delay == .microseconds(roundTrip * 500))
    }

    private func capacity(kilobits: UInt64) -> Capacity {
        BitRate(bitsPerSecond: kilobits * 1_000).map { .rate($0) } ?? .unlimited
    }

    private func loss(hundredths: UInt64) -> LossModel {
        guard hundredths > 0, let chance = Probability(hundredths, outOf: 10_000) else {
            return .none
        }
        return .bernoulli(chance)
    }

    @Test(arguments: [
        ("pantheon-nepal", 570_000, 28, 14), ("pantheon-mexico", 2_640_000, 88, 130),
        ("pantheon-colombia", 3_040_000, 130, 426),
    ])
    func `a Pantheon path with Poisson opportunities has the mean rate of its fit`(
        name: String,
        bitsPerSecond: Double,
        delay: Int64,
        packets: Int
    ) throws {
        let link = try library().load(name).link
        for direction in Direction.allCases {
            guard case .trace(let trace) = link[direction].capacity else {
                Issue.record("\(name) has no trace")
                return
            }
            // 60 s hold n = rate · 60 / 12,000 opportunities with deviation √n; four of them.
            let expected = bitsPerSecond * 60 / 12_000
            let found = Double(trace.opportunitiesMilliseconds.count)
            #expect(abs(found - expected) < 4 * expected.squareRoot())
            #expect(link[direction].delay == .milliseconds(delay))
        }
        #expect(link.down.queue == .packets(packets))
        #expect(link.up.queue == .automatic)
    }

    @Test func `Nepal loses in the direction of the data alone`() throws {
        let link = try library().load("pantheon-nepal").link
        #expect(link.down.loss == loss(hundredths: 477))
        #expect(link.up.loss == .none)
    }

    @Test func `queues of the constant Pantheon paths and the policer`() throws {
        let queues = [
            "pantheon-india": 173, "pantheon-china": 94, "pantheon-california": 450, "policer": 1,
        ]
        for (name, packets) in queues {
            #expect(try library().load(name).link.down.queue == .packets(packets), "\(name)")
        }
    }

    @Test func `slow names cost three seconds`() throws {
        let profile = try library().load("high-latency-dns")
        #expect(profile.nameLookupDelay == .seconds(3))
        #expect(profile.link.isTransparent)
    }

    @Test func `path attributes follow the kind of network`() throws {
        let phone = try library().load("lte").path
        #expect(phone.interface == .cellular)
        #expect(phone.isExpensive)
        #expect(!phone.isConstrained)
        #expect(try library().load("wifi").path.interface == .wifi)
        #expect(try library().load("dsl").path.interface == .wired)
        #expect(try library().load("constrained").path.isConstrained)
        let hotspot = try library().load("hotspot").path
        #expect(hotspot.isConstrained && hotspot.isExpensive && hotspot.interface == .wifi)
        #expect(try library().load("on-demand").path.onDemand == .seconds(3))
        #expect(try library().load("lte").path.onDemand == nil)
        #expect(try library().load("constrained").path.isExpensive)
        #expect(try library().load("expensive").path.isExpensive)
    }

    @Test func `budgets of constrained and expensive`() throws {
        let constrained = try #require(try library().load("constrained").budget)
        #expect(constrained.softLimitBytes == 5_000_000)
        #expect(constrained.rateAfterSoftLimit == BitRate(bitsPerSecond: 64_000))
        #expect(constrained.hardLimitBytes == 10_000_000)
        #expect(constrained.atHardLimit == .refuse)
        let expensive = try #require(try library().load("expensive").budget)
        #expect(expensive.softLimitBytes == nil)
        #expect(expensive.rateAfterSoftLimit == nil)
        #expect(expensive.hardLimitBytes == 100_000_000)
    }

    @Test func `outages of flaky and tunnel`() throws {
        #expect(
            try library().load("flaky").link.up.outages
                == Outages(schedule: .random(meanUp: .seconds(20), meanDown: .seconds(1)))
        )
        let window = Outages.Window(at: .seconds(10), length: .seconds(15))
        #expect(
            try library().load("tunnel").link.down.outages
                == Outages(schedule: .windows([window], period: .seconds(60)))
        )
    }

    @Test func `bursty is a chain with the mean loss and burst asked for`() throws {
        guard
            case .gilbertElliott(let chain) = try library().load("bursty").link.down.loss
        else {
            Issue.record("no chain")
            return
        }
        // r = 1/4; p = 0.02 / (4 · 0.98) = 1/196, within the rounding of 2% up to 1/2⁵³.
        #expect(chain.badToGood == Probability(1, outOf: 4))
        let p = try #require(Probability(1, outOf: 196))
        #expect((p.threshold...p.threshold + 1).contains(chain.goodToBad.threshold))
        #expect(chain.lossInBad == .one)
        #expect(chain.lossInGood == .zero)
    }

    @Test func `starlink's spread is half the quartiles' distance`() throws {
        let link = try library().load("starlink").link
        #expect(link.down.jitter == .normal(.microseconds(10_500)))
        #expect(link.down.delay == .milliseconds(25))
        #expect(link.up.capacity == .rate(try #require(BitRate(bitsPerSecond: 7_240_000))))
    }

    @Test func `the cut after n bytes takes its parameters`() throws {
        let standard = try library().load("drop-after-n-bytes")
        #expect(standard.faults.map(\.canonicalText) == ["c*:down+1048576=rst"])
        let settings = [("bytes", "64KiB"), ("direction", "up"), ("effect", "fin")]
            .map { ProfileSetting(key: $0.0, value: $0.1) }
        let changed = try library().load("drop-after-n-bytes", settings: settings)
        #expect(changed.faults.map(\.canonicalText) == ["c*:up+65536=fin"])
        #expect(changed.parameters.map(\.value) == ["64KiB", "up", "fin"])
        #expect(changed.parameters.map(\.defaultValue) == ["1MiB", "down", "rst"])
        #expect(
            changed.parameters.map(\.allowed) == ["up to 1TiB", "down or up", "rst, fin or hole"]
        )
    }
}
