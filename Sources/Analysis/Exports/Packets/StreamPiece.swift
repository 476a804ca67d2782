internal import Basics
internal import Journal

/// A part of what one side of a connection sent: a head, content, or what has no place.
struct StreamPiece {
    enum Part: Hashable { case head, body, rest }

    let side: MessageSide
    let part: Part
    /// The exchange's ordinal; 0 for bytes of none.
    let ordinal: UInt32
    var bytes: UInt64
    let began: Instant
    let ended: Instant
    /// What it is, for people.
    let label: String

    /// What an exchange sent, in the order of its sides.
    static func pieces(of exchange: Exchange) -> [StreamPiece] {
        let name = "\(exchange.id.connection.harName)/r\(exchange.id.ordinal)"
        let request = exchange.request.value
        var pieces = [
            StreamPiece(
                side: .request,
                part: .head,
                ordinal: exchange.id.ordinal,
                bytes: request.headBytes.bounded,
                began: exchange.beganAt,
                ended: exchange.beganAt,
                label: "\(name): \(request.method) \(request.target)"
            )
        ]
        if let body = exchange.requestBody {
            pieces.append(content(body, of: .request, exchange, after: exchange.beganAt, name))
        }
        for answer in exchange.answers {
            pieces.append(
                StreamPiece(
                    side: .response,
                    part: .head,
                    ordinal: exchange.id.ordinal,
                    bytes: answer.value.headBytes.bounded,
                    began: answer.at,
                    ended: answer.at,
                    label: "\(name): \(answer.value.status)"
                        + (answer.value.isByFault ? ", by a fault" : "")
                )
            )
        }
        if let body = exchange.responseBody {
            let head = exchange.response?.at ?? exchange.beganAt
            pieces.append(content(body, of: .response, exchange, after: head, name))
        }
        return pieces
    }

    private static func content(
        _ body: Timed<Exchange.Content>,
        of side: MessageSide,
        _ exchange: Exchange,
        after head: Instant,
        _ name: String
    ) -> StreamPiece {
        let report = body.value
        let ended = max(head, body.at)
        return StreamPiece(
            side: side,
            part: .body,
            ordinal: exchange.id.ordinal,
            bytes: report.bytes.bounded,
            began: min(ended, max(head, report.firstByteAt ?? ended)),
            ended: ended,
            label: "\(name): content of the "
                + (side == .request ? "request" : "response")
                + ", \(report.bytes) bytes\(report.isComplete ? "" : ", cut off")"
        )
    }
}

extension StreamPiece {
    /// Bytes of one side that no message explains; they have the time of the connection's end.
    static func rest(
        _ side: MessageSide,
        _ bytes: UInt64,
        _ end: Timed<ConnectionEnd>,
        _ connection: ConnectionTrace
    ) -> StreamPiece {
        let why = connection.opaque.map { ": \($0.value.reason)" } ?? ", such as framing"
        return StreamPiece(
            side: side,
            part: .rest,
            ordinal: 0,
            bytes: bytes,
            began: connection.opaque.map { min($0.at, end.at) }
                ?? end.at,
            ended: end.at,
            label: "\(connection.id.harName): \(bytes) bytes of no known message\(why)"
        )
    }
}
