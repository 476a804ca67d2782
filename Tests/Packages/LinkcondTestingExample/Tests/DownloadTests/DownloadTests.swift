import LinkcondTesting
import LinkTransfer
import Testing

/// The client under test is LinkTransfer's; put your own in its place.
@Suite struct DownloadTests {
    private func download(_ size: Int) async throws -> TransferOutcome {
        let network = try #require(Linkcond.current)
        return try await TransferClient().download(
            from: "\(network.url)/bytes/\(size)",
            to: "\(network.folder)/file"
        )
    }

    @Test(.linkcond("lte", seed: 7)) func `a download over LTE`() async throws {
        #expect(try await download(500_000).size == 500_000)
    }

    @Test(.linkcond(schedule: "lc1;seed=7;c1:down+200000=rst"))
    func `a download goes on where it was cut`() async throws {
        let outcome = try await download(500_000)
        #expect(outcome.size == 500_000 && outcome.attempts == 2)
    }

    /// Each of these is a test of its own, and says how to repeat itself.
    @Test(
        .linkcond(misbehaving: "object:503@1,retry-after=1"),
        arguments: [1, 65_536, 500_000]
    )
    func `a busy server is asked again`(size: Int) async throws {
        #expect(try await download(size).attempts == 2)
    }
}
