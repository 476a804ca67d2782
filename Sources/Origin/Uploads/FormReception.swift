internal import Basics
internal import HTTPTransport
internal import HTTPWire
internal import ResumableServer
internal import SystemIO

/// A form with files (RFC 7578): all of its files are kept once it is whole, or none.
final class FormReception: BodyReceiver {
    private let request: PlainUpload
    private let exchange: OriginExchange
    private let service: UploadService
    private var reader: MultipartReader
    private var pipe: BodyPipe?
    /// The files so far; the last one may be under way.
    private var files: [(file: PlainFile, name: ObjectName)] = []
    /// Whether the part under way is a file: other fields of a form are passed over.
    private var isInFile = false
    private var receipts: [StoredObject] = []
    private var isOver = false
    /// Whether all of it came: then it is kept, though nobody may wait for the answer.
    private var isWhole = false
    /// Whether what was to be done with a complete file went wrong.
    private var hasFailed = false

    /// Parts of one form.
    private static let maximumParts = 100

    /// nil if the boundary is none.
    init?(_ request: PlainUpload, _ exchange: OriginExchange, _ service: UploadService) {
        guard let boundary = request.multipartBoundary,
            let reader = MultipartReader(boundary: boundary, maximumParts: Self.maximumParts)
        else {
            return nil
        }
        self.request = request
        self.exchange = exchange
        self.service = service
        self.reader = reader
    }

    func start() {
        if case .known(let bytes) = request.body, !service.hasRoom(for: bytes) {
            return exchange.answer(UploadDriver.refusal(.quotaExceeded))
        }
        if request.expectsContinue { exchange.interim(ResponseHead(100)) }
        let pipe = BodyPipe(exchange, to: self, pool: service.buffers)
        self.pipe = pipe
        exchange.pipe = pipe
        // The pipe does not hold its receiver.
        exchange.onLost = { [self] in
            if !isWhole { lose() }
        }
        pipe.start()
    }

    // MARK: Body

    func bodyCame(_ bytes: BodyBytes, through pipe: BodyPipe) {
        var waiting = 1
        let finish = {
            waiting -= 1
            if waiting == 0 { pipe.finished() }
        }
        do throws(MessageError) {
            for piece in bytes.pieces {
                try read(piece, started: { waiting += 1 }, finish)
            }
        } catch {
            refuse(400, "This is not a form: \(error)")
        }
        finish()
    }

    private func read(
        _ piece: BodyBytes.Piece,
        started: () -> Void,
        _ finished: @escaping () -> Void
    ) throws(MessageError) {
        var place = piece.range.lowerBound
        while !isOver {
            let rest = place..<piece.range.upperBound
            let step = try piece.memory.buffer.withBytes(rest) { span throws(MessageError) in
                try reader.next(span)
            }
            take(step.event, piece, from: place, started: started, finished)
            place += step.consumed
            if step.event == nil { return }
        }
    }

    private func take(
        _ event: MultipartEvent?,
        _ piece: BodyBytes.Piece,
        from place: Int,
        started: () -> Void,
        _ finished: @escaping () -> Void
    ) {
        switch event {
        case .part(let fields): begin(fields)
        case .content(let range):
            let found = place + range.lowerBound..<place + range.upperBound
            write(BodyBytes(memory: piece.memory, range: found), started, finished)
        case .heldContent(let held):
            let memory = service.buffers.take(size: 0)
            memory.buffer.store(held, at: 0)
            write(BodyBytes(memory: memory, range: 0..<held.count), started, finished)
        case .partEnd, .end: isInFile = false
        case nil: break
        }
    }

    private func begin(_ fields: HeaderFields) {
        guard let part = FormPart(fields), let suggestion = part.fileName else { return }
        let file = PlainFile(service.newIdentifier(), service)
        let name = ObjectName(suggestion: suggestion) ?? ObjectName(trusted: file.identifier)
        files.append((file, name))
        isInFile = true
    }

    private func write(
        _ bytes: BodyBytes,
        _ started: () -> Void,
        _ finished: @escaping () -> Void
    ) {
        guard isInFile, let file = files.last?.file else { return }
        started()
        file.take(bytes) { [self] in
            if let failure = file.failure { refuse(UploadDriver.refusal(failure)) }
            finished()
        }
        if let most = request.maxSize, file.received > most {
            refuse(413, "A file of the form is larger than the limits allow.")
        }
    }

    func bodyEnded(trailers: HeaderFields, through pipe: BodyPipe) {
        guard !isOver else { return }
        do throws(MessageError) {
            try reader.finish()
        } catch {
            return refuse(400, "The form has no end.")
        }
        guard !files.isEmpty else { return refuse(400, "The form has no file.") }
        isWhole = true
        publish(0)
    }

    // MARK: End

    private func publish(_ index: Int) {
        guard index < files.count else { return complete() }
        let (file, name) = files[index]
        file.finish(as: name) { [self] result in
            guard !isOver else { return }
            switch result {
            case .success(let name):
                let receipt = StoredObject(name: name, bytes: file.received)
                receipts.append(receipt)
                service.notePlain(file.identifier, exchange.head.target, receipt)
                let facts = CompletionHook.Facts(plain: file.identifier, exchange.head)
                service.tell(receipt, facts) { [self] isDone in
                    hasFailed = hasFailed || !isDone
                    publish(index + 1)
                }
            case .failure(let error): refuse(UploadDriver.refusal(error))
            }
        }
    }

    private func complete() {
        guard !isOver else { return }
        isOver = true
        guard !hasFailed else { return exchange.answer(UploadService.hookFailed) }
        let object: JSONObject = ["files": .array(receipts.map(\.json))]
        var fields: HeaderFields = ["Content-Type": "application/json"]
        if receipts.count == 1 { fields["Location"] = receipts[0].path }
        exchange.answer(
            ResponseHead(201, fields: fields),
            .text("\(JSONValue.object(object).text)\n")
        )
    }

    func bodyLost(through pipe: BodyPipe) {
        if !isWhole { lose() }
    }

    private func lose() {
        guard !isOver else { return }
        isOver = true
        for (file, _) in files.dropFirst(receipts.count) { file.abandon() }
    }

    private func refuse(_ answer: UploadAnswer) {
        guard !isOver else { return }
        lose()
        pipe?.discard()
        exchange.answer(answer)
    }

    private func refuse(_ status: Int, _ text: String) {
        guard !isOver else { return }
        lose()
        pipe?.discard()
        exchange.refuse(status, text)
    }
}
