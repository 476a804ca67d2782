import HTTPWire
import Origin
import ResumableServer
import SystemIO
import Testing
@testable import Arguments
@testable import Commands

@Suite struct OriginOptionsTests {
    private func options(_ arguments: [String]) throws -> OriginOptions {
        let invocation = try ArgumentParser.parse(["origin"] + arguments) { _ in nil }
        return try OriginOptions(invocation, temporaryFolder: "/tmp")
    }

    @Test func `without options everything is offered on a free port of loopback`() throws {
        let configuration = try options([]).configuration
        #expect(configuration.folder == nil && configuration.listens == [.loopback(port: 0)])
        #expect(configuration.uploads.versions == Set(InteropVersion.allCases))
        #expect(configuration.uploads.offersTus && configuration.takesPlainUploads)
        #expect(configuration.commit == nil && configuration.naming == .random)
    }

    @Test func `each option changes its setting`() throws {
        let configuration = try options([
            "dir", "--ietf-versions", "6,8,final", "--tus", "off", "--plain=off", "--ranges", "off",
            "--multirange", "off", "--etag", "weak", "--last-modified", "none", "--location",
            "absolute", "--ids", "seeded", "--seed", "9", "--commit", "write", "--completed",
            "gone", "--progress-bytes", "1KiB", "--interim", "102,103", "--max-size", "5MB",
            "--min-size", "1B", "--max-append", "2MB", "--min-append", "3B", "--quota", "1GB",
            "--max-open", "7", "--expire", "1500ms", "--keep-complete", "5min", "--idle", "3s",
            "--misbehave", "503@1", "--misbehave", "drop-104",
        ]).configuration
        #expect(configuration.folder == "dir")
        #expect(configuration.uploads.versions == [.v6, .v8])
        #expect(configuration.uploads.acceptsVersionless && !configuration.uploads.offersTus)
        #expect(!configuration.takesPlainUploads && !configuration.objects.takesRanges)
        #expect(!configuration.objects.takesSeveralRanges)
        #expect(configuration.objects.tags == .weak && configuration.objects.dates == .none)
        #expect(configuration.uploads.location == .absolute(scheme: "http"))
        #expect(configuration.naming == .seeded(9) && configuration.commit == .write)
        #expect(configuration.uploads.completed == .gone)
        #expect(configuration.uploads.progressBytes == 1_024)
        #expect(configuration.interims == [102, 103])
        let limits = UploadLimits(
            maxSize: 5_000_000,
            minSize: 1,
            maxAppendSize: 2_000_000,
            minAppendSize: 3
        )
        #expect(configuration.uploads.limits == limits)
        #expect(configuration.limits.storedBytes == 1_000_000_000)
        #expect(configuration.limits.openUploads == 7 && configuration.limits.idleSeconds == 3)
        #expect(configuration.uploads.lifetime == 2 && configuration.uploads.keepComplete == 300)
        #expect(configuration.misbehaviour == "503@1; drop-104")
        #expect(try options(["--ietf-versions", "off"]).configuration.uploads.versions.isEmpty)
    }

    @Test(arguments: [
        (
            ["--ietf-versions", "4"],
            "--ietf-versions '4': '4' is not one of 3, 5, 6, 8, final, off"
        ),
        (
            ["--ietf-versions", "6,x"],
            "--ietf-versions '6,x': 'x' is not one of 3, 5, 6, 8, final, off"
        ),
        (
            ["--etag", "strng"],
            "--etag 'strng'; did you mean 'strong'?: write one of strong, weak, none"
        ),
        (["--tus", "yes"], "--tus 'yes': write one of on, off"),
        (["--max-size", "5"], "--max-size: "),
        (["--interim", "104"], "--interim '104': '104' is not one of 102, 103"),
        (["--misbehave", "nonsense"], "--misbehave 'nonsense', column 1: unknown effect"),
        (["--listen", "example.org:80"], "--listen 'example.org:80': give an address"),
        (["--listen", "::1"], "--listen: '::1': write an IPv6 address in brackets"),
        (["--expire", "0s"], "--expire has to be more than 0s"),
        (["--ready-fd", "1"], "--ready-fd 1: 0, 1 and 2 are taken"),
        (["--access-log", "-", "--state", "-"], "--access-log and --state cannot both"),
        (["--allow-remote", "--listen", "0.0.0.0:0", "--ids", "seeded"], "--ids seeded can be"),
        (["a", "b"], "unexpected argument 'b'"),
    ])
    func `a mistake is named in one line`(arguments: [String], message: String) {
        #expect { try options(arguments) } throws: { error in
            guard let failure = error as? Failure else { return false }
            return failure.code == .usage && failure.message.hasPrefix(message)
        }
    }
}
