internal import SystemIO
internal import Trials

/// The client of a case, made when its trial begins.
final class PlantedClient: ClientCode {
    private let test: SelfTestCase
    private let loop: EventLoop
    private let seed: UInt64
    private var client: SmallClient?

    /// What it answers if the system has nothing left to make it of.
    private static let unableCode = 125

    init(_ test: SelfTestCase, on loop: EventLoop, seed: UInt64) {
        self.test = test
        self.loop = loop
        self.seed = seed
    }

    func start(_ place: TrialPlace, done: @escaping (Int) -> Void) {
        do throws(SystemError) {
            let client = try test.client(on: loop, seed: seed)
            self.client = client
            client.start(place, done: done)
        } catch {
            done(Self.unableCode)
        }
    }

    func cancel() { client?.cancel() }
}
