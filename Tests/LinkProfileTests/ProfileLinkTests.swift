import Basics
import LinkEngine
import LinkProfile
import Profiles
import Testing

/// The engine can run whatever a profile may ask for.
@Suite struct ProfileLinkTests {
    /// Downloads in virtual time and returns the bytes that arrived before the end, a timeout or
    /// 100,000 deadlines.
    private func download(_ bytes: Int, over settings: LinkSettings) -> Int {
        var link = Link(settings: settings, seed: 1)
        let stream = Stream(connection: 0, direction: .down)
        link.open(0, at: .start)
        link.send(bytes, on: stream, at: .start)
        link.finish(stream, at: .start)
        var arrived = 0
        for _ in 0..<100_000 {
            while let event = link.nextEvent() {
                switch event.kind {
                case .deliver(_, let count): arrived += count
                case .finished, .aborted, .timedOut: return arrived
                case .writable, .arrived, .lost: break
                }
            }
            guard let next = link.nextDeadline else { break }
            link.advance(to: next)
        }
        return arrived
    }

    @Test(arguments: Profiles.all.map(\.name))
    func `a download arrives whole under every built-in profile, or not at all`(
        name: String
    ) throws {
        let arrived = download(20_000, over: try library().load(name).link)
        #expect(arrived == (name == "100-loss" ? 0 : 20_000))
    }

    @Test(arguments: [
        "rate: 100bit/s, queue: 1000000packets", "rate: 1Tbit/s", "rate: 100bit/s, queue: 1500B",
        "delay: 3600s, jitter: {pareto: 3600s}", "delay: 3600s, jitter: {normal: 3600s}",
        "jitter: {uniform: 3600s}", "loss: {burst: {loss: 99.9999%, mean: 1000000packets}}",
        "loss: {burst: {loss: 30%, mean: 4packets}}",
        "loss: {gilbert-elliott: {p: 100%, r: 100%, h: 0%, k: 0%}}",
        "outages: {random: {up: 1ms, down: 1ms}}",
        "outages: {random: {up: 3600000s, down: 3600000s}, treatment: hold}",
        "outages: {windows: [{at: 0s, for: 1ms}], period: 1ms}",
        "outages: {windows: [{at: 0s, for: 1ms}], period: 1ms, treatment: hold}",
        "outages: {windows: [{at: 3600000s, for: 3600000s}]}",
        "outages: [{at: 0s, for: 3600000s}]",
        "trace: {generate: poisson, rate: 100bit/s, length: 300s, seed: 2}",
    ])
    func `the engine survives the limits of the schema`(setting: String) throws {
        let arrived = download(20_000, over: try load("link: {\(setting)}").link)
        #expect((0...20_000).contains(arrived))
    }
}
