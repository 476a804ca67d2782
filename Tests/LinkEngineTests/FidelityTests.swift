import Basics
import FoundationEssentials
import LinkEngine
import Testing

/// The measured transfers; Reference/README.md says how they were made.
struct Reference: Decodable {
    struct Case: Decodable {
        var name: String
        var downDelayMilliseconds, upDelayMilliseconds: Int64
        var downKilobits, upKilobits: UInt64
        var queuePackets: Int
        var downLossPerMille, upLossPerMille: UInt64
        var bytes: Int
        var completeMilliseconds: [Double]
    }
    struct Pattern: Decodable {
        var name: String
        var delayMilliseconds: Int64
        var bytes: Int
        var seed, lossPerMille, indexCount: UInt64
        var dropCount: Int
        var completeMilliseconds: [Double]
    }
    struct Single: Decodable {
        var droppedIndexes: [UInt64]
        var completeMilliseconds: [Double]
    }

    var cases: [Case]
    var patterns: [Pattern]
    var singles: [Single]

    static func load(file: String = #filePath) throws -> Reference {
        let folder = file.split(separator: "/").dropLast().joined(separator: "/")
        let data = try Data(
            contentsOf: URL(filePath: "/\(folder)/Reference/linux-6.18.json")
        )
        return try JSONDecoder().decode(Reference.self, from: data)
    }
}

/// A statistic and how uncertain it is, both in milliseconds.
private struct Statistic {
    var value: Double
    var standardError: Double

    /// By bootstrap, 200 rounds, seeded.
    init(_ values: [Double], _ measure: ([Double]) -> Double) {
        value = measure(values)
        let random = AddressedRandom(seed: 1).series(key: 0, direction: .down, stage: .loss)
        var index: UInt64 = 0
        let again = (0..<200).map { _ in
            measure(
                values.map { _ in
                    index += 1
                    return values[Int(random.integer(below: UInt64(values.count), at: index))]
                }
            )
        }
        let mean = again.reduce(0, +) / 200
        standardError =
            (again.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 200).squareRoot()
    }
}

private func mean(_ values: [Double]) -> Double {
    values.reduce(0, +) / Double(values.count)
}

private func quantile(_ share: Double) -> ([Double]) -> Double {
    { values in
        let sorted = values.sorted()
        let place = share * Double(sorted.count - 1)
        let low = Int(place)
        let high = min(low + 1, sorted.count - 1)
        return sorted[low] + (sorted[high] - sorted[low]) * (place - Double(low))
    }
}

private func percent(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    let sign = tenths < 0 ? "-" : "+"
    return "\(sign)\(abs(tenths) / 10).\(abs(tenths) % 10) %"
}

@Suite struct FidelityTests {
    private static let seeds =
        ProcessInfo.processInfo.environment["LINKCOND_FIDELITY_SEEDS"].flatMap { UInt64($0) }
        ?? 300

    /// Below 1 Mbit/s the emulator's slots are seen, so the model gets the same trace.
    private func capacity(_ kilobits: UInt64) -> Capacity {
        guard kilobits > 0 else { return .unlimited }
        if kilobits < 1_000 {
            var slots: [UInt32] = []
            for count in 1... as PartialRangeFrom<UInt64> {
                let time = max(1, (24_000 * count + kilobits) / (2 * kilobits))
                if time > 60_000 { break }
                slots.append(UInt32(time))
            }
            if let trace = DeliveryTrace(opportunitiesMilliseconds: slots) {
                return .trace(trace)
            }
        }
        return BitRate(bitsPerSecond: kilobits * 1_000).map { .rate($0) } ?? .unlimited
    }

    private func milliseconds(_ download: Download) -> Double { download.completion * 1_000 }

    private func download(bytes: Int, delays: (down: Int64, up: Int64)) -> Download {
        var download = Download(responseBytes: bytes, headBytes: 44)
        download.settings.indexing = .packet
        download.settings.down.delay = .milliseconds(delays.down)
        download.settings.up.delay = .milliseconds(delays.up)
        return download
    }

