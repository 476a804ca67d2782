import HTTPWire
import ResumableClient
import Testing
import TestSupport

/// An upload server as a value: what a right one does, or one that lies in one way.
struct ModelServer {
    enum Lie: CaseIterable {
        case nothing, forgets, boasts, wrongRefusal, otherLocation, wrongVersion, noOffset
        case wrongLength, failsOften, losesUploads, noSupport
    }

    let dialect: UploadPlan.Dialect
    let lie: Lie
    private var partial: [String: [UInt8]] = [:]
    private var complete: Set<String> = []
    private var created = 0
    /// The content of every upload that was completed.
    private(set) var completed: [[UInt8]] = []

    init(_ dialect: UploadPlan.Dialect, lie: Lie) {
        self.dialect = dialect
        self.lie = lie
    }

    private var isTus: Bool { dialect == .tus }

    /// Takes a request of whose body these bytes arrived.
    ///
    /// The answer is nil if the body was cut: nobody would get it.
    mutating func take(
        _ request: TransferRequest,
        _ arrived: [UInt8],
        random: inout SeededRandom
    ) -> (interim: [HeaderFields], final: (Int, HeaderFields)?) {
        let size = request.body.map { Int($0.upperBound - $0.lowerBound) } ?? 0
        let isWhole = arrived.count == size
        if lie == .failsOften, random.chance(40) { return ([], (503, [:])) }
        if lie == .losesUploads, random.chance(20) { partial = [:] }
        switch request.method {
        case "POST": return create(request, arrived, isWhole, random: &random)
        case "HEAD": return ([], state(request.address.target, random: &random))
        case "PATCH": return append(request, arrived, isWhole, random: &random)
        default:
            partial[request.address.target] = nil
            return ([], (204, [:]))
        }
    }

    private func isLast(_ request: TransferRequest) -> Bool {
        switch dialect.version {
        case .v3?: request.fields.structuredBoolean("Upload-Incomplete") != true
        case .v8?: request.fields.structuredBoolean("Upload-Complete") == true
        default: request.fields.structuredBoolean("Upload-Complete") != false
        }
    }

    private mutating func create(
        _ request: TransferRequest,
        _ arrived: [UInt8],
        _ isWhole: Bool,
        random: inout SeededRandom
    ) -> ([HeaderFields], (Int, HeaderFields)?) {
        if lie == .noSupport, !isTus {
            guard isWhole else { return ([], nil) }
            completed.append(arrived)
            return ([], (200, [:]))
        }
        created += 1
        let place = "/u/\(created)"
        partial[place] = arrived
        let interim = isTus ? [] : announcements(place, arrived, random: &random)
        guard isWhole else { return (interim, nil) }
        if !isTus, isLast(request) { finish(place) }
        return (interim, (201, confirmation(place, hasOffset: lie != .noOffset)))
    }

    private func announcements(_ place: String, _ arrived: [UInt8], random: inout SeededRandom)
        -> [HeaderFields]
    {
        var interim: [HeaderFields] = []
        let version = lie == .wrongVersion ? 99 : dialect.version?.rawValue ?? 0
        if random.chance(80) {
            interim.append(
                ["Upload-Draft-Interop-Version": "\(version)", "Location": "\(place)"]
            )
            if dialect != .ietf(.v3), random.chance(50), !arrived.isEmpty {
                interim.append(
                    [
                        "Upload-Draft-Interop-Version": "\(version)",
                        "Upload-Offset": "\(Int.random(in: 0...arrived.count, using: &random))",
                    ]
                )
            }
            if lie == .otherLocation, random.chance(50) {
                interim.append(
                    ["Upload-Draft-Interop-Version": "\(version)", "Location": "/other"]
                )
            }
        }
        return interim
    }

    private func confirmation(_ place: String, hasOffset: Bool) -> HeaderFields {
        var fields = dialect.completeness(complete.contains(place))
        fields.add("Location", place)
        if hasOffset, dialect != .ietf(.v8) {
            fields.add("Upload-Offset", "\(partial[place]?.count ?? 0)")
        }
        return fields
    }

    private mutating func finish(_ place: String) {
        guard complete.insert(place).inserted else { return }
        completed.append(partial[place] ?? [])
    }

    private mutating func state(_ place: String, random: inout SeededRandom) -> (Int, HeaderFields)
    {
        guard let bytes = partial[place] else { return (404, [:]) }
        var offset = bytes.count
        let isComplete = complete.contains(place)
        if lie == .forgets, random.chance(30) { offset /= 2 }
        if lie == .boasts, random.chance(30) {
            offset += Int.random(in: 1...60, using: &random)
            // In tus all bytes are a complete upload: no client could tell that from the truth.
            if isTus, offset == 100 { offset += 1 }
        }
        var fields = dialect.state(UInt64(offset), of: 100, isComplete: isComplete)
        if lie == .noOffset, random.chance(30) { fields["Upload-Offset"] = nil }
        if lie == .wrongLength, random.chance(30) { fields["Upload-Length"] = "77" }
        return (200, fields)
    }

