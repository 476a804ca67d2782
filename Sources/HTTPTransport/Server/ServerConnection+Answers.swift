internal import Basics
internal import HTTPWire
internal import SystemIO

// What an exchange sends.
extension ServerConnection {
    /// Puts an interim response on the way; false if too many wait.
    func sendInterim(_ response: ResponseHead) throws(MessageWriteError) -> Bool {
        let bytes = try MessageWriter.bytes(of: response)
        guard sender.pendingBytes + bytes.count <= server.limits.waitingInterimBytes else {
            return false
        }
        sender.append(bytes)
        wake()
        return true
    }

    func respond(
        _ response: ResponseHead,
        _ body: MessageBody,
        to exchange: ServerExchange
    ) throws(MessageWriteError) {
        if !exchange.isRequestComplete { exchange.isRequestComplete = discardContent() }
        let isComplete = exchange.isRequestComplete
        var plan = ResponsePlan(
            response,
            body,
            to: exchange.head,
            keepsConnection: keepsConnection && isComplete && !server.isFinishing
        )
        server.addDate(to: &plan.head.fields)
        sender.append(try MessageWriter.bytes(of: plan.head))
        keepsConnection = plan.keepsConnection
        send(plan.body, chunked: plan.isChunked, answering: exchange, with: response.status)
    }

    func upgrade(
        _ response: ResponseHead,
        sending output: @escaping BodyGenerator,
        of exchange: ServerExchange
    ) throws(MessageWriteError) {
        sender.append(try MessageWriter.bytes(of: response))
        keepsConnection = false
        exchange.isUpgraded = true
        let body = MessageBody.generated(length: nil, output)
        send(body, chunked: false, answering: exchange, with: response.status)
        if server.isFinishing { finishUpgraded() }
    }

    private func send(
        _ body: MessageBody,
        chunked: Bool,
        answering exchange: ServerExchange,
        with status: Int
    ) {
        exchange.pull = nil
        exchange.hasResponded = true
        exchange.report.status = status
        exchange.report.respondedAt = server.loop.now
        sender.append(body, chunked: chunked)
        limit?.clear()
        wake()
    }

    /// Tells an exchange that has left HTTP that the server takes no more requests.
    func finishUpgraded() {
        guard let exchange, exchange.isUpgraded else { return }
        exchange.onFinish?()
    }
}
