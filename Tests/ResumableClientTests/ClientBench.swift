import Basics
import HTTPWire
import ResumableClient
import Testing
import TestSupport

extension RandomDraws {
    /// Always the middle of what is possible.
    static let half = RandomDraws { _, _ in 1 << 63 }
    /// No delay at all but for floors.
    static let none = RandomDraws { _, _ in 0 }

    static func seeded(_ seed: UInt64) -> RandomDraws {
        RandomDraws { purpose, ordinal in
            SeededRandom.number(
                at: SeededRandom.number(at: seed &+ (purpose == .backoff ? 1 : 2))
                    ^ SeededRandom.number(at: ordinal)
            )
        }
    }
}

extension HTTPURL {
    static func of(_ text: String) -> HTTPURL {
        guard let address = try? HTTPURL(text) else { preconditionFailure(text) }
        return address
    }
}

/// What both machines can be told.
protocol ClientMachine {
    mutating func start(at now: Duration) -> [TransferAction]
    mutating func interim(_ head: ResponseHead, at now: Duration) -> [TransferAction]
    mutating func requestFailed(_ failure: TransportFailure, didSend: Bool, at now: Duration)
        -> [TransferAction]
    mutating func timerFired(at now: Duration) -> [TransferAction]
    mutating func pathChanged(_ status: PathStatus, at now: Duration) -> [TransferAction]
    mutating func nudge(at now: Duration) -> [TransferAction]
    mutating func pause() -> [TransferAction]
    mutating func cancel() -> [TransferAction]
    mutating func deadlineReached() -> [TransferAction]
    mutating func storageFailed(_ text: String, _ problem: FileProblem) -> [TransferAction]
}

extension UploadMachine: ClientMachine {}
extension DownloadMachine: ClientMachine {}

/// Drives a machine as a live client would, keeps what it did, and holds it to its contract.
struct ClientBench<Machine: ClientMachine> {
    var machine: Machine
    var now: Duration = .zero
    private(set) var requests: [TransferRequest] = []
    private(set) var events: [TransferEvent] = []
    /// Everything but reports.
    private(set) var actions: [TransferAction] = []
    private(set) var isOpen = false
    private(set) var timer: Duration?
    /// Where bodies were to be stored.
    private(set) var stores: [UInt64] = []
    /// The sizes to which the partial file was to be cut.
    private(set) var truncations: [UInt64] = []
    private(set) var end: TransferAction?

    init(_ machine: Machine) { self.machine = machine }

    mutating func perform(_ actions: [TransferAction]) {
        for action in actions {
            #expect(end == nil, "\(action) after the end")
            if case .report(let event) = action {
                events.append(event)
            } else {
                self.actions.append(action)
                take(action)
            }
        }
    }

    private mutating func take(_ action: TransferAction) {
        switch action {
        case .send(let request):
            #expect(!isOpen, "\(request.method) while a request is open")
            isOpen = true
            timer = nil
            requests.append(request)
            #expect(request.ordinal == requests.count)
        case .closeConnection, .discard: isOpen = false
        case .wait(let time): timer = now + time
        case .store(let from, _): stores.append(from)
        case .truncate(let size): truncations.append(size)
        case .finished, .failed, .paused:
            #expect(!isOpen)
            end = action
        case .waitForPath, .verify, .rename, .report: break
        }
    }

    // MARK: Telling

    mutating func start() { perform(machine.start(at: now)) }

    mutating func interim(_ status: Int, _ fields: HeaderFields = [:]) {
        perform(machine.interim(ResponseHead(status, fields: fields), at: now))
    }

    mutating func cut(_ failure: TransportFailure = .connectionLost, didSend: Bool = true) {
        isOpen = false
        perform(machine.requestFailed(failure, didSend: didSend, at: now))
    }

    /// Lets the time of the wait pass.
    mutating func wake() {
        guard let timer else { return }
        now = max(now, timer)
        self.timer = nil
        perform(machine.timerFired(at: now))
    }

    mutating func path(_ status: PathStatus) { perform(machine.pathChanged(status, at: now)) }

    // MARK: Reading

    var last: TransferRequest? { requests.last }
    var methods: [String] { requests.map(\.method) }
    var failure: TransferFailure? {
        guard case .failed(let failure) = end else { return nil }
        return failure
    }
    var result: TransferResult? {
        guard case .finished(let result) = end else { return nil }
        return result
    }
    var restarts: [RestartReason] {
        events.compactMap { if case .restarted(let reason) = $0 { reason } else { nil } }
    }
    var progress: [TransferProgress] {
        events.compactMap { if case .progress(let progress) = $0 { progress } else { nil } }
    }
    var waitings: [PathWait] {
        events.compactMap { if case .waiting(let wait) = $0 { wait } else { nil } }
    }
    var explanations: [String] {
        events.compactMap { if case .explanation(let text) = $0 { text } else { nil } }
    }
}

extension ClientBench where Machine == UploadMachine {
    /// The final answer, after all of the body unless `sent` says how much.
    mutating func answer(_ status: Int, _ fields: HeaderFields = [:], sent: UInt64? = nil) {
        let size = (last?.body).map { $0.upperBound - $0.lowerBound } ?? 0
        perform(machine.bodySent(sent ?? size, at: now))
        if sent ?? size == size { isOpen = false }
        perform(machine.final(ResponseHead(status, fields: fields), at: now))
    }

    mutating func sent(_ count: UInt64) { perform(machine.bodySent(count, at: now)) }
}

extension ClientBench where Machine == DownloadMachine {
    mutating func head(_ status: Int, _ fields: HeaderFields = [:]) {
        perform(machine.head(ResponseHead(status, fields: fields), at: now))
    }

    mutating func stored(_ count: UInt64) { perform(machine.bodyStored(count, at: now)) }

    mutating func bodyEnd(_ trailers: HeaderFields = [:]) {
        isOpen = false
        perform(machine.bodyEnded(trailers: trailers, at: now))
    }
}
