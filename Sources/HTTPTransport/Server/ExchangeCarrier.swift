internal import HTTPWire

/// What carries one exchange to the client: a connection of HTTP/1.1, or a stream of HTTP/2.
protocol ExchangeCarrier: AnyObject {
    var isSecure: Bool { get }

    /// Goes on with what a handler has asked for.
    func wake()

    /// Puts an interim response on the way; false if too many wait.
    func sendInterim(_ response: ResponseHead) throws(MessageWriteError) -> Bool

    /// Puts the final response of `exchange` on the way.
    func respond(
        _ response: ResponseHead,
        _ body: MessageBody,
        to exchange: ServerExchange
    ) throws(MessageWriteError)

    /// Answers 101, after which bytes in no framing go both ways.
    func upgrade(
        _ response: ResponseHead,
        sending output: @escaping BodyGenerator,
        of exchange: ServerExchange
    ) throws(MessageWriteError)

    /// Ends the exchange, and the connection where that carries no other.
    func abort(_ reason: AbortReason)
}

extension MessageWriter {
    /// Whether a head can be written at all.
    static func check(_ head: ResponseHead) throws(MessageWriteError) {
        _ = try bytes(of: head)
    }
}
