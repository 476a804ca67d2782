internal import HTTPWire
internal import ResumableServer
internal import SystemIO

/// An upload by POST or PUT alone, of one file: its body is the file.
final class PlainReception: BodyReceiver {
    private let request: PlainUpload
    private let exchange: OriginExchange
    private let service: UploadService
    private let file: PlainFile
    private var pipe: BodyPipe?
    private var isOver = false
    /// Whether all of it came: then it is kept, though nobody may wait for the answer.
    private var isWhole = false

    init(_ request: PlainUpload, _ exchange: OriginExchange, _ service: UploadService) {
        self.request = request
        self.exchange = exchange
        self.service = service
        file = PlainFile(service.newIdentifier(), service)
    }

    func start() {
        if case .known(let bytes) = request.body, !service.hasRoom(for: bytes) {
            return exchange.answer(UploadDriver.refusal(.quotaExceeded))
        }
        exchange.log.upload = file.identifier
        if request.expectsContinue { exchange.interim(ResponseHead(100)) }
        let pipe = BodyPipe(exchange, to: self, pool: service.buffers)
        self.pipe = pipe
        exchange.pipe = pipe
        // The pipe does not hold its receiver.
        exchange.onLost = { [self] in lose() }
        pipe.start()
    }

    func bodyCame(_ bytes: BodyBytes, through pipe: BodyPipe) {
        file.take(bytes) { [self] in
            if let failure = file.failure { refuse(UploadDriver.refusal(failure)) }
            pipe.finished()
        }
        if let most = request.maxSize, file.received > most { refuse(Self.tooLarge) }
    }

    func bodyEnded(trailers: HeaderFields, through pipe: BodyPipe) {
        guard !isOver else { return }
        isWhole = true
        let name =
            ObjectName.suggestion(inTarget: exchange.head.target)
            .flatMap { ObjectName(suggestion: $0) } ?? ObjectName(trusted: file.identifier)
        guard exchange.head.method == "PUT" else { return keep(as: name) { _ in } }
        let target = exchange.head.target
        let targets = service.putTargets
        targets.begin(target) { [self] earlier in
            keep(as: name, replacing: earlier) { targets.end(target, name: $0) }
        }
    }

    /// `whenKept` gets the name, nil after a failure.
    private func keep(
        as name: ObjectName,
        replacing earlier: String? = nil,
        whenKept: @escaping (String?) -> Void
    ) {
        file.finish(as: name, replacing: earlier) { [self] result in
            defer { whenKept(try? result.get()) }
            guard !isOver else { return }
            isOver = true
            switch result {
            case .success(let name):
                complete(
                    StoredObject(name: name, bytes: file.received, isReplacement: earlier != nil)
                )
            case .failure(let error):
                file.abandon()
                exchange.answer(UploadDriver.refusal(error))
            }
        }
    }

    func bodyLost(through pipe: BodyPipe) { lose() }

    private func lose() {
        guard !isOver, !isWhole else { return }
        isOver = true
        file.abandon()
    }

    private func refuse(_ answer: UploadAnswer) {
        guard !isOver else { return }
        isOver = true
        file.abandon()
        pipe?.discard()
        exchange.answer(answer)
    }

    private func complete(_ receipt: StoredObject) {
        let stored = receipt.answer(saysLocation: true)
        service.notePlain(file.identifier, exchange.head.target, receipt)
        let facts = CompletionHook.Facts(plain: file.identifier, exchange.head)
        service.tell(receipt, facts) { [exchange] isDone in
            exchange.answer(
                isDone
                    ? UploadAnswer(stored.status, stored.fields, body: stored.body)
                    : UploadService.hookFailed
            )
        }
    }

    private static let tooLarge = UploadAnswer(
        413,
        ["Content-Type": "application/problem+json"],
        body: Array(
            "{\"title\":\"the content is larger than the limits allow\",\"status\":413}\n".utf8
        ),
        needsDrain: true
    )
}
