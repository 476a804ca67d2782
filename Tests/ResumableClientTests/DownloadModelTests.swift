import HTTPWire
import ResumableClient
import Testing
import TestSupport

/// Many downloads from a model of an origin that is cut, changes and lies about ranges.
@Suite struct DownloadModelTests {
    private enum Lie: CaseIterable {
        case nothing, ignoresRanges, shiftsRanges, noContentRange, wrongTotal, shortParts
        case answers304, answers416, changesObject, noValidator, chunked, failsOften
    }

    @Test func `every download ends byte by byte right or with an honest failure`() {
        for lie in Lie.allCases {
            var finished = 0
            for seed in 0..<60 as Range<UInt64> { finished += Self.run(lie, seed: seed) ? 1 : 0 }
            if [.nothing, .shortParts, .chunked].contains(lie) {
                #expect(finished == 60, "\(lie) \(finished)")
            }
        }
    }

    private static func content(_ version: Int) -> [UInt8] {
        (0..<UInt64(100 + version)).map {
            UInt8(truncatingIfNeeded: SeededRandom.number(at: $0 &* 7 &+ UInt64(version)))
        }
    }

    private static func run(_ lie: Lie, seed: UInt64) -> Bool {
        var random = SeededRandom(seed: seed)
        var version = 0
        var file: [UInt8] = []
        var bench = download {
            $0.retry.restartsFromZero = random.chance(50)
            $0.retry.failuresWithoutProgress = 50
        }
        bench.start()
        var steps = 0
        var truncations = 0
        while bench.end == nil, steps < 3_000 {
            steps += 1
            guard bench.isOpen, let request = bench.last else {
                bench.wake()
                truncate(&file, bench, &truncations)
                continue
            }
            if lie == .changesObject, random.chance(15) { version += 1 }
            truncate(&file, bench, &truncations)
            exchange(request, lie, version, &bench, &file, &truncations, &random)
            truncate(&file, bench, &truncations)
        }
        #expect(bench.end != nil, "\(lie) seed \(seed)")
        guard let result = bench.result else { return false }
        let isKnown = (0...version).contains { file == content($0) }
        #expect(isKnown, "\(lie) seed \(seed): \(file.count) bytes")
        #expect(result.size == UInt64(file.count))
        return true
    }

    /// Carries out the truncations that were asked for since the last call.
    private static func truncate(
        _ file: inout [UInt8],
        _ bench: DownloadClientBench,
        _ done: inout Int
    ) {
        for size in bench.truncations.dropFirst(done) {
            file.removeLast(max(file.count - Int(size), 0))
        }
        done = bench.truncations.count
    }

    private static func exchange(
        _ request: TransferRequest,
        _ lie: Lie,
        _ version: Int,
        _ bench: inout DownloadClientBench,
        _ file: inout [UInt8],
        _ truncations: inout Int,
        _ random: inout SeededRandom
    ) {
        if random.chance(10) || (lie == .failsOften && random.chance(40)) {
            if random.chance(50) {
                bench.cut(.notConnected, didSend: false)
            } else {
                bench.head(503)
            }
            return
        }
        let (status, fields, bytes) = answer(request, lie, version, &random)
        let stores = bench.stores.count
        bench.head(status, fields)
        truncate(&file, bench, &truncations)
        guard bench.stores.count > stores, let from = bench.stores.last else { return }
        let isCut = random.chance(40)
        let count = isCut ? Int.random(in: 0...bytes.count, using: &random) : bytes.count
        #expect(Int(from) <= file.count, "a hole")
        file.removeLast(max(file.count - Int(from), 0))
        file += bytes[..<count]
        bench.stored(UInt64(count))
        truncate(&file, bench, &truncations)
        guard bench.isOpen else { return }
        if isCut { bench.cut(.truncated) } else { bench.bodyEnd() }
    }

    private static func answer(
        _ request: TransferRequest,
        _ lie: Lie,
        _ version: Int,
        _ random: inout SeededRandom
    ) -> (Int, HeaderFields, [UInt8]) {
        let bytes = content(version)
        var whole = object(["Content-Length": "\(bytes.count)", "ETag": "\"\(version)\""])
        if lie == .noValidator {
            whole["ETag"] = nil
            whole["Last-Modified"] = nil
        }
        if lie == .chunked {
            whole["Content-Length"] = nil
            whole["Transfer-Encoding"] = "chunked"
        }
        guard let range = request.fields["Range"], lie != .ignoresRanges || random.chance(50),
            request.fields["If-Range"] == "\"\(version)\""
        else { return (200, whole, bytes) }
        if lie == .answers304, random.chance(30) { return (304, whole, []) }
        var first = Int(range.dropFirst(6).dropLast()) ?? 0
        if lie == .answers416 && random.chance(30) || first >= bytes.count {
            return (416, ["Content-Range": "bytes */\(bytes.count)"], [])
        }
        if lie == .shiftsRanges, random.chance(50) { first = max(0, first - 10) }
        let last =
            lie == .shortParts
            ? Int.random(in: first..<bytes.count, using: &random) : bytes.count - 1
        let total = lie == .wrongTotal && random.chance(50) ? bytes.count + 1 : bytes.count
        var fields = part(first..<(last + 1), of: "\(total)", ["ETag": "\"\(version)\""])
        if lie == .noContentRange, random.chance(50) { fields["Content-Range"] = nil }
        return (206, fields, Array(bytes[first...last]))
    }
}
