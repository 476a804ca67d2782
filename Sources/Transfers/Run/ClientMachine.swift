internal import Basics
internal import HTTPWire
internal import ResumableClient

/// The machine of a transfer, whichever way the bytes go: the calls that both have.
struct ClientMachine {
    enum Direction {
        case download(DownloadMachine)
        case upload(UploadMachine)
    }

    private var direction: Direction

    init(_ machine: DownloadMachine) { direction = .download(machine) }

    init(_ machine: UploadMachine) { direction = .upload(machine) }

    var resumeOutcome: ResumeOutcome {
        switch direction {
        case .download(let machine): machine.resumeOutcome
        case .upload(let machine): machine.resumeOutcome
        }
    }

    mutating func start(at now: Duration) -> [TransferAction] {
        change({ $0.start(at: now) }, { $0.start(at: now) })
    }

    mutating func interim(_ head: ResponseHead, at now: Duration) -> [TransferAction] {
        change({ $0.interim(head, at: now) }, { $0.interim(head, at: now) })
    }

    mutating func requestFailed(
        _ failure: TransportFailure,
        didSend: Bool,
        at now: Duration
    ) -> [TransferAction] {
        change(
            { $0.requestFailed(failure, didSend: didSend, at: now) },
            { $0.requestFailed(failure, didSend: didSend, at: now) }
        )
    }

    mutating func timerFired(at now: Duration) -> [TransferAction] {
        change({ $0.timerFired(at: now) }, { $0.timerFired(at: now) })
    }

    mutating func pathChanged(_ status: PathStatus, at now: Duration) -> [TransferAction] {
        change({ $0.pathChanged(status, at: now) }, { $0.pathChanged(status, at: now) })
    }

    mutating func nudge(at now: Duration) -> [TransferAction] {
        change({ $0.nudge(at: now) }, { $0.nudge(at: now) })
    }

    mutating func pause() -> [TransferAction] { change({ $0.pause() }, { $0.pause() }) }

    mutating func cancel() -> [TransferAction] { change({ $0.cancel() }, { $0.cancel() }) }

    mutating func deadlineReached() -> [TransferAction] {
        change({ $0.deadlineReached() }, { $0.deadlineReached() })
    }

    mutating func storageFailed(_ text: String, _ problem: FileProblem) -> [TransferAction] {
        change({ $0.storageFailed(text, problem) }, { $0.storageFailed(text, problem) })
    }

    // What only one of them hears.

    mutating func partialFileGone(at now: Duration) -> [TransferAction] {
        change({ $0.partialFileGone(at: now) }, { _ in [] })
    }

    mutating func bodySent(_ count: UInt64, at now: Duration) -> [TransferAction] {
        change({ _ in [] }, { $0.bodySent(count, at: now) })
    }

    mutating func head(_ head: ResponseHead, at now: Duration) -> [TransferAction] {
        change({ $0.head(head, at: now) }, { _ in [] })
    }

    mutating func bodyStored(_ count: UInt64, at now: Duration) -> [TransferAction] {
        change({ $0.bodyStored(count, at: now) }, { _ in [] })
    }

    mutating func bodyEnded(_ trailers: HeaderFields, at now: Duration) -> [TransferAction] {
        change({ $0.bodyEnded(trailers: trailers, at: now) }, { _ in [] })
    }

    mutating func verified(_ isRight: Bool, at now: Duration) -> [TransferAction] {
        change({ $0.verified(isRight, at: now) }, { _ in [] })
    }

    mutating func final(
        _ head: ResponseHead,
        body: [UInt8],
        at now: Duration
    ) -> [TransferAction] {
        change({ _ in [] }, { $0.final(head, body: body, at: now) })
    }

    private mutating func change(
        _ download: (inout DownloadMachine) -> [TransferAction],
        _ upload: (inout UploadMachine) -> [TransferAction]
    ) -> [TransferAction] {
        switch direction {
        case .download(var machine):
            defer { direction = .download(machine) }
            return download(&machine)
        case .upload(var machine):
            defer { direction = .upload(machine) }
            return upload(&machine)
        }
    }
}