    private mutating func append(
        _ request: TransferRequest,
        _ arrived: [UInt8],
        _ isWhole: Bool,
        random: inout SeededRandom
    ) -> ([HeaderFields], (Int, HeaderFields)?) {
        let place = request.address.target
        guard let bytes = partial[place] else { return ([], (404, [:])) }
        let offset = request.fields["Upload-Offset"].flatMap(Int.init) ?? -1
        let isRefused = lie == .wrongRefusal && random.chance(50)
        guard offset == bytes.count, !complete.contains(place), !isRefused else {
            return ([], (409, ["Upload-Offset": "\(bytes.count)"]))
        }
        partial[place] = bytes + arrived
        let now = bytes.count + arrived.count
        guard isWhole else { return ([], nil) }
        if isTus {
            if now == 100 { finish(place) }
            return ([], (204, ["Upload-Offset": "\(now)"]))
        }
        if isLast(request) { finish(place) }
        return ([], (201, confirmation(place, hasOffset: lie != .noOffset)))
    }
}

/// Many uploads to model servers, cut at random places.
@Suite struct UploadModelTests {
    private static let source = (0..<100).map {
        UInt8(truncatingIfNeeded: SeededRandom.number(at: $0))
    }

    @Test(arguments: UploadPlan.Dialect.resumable, ModelServer.Lie.allCases)
    func `every upload ends byte by byte right or with an honest failure`(
        dialect: UploadPlan.Dialect,
        lie: ModelServer.Lie
    ) {
        var finished = 0
        for seed in 0..<60 as Range<UInt64> {
            finished += Self.run(dialect, lie, seed: seed) ? 1 : 0
        }
        // A right server is always reached in the end if beginning again is allowed, which half of
        // the runs do.
        if lie == .nothing { #expect(finished > 30, "\(finished)") }
    }

    /// One upload; whether it finished.
    private static func run(_ dialect: UploadPlan.Dialect, _ lie: ModelServer.Lie, seed: UInt64)
        -> Bool
    {
        var random = SeededRandom(seed: seed)
        var server = ModelServer(dialect, lie: lie)
        var watch = Watch()
        var bench = upload(dialect, draws: .none) {
            $0.creation = random.chance(40) && lie != .noSupport ? .careful : .optimistic
            $0.appendSize = random.chance(50) ? UInt64.random(in: 1...99, using: &random) : nil
            $0.retry.restartsFromZero = random.chance(50)
        }
        bench.start()
        var steps = 0
        while bench.end == nil, steps < 2_000 {
            steps += 1
            guard bench.isOpen, let request = bench.last else {
                bench.wake()
                continue
            }
            exchange(request, &bench, &server, &watch, &random)
        }
        let label = "\(dialect) \(lie) seed \(seed)"
        #expect(bench.end != nil, "\(label): \(steps) steps")
        #expect(watch.creations <= 1 + bench.restarts.count, "\(label)")
        #expect(watch.problems.isEmpty, "\(label): \(watch.problems)")
        guard bench.result != nil else { return false }
        #expect(server.completed.last == source, "\(label)")
        return true
    }

    /// What the driver saw, to hold the machine to what it promises.
    private struct Watch {
        var creations = 0
        /// The offset that an answer named and no PATCH used.
        var fresh: UInt64?
        /// The highest offset that the client was told since it began.
        var confirmed: UInt64 = 0
        var problems: [String] = []

        mutating func sees(_ request: TransferRequest) {
            switch request.method {
            case "POST":
                creations += 1
                fresh = nil
                confirmed = 0
            case "PATCH":
                let offset = request.body?.lowerBound
                if offset != fresh { problems.append("PATCH at \(offset ?? 0), not learnt") }
                if offset ?? 0 < confirmed { problems.append("confirmed bytes were sent again") }
                if request.fields["Upload-Offset"] != "\(offset ?? 0)" {
                    problems.append("field and body differ")
                }
                fresh = nil
            default: fresh = nil
            }
        }

        mutating func hears(_ status: Int, _ fields: HeaderFields, to request: TransferRequest) {
            let offset = fields.structuredInteger("Upload-Offset").flatMap { UInt64(exactly: $0) }
            guard (200..<300).contains(status) else { return }
            fresh = request.method == "HEAD" ? offset : offset ?? request.body?.upperBound ?? 0
            if request.method != "HEAD", offset == nil || offset == request.body?.upperBound {
                confirmed = max(confirmed, request.body?.upperBound ?? 0)
            }
            if request.method == "HEAD" { confirmed = max(confirmed, offset ?? 0) }
        }
    }

    private static func exchange(
        _ request: TransferRequest,
        _ bench: inout UploadClientBench,
        _ server: inout ModelServer,
        _ watch: inout Watch,
        _ random: inout SeededRandom
    ) {
        if random.chance(10) {
            bench.cut(.notConnected, didSend: false)
            return
        }
        watch.sees(request)
        let body = request.body ?? 0..<0
        let bytes = Array(source[Int(body.lowerBound)..<Int(body.upperBound)])
        let isCut = random.chance(40)
        let count = isCut ? Int.random(in: 0...bytes.count, using: &random) : bytes.count
        let (interim, final) = server.take(request, Array(bytes[..<count]), random: &random)
        bench.sent(UInt64(count))
        for fields in interim where bench.isOpen && bench.last?.ordinal == request.ordinal {
            bench.interim(104, fields)
            let offset = fields.structuredInteger("Upload-Offset").flatMap { UInt64(exactly: $0) }
            if bench.machine.resumeOutcome.data != nil, let offset {
                watch.confirmed = max(watch.confirmed, offset)
            }
        }
        guard bench.isOpen, bench.last?.ordinal == request.ordinal else { return }
        guard let final, !isCut || random.chance(30) && count == bytes.count else {
            bench.cut()
            return
        }
        watch.hears(final.0, final.1, to: request)
        bench.answer(final.0, final.1)
    }
}
