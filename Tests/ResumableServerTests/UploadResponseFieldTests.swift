import HTTPWire
import ResumableServer
import Testing

/// What every response must and must not carry, whatever led to it.
@Suite struct UploadResponseFieldTests {
    private typealias Table = UploadStateTableTests

    /// Every exchange of the table: the upload before it and after it, and what was answered.
    private struct Exchange: Sendable {
        var kind: String
        var start: Table.Start
        var before: UploadRecord?
        var after: UploadRecord?
        var answer: UploadAnswer?
        var interims: [ResponseHead]
    }

    private static let all = Dictionary(
        uniqueKeysWithValues: UploadProtocol.all.map { ($0, exchanges(of: $0)) }
    )

    private static func exchanges(_ dialect: UploadProtocol) -> [Exchange] { all[dialect] ?? [] }

    private static func exchanges(of dialect: UploadProtocol) -> [Exchange] {
        Table.starts(dialect).flatMap { start in
            Table.kinds.map { kind in
                var bench = Table.bench(dialect, start)
                let before = bench.record
                let request = Table.request(kind, dialect, at: before?.offset ?? 40)
                let id = bench.send(request.head, bytes: request.bytes, isCut: request.isCut)
                return Exchange(
                    kind: kind,
                    start: start,
                    before: before,
                    after: bench.record,
                    answer: bench.answers[id],
                    interims: bench.interims[id] ?? []
                )
            }
        }
    }

    @Test(arguments: UploadProtocol.all)
    func `there is something to look at`(dialect: UploadProtocol) {
        let statuses = Set(Self.exchanges(dialect).compactMap { $0.answer?.head.status })
        #expect(statuses.isSuperset(of: [400, 404, 409]))
    }

    @Test(arguments: UploadProtocol.all)
    func `the offset never falls`(dialect: UploadProtocol) {
        for exchange in Self.exchanges(dialect) {
            let before = exchange.before?.offset ?? 0
            #expect(exchange.after?.offset ?? 0 >= before, "\(exchange.kind) \(exchange.start)")
        }
    }

    @Test(arguments: UploadProtocol.all)
    func `a refusal by the head changes nothing`(dialect: UploadProtocol) {
        for exchange in Self.exchanges(dialect) where exchange.start == .active {
            guard let answer = exchange.answer, answer.head.status >= 400,
                !exchange.kind.hasPrefix("too-long")
            else {
                continue
            }
            #expect(exchange.before == exchange.after, "\(exchange.kind)")
        }
    }

    @Test(arguments: UploadProtocol.all)
    func `409 always has the true offset`(dialect: UploadProtocol) {
        for exchange in Self.exchanges(dialect) where exchange.answer?.head.status == 409 {
            let offset = exchange.before.map { "\($0.offset)" }
            #expect(exchange.answer?.head.fields["Upload-Offset"] == offset)
        }
    }

    @Test(arguments: UploadProtocol.all)
    func `no answer about an upload can be cached`(dialect: UploadProtocol) {
        for exchange in Self.exchanges(dialect) {
            guard let answer = exchange.answer, exchange.kind.hasPrefix("HEAD") else { continue }
            #expect(answer.head.fields["Cache-Control"] == "no-store")
            #expect(answer.body.isEmpty)
        }
    }

    @Test(arguments: UploadProtocol.all)
    func `a version says complete or incomplete in its own field alone`(dialect: UploadProtocol) {
        for exchange in Self.exchanges(dialect) {
            guard let fields = exchange.answer?.head.fields else { continue }
            if dialect != .ietf(.v3) { #expect(!fields.contains("Upload-Incomplete")) }
            if dialect == .ietf(.v3) || dialect == .tus {
                #expect(!fields.contains("Upload-Complete"))
            }
            #expect(fields.contains("Tus-Resumable") == (dialect == .tus))
        }
    }

    @Test(arguments: UploadProtocol.all)
    func `whatever says complete is complete, and whatever says offset is true`(
        dialect: UploadProtocol
    ) {
        for exchange in Self.exchanges(dialect) {
            guard let fields = exchange.answer?.head.fields else { continue }
            let saysComplete =
                fields["Upload-Complete"] == "?1" || fields["Upload-Incomplete"] == "?0"
            if saysComplete { #expect(exchange.after?.state.hasEverything == true) }
            if let offset = fields["Upload-Offset"] {
                #expect(offset == exchange.after.map { "\($0.offset)" })
            }
        }
    }

    @Test(arguments: UploadProtocol.all)
    func `the fields of a success are those that its version demands`(dialect: UploadProtocol) {
        for exchange in Self.exchanges(dialect) {
            guard let head = exchange.answer?.head, head.status < 300 else { continue }
            let isPatch =
                !exchange.kind.hasPrefix("HEAD") && exchange.kind != "GET"
                && !exchange.kind.hasPrefix("DELETE")
            let says = { (name: String) in head.fields.contains(name) }
            #expect(!says("Location"))
            if exchange.kind.hasPrefix("DELETE") {
                #expect(head.status == 204 && !says("Upload-Offset"))
            } else if isPatch && dialect == .ietf(.v8) {
                #expect(says("Upload-Complete") && !says("Upload-Offset"))
            } else {
                #expect(says("Upload-Offset"))
            }
            if isPatch && dialect != .ietf(.v8) && dialect != .tus { #expect(head.status == 201) }
        }
    }

    @Test(arguments: UploadProtocol.all)
    func `104 is never sent by PATCH without its version, and never says Location there`(
        dialect: UploadProtocol
    ) {
        for exchange in Self.exchanges(dialect) {
            for interim in exchange.interims {
                #expect(dialect != .tus && dialect != .ietf(.v3))
                #expect(!interim.fields.contains("Location"))
            }
        }
    }
}