    private func model(_ reference: Reference.Case) -> [Double] {
        var download = download(
            bytes: reference.bytes,
            delays: (reference.downDelayMilliseconds, reference.upDelayMilliseconds)
        )
        let queue: QueueLimit =
            reference.queuePackets > 0 ? .packets(reference.queuePackets) : .automatic
        download.settings.down.queue = queue
        download.settings.up.queue = queue
        download.settings.down.capacity = capacity(reference.downKilobits)
        download.settings.up.capacity = capacity(reference.upKilobits)
        let lossless = reference.downLossPerMille + reference.upLossPerMille == 0
        if lossless { return [milliseconds(download)] }
        download.settings.down.loss = .bernoulli(.perMille(reference.downLossPerMille))
        download.settings.up.loss = .bernoulli(.perMille(reference.upLossPerMille))
        return (5_000..<5_000 + Self.seeds).map { seed in
            download.seed = seed
            return milliseconds(download)
        }
    }

    @Test func `transfers take as long as on Linux, within the bars`() throws {
        let reference = try Reference.load()
        print("case     measure  reference      model   error    ± se  bar")
        for entry in reference.cases {
            let times = model(entry)
            let isLossless = times.count == 1
            let measures: [(name: String, of: ([Double]) -> Double, bar: Double)] =
                isLossless
                ? [("median", quantile(0.5), 3)]
                : [
                    ("mean", mean, 10), ("median", quantile(0.5), 15), ("p90", quantile(0.9), 10),
                ]
            for measure in measures {
                let theirs = Statistic(entry.completeMilliseconds, measure.of)
                let mine = Statistic(times, measure.of)
                let error = 100 * (mine.value / theirs.value - 1)
                let relative =
                    (pow2(theirs.standardError / theirs.value)
                    + pow2(mine.standardError / mine.value)).squareRoot() * 100
                // Twice the standard error: what these numbers cannot decide.
                let verdict =
                    abs(error) <= measure.bar
                    ? "ok" : abs(error) <= measure.bar + 2 * relative ? "noise" : "FAIL"
                print(
                    pad(entry.name, 8),
                    pad(measure.name, 6),
                    pad("\(Int(theirs.value)) ms", -11),
                    pad("\(Int(mine.value)) ms", -10),
                    pad(percent(error), -8),
                    pad(percent(relative), -7),
                    Int(measure.bar),
                    verdict
                )
                #expect(
                    verdict != "FAIL",
                    "\(entry.name) \(measure.name): \(percent(error))"
                )
            }
        }
    }

    @Test func `the same packets dropped take as long as on Linux`() throws {
        let reference = try Reference.load()
        for name in ["d100p1", "d40p3"] {
            var errors: [Double] = []
            var repeats: [Double] = []
            for pattern in reference.patterns where pattern.name == name {
                let random = AddressedRandom(seed: pattern.seed)
                    .series(key: 0, direction: .down, stage: .loss)
                let chance = Probability.perMille(pattern.lossPerMille)
                let drops = (0..<pattern.indexCount).filter { random.happens(chance, at: $0) }
                #expect(drops.count == pattern.dropCount)
                var download = download(
                    bytes: pattern.bytes,
                    delays: (pattern.delayMilliseconds, pattern.delayMilliseconds)
                )
                download.settings.down.loss = .list(drops)
                let theirs = mean(pattern.completeMilliseconds)
                errors.append(100 * (milliseconds(download) / theirs - 1))
                repeats += pattern.completeMilliseconds.map { 100 * abs($0 / theirs - 1) }
            }
            let middle = quantile(0.5)(errors.map { abs($0) })
            print(
                "\(name): \(errors.count) patterns, median |error| \(percent(middle)), p90",
                "\(percent(quantile(0.9)(errors.map { abs($0) }))), mean \(percent(mean(errors)));",
                "the reference repeats itself within \(percent(quantile(0.5)(repeats)))"
            )
            #expect(errors.count == 40)
            #expect(middle <= 10)
        }
    }

    @Test func `one dropped packet costs what it costs on Linux`() throws {
        var errors: [Double] = []
        for single in try Reference.load().singles {
            var download = download(bytes: 1_000_000, delays: (50, 50))
            download.settings.down.loss = .list(single.droppedIndexes)
            let theirs = quantile(0.5)(single.completeMilliseconds)
            errors.append(100 * (milliseconds(download) / theirs - 1))
        }
        let middle = quantile(0.5)(errors.map { abs($0) })
        print("one loss: \(errors.count) positions, median |error| \(percent(middle))")
        #expect(errors.count == 41)
        #expect(middle <= 4)
    }
}

private func pow2(_ value: Double) -> Double { value * value }

/// Left-aligned in a positive width, right-aligned in a negative one.
private func pad(_ text: String, _ width: Int) -> String {
    let spaces = String(repeating: " ", count: max(0, abs(width) - text.count))
    return width > 0 ? text + spaces : spaces + text
}
