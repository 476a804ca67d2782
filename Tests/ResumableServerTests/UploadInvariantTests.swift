import HTTPWire
import ResumableServer
import Testing
import TestSupport

/// Random sequences of everything that can happen to one upload.
@Suite struct UploadInvariantTests {
    private static func step(
        _ bench: inout UploadBench,
        _ dialect: UploadProtocol,
        _ exchanges: inout [ExchangeID],
        _ source: inout SeededRandom
    ) {
        let offset = bench.record?.offset ?? 0
        let rest = max(100, offset) - offset
        let any = exchanges.randomElement(using: &source) ?? ExchangeID(0)
        let exchange =
            Int.random(in: 0..<5, using: &source) == 0 ? any : bench.resource?.owner ?? any
        switch Int.random(in: 0..<16, using: &source) {
        case 0: exchanges.append(bench.head(UploadHeads.plain("HEAD", dialect)))
        case 1, 2, 3:
            let isLast = Bool.random(using: &source)
            let content: UInt64? = Bool.random(using: &source) ? nil : rest
            let head = UploadHeads.append(dialect, at: offset, isLast: isLast, content: content)
            exchanges.append(bench.head(head))
        case 4:
            let fields: HeaderFields =
                dialect == .tus
                ? ["Upload-Checksum": "sha1 AQ=="] : ["Content-Digest": "sha-256=:AQ==:"]
            let head = UploadHeads.append(dialect, at: offset, content: rest, fields)
            exchanges.append(bench.head(head))
        case 5: exchanges.append(bench.head(UploadHeads.append(dialect, at: 7, content: 1)))
        case 6, 7, 8: bench.body(UInt64.random(in: 1...60, using: &source), exchange)
        case 9, 10: bench.write()
        case 11: bench.lose(exchange)
        case 12: bench.end(exchange)
        case 13: bench.finalise()
        case 14: bench.computeDigests()
        default: if let owner = bench.resource?.owner { bench.failWrite(.noSpace, owner) }
        }
    }

    @Test(arguments: UploadProtocol.all)
    func `whatever happens, the offset never falls and completion comes once`(
        dialect: UploadProtocol
    ) {
        var completions = 0
        for seed in UInt64(0)..<60 {
            var source = SeededRandom(seed: seed)
            var bench = UploadBench()
            bench.holdsWrites = true
            bench.holdsFinalising = true
            bench.holdsDigests = true
            let digest: [UInt8] = seed % 2 == 0 ? [1] : [2]
            bench.digests = [ExpectedDigest(.sha1, digest), ExpectedDigest(.sha256, digest)]
            var exchanges = [bench.head(UploadHeads.creation(dialect, content: nil))]
            var offset: UInt64 = 0
            for step in 0..<100 {
                let answered = bench.answers.count
                Self.step(&bench, dialect, &exchanges, &source)
                let record = bench.record
                #expect(record.map { $0.offset >= offset } == true, "seed \(seed), step \(step)")
                offset = record?.offset ?? 0
                if let length = record?.length { #expect(offset <= length) }
                #expect(bench.finalisations <= 1, "seed \(seed), step \(step)")
                #expect(bench.answers.count >= answered)
            }
            completions += bench.finalisations
            let answers = bench.actions.compactMap { action -> ExchangeID? in
                if case .answer(_, let exchange) = action { exchange } else { nil }
            }
            let resets = bench.actions.compactMap { action -> ExchangeID? in
                if case .reset(let exchange) = action { exchange } else { nil }
            }
            #expect(Set(answers).count == answers.count, "answered twice, seed \(seed)")
            #expect(Set(answers).isDisjoint(with: resets), "reset and answered, seed \(seed)")
        }
        #expect(completions >= 5)
    }
}
