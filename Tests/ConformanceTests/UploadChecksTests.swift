@testable import Conformance
import HTTPWire
import Testing

@Suite struct UploadChecksTests {
    static let dialects =
        InteropVersion.allCases.map(UploadDialect.ietf)
        + [.tus(extensions: PlantedUploads.extensions, maximum: 1_000_000)]

    private static func number(_ check: ServerCheck) -> Int {
        check.name.split(separator: ".").last.flatMap { Int($0.drop { !$0.isNumber }) } ?? 0
    }

    private static func isTus(_ dialect: UploadDialect) -> Bool {
        if case .tus = dialect { true } else { false }
    }

    @Test(arguments: dialects)
    func `a server that keeps all rules is accused of nothing`(dialect: UploadDialect) {
        for check in UploadChecks.all(dialect, at: PlantedUploads.place) {
            let server = PlantedUploads(isTus: Self.isTus(dialect))
            #expect(check.verdict(on: server.respond) == .passed, "\(check.name)")
        }
    }

    @Test(arguments: dialects)
    func `each mistake is found by the check that is for it`(dialect: UploadDialect) {
        for check in UploadChecks.all(dialect, at: PlantedUploads.place) {
            let server = PlantedUploads(
                mistake: Self.number(check),
                isTus: Self.isTus(dialect)
            )
            guard case .failed = check.verdict(on: server.respond) else {
                #expect(Bool(false), "\(check.name) finds nothing: \(check.rule)")
                continue
            }
        }
    }

    @Test(arguments: dialects)
    func `no check of a server that does not answer hangs or passes`(dialect: UploadDialect) {
        var silent = ProbeReply()
        silent.failure = "nothing was sent or received for too long"
        for check in UploadChecks.all(dialect, at: PlantedUploads.place) {
            #expect(check.verdict(on: { _ in silent }) != .passed, "\(check.name)")
        }
    }

    @Test func `an unknown draft version may not be refused`() {
        let check = UploadChecks.unknownVersion(at: PlantedUploads.place)
        #expect(check.verdict(on: { _ in ProbeReply(200) }) == .passed)
        #expect(check.verdict(on: { _ in ProbeReply(400) }) == .failed("it is answered by 400"))
    }

    @Test func `a tus server is known by its version, with its extensions`() {
        let reply = ProbeReply(
            204,
            [
                "Tus-Version": "1.0.0,0.2.2", "Tus-Extension": "creation, checksum",
                "Tus-Max-Size": "9",
            ]
        )
        #expect(UploadChecks.tus(reply) == .tus(extensions: ["creation", "checksum"], maximum: 9))
        #expect(UploadChecks.tus(ProbeReply(204)) == nil)
    }
}
