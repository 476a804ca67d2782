/// Why a fault did not act.
package enum UnreachedReason: Hashable, Sendable, CustomStringConvertible {
    /// The connection was refused by this fault.
    case refused(by: String)
    /// The stream came to its own end after so many bytes.
    case streamEnded(at: UInt64)
    /// The message or its part came to its own end after so many bytes.
    case messageEnded(at: UInt64)
    /// The place is counted from the end, and no length was declared.
    case lengthUnknown
    /// The content has a declared length, which would tell.
    case lengthDeclared
    /// The traffic could not be followed as messages.
    case notFollowed
    /// It acts on streams of HTTP/2 alone.
    case notHTTP2
    /// The client was not sent what it was to have seen.
    case notSeen
    /// The message is longer than what is kept of one.
    case tooLong
    /// No request had this address.
    case noRequest
    /// This fault ended the stream or the connection before.
    case after(String)
    /// The connection ended otherwise; how far the stream came depends on timing.
    case connectionEnded
    /// The flow of datagrams ended before.
    case flowEnded
    /// No flow had this ordinal, or chance chose none.
    case noFlow
    /// Its place was passed when it was added.
    case addedLate
    /// No connection had this ordinal, or chance chose none.
    case noConnection
    /// The client had no file of such a name.
    case noFile
    /// The client spoke without TLS, or its TLS was not opened.
    case notSealed
    /// The client had no ticket to be refused.
    case noTicket
    /// The client sent no early data, or it would have been rejected anyhow.
    case noEarlyData
    /// No lookup was for such a name and type.
    case noQuery
    /// There were lookups for it, but not so many, or chance chose none.
    case otherQueries
    /// The traffic was no WebSocket, or had no server-sent events.
    case noMessages
    /// The stream ended after fewer messages.
    case messagesEnded(after: UInt32)
    /// The message is compressed, and later ones could not be read without it.
    case compressed
    /// The answer to the lookup had nothing for it to change.
    case nothingToChange

    /// The words of the journal; the same in every run that ends the same way.
    package var description: String {
        switch self {
        case .refused(let id): "refused by \(id)"
        case .streamEnded(let position): "stream ended at \(position)"
        case .messageEnded(let length): "message ended at \(length)"
        case .lengthUnknown: "length unknown"
        case .lengthDeclared: "length declared"
        case .notFollowed: "traffic not understood"
        case .notHTTP2: "not HTTP/2"
        case .notSeen: "answer not seen"
        case .tooLong: "message too long"
        case .noRequest: "no request"
        case .after(let id): "after \(id)"
        case .connectionEnded: "connection ended"
        case .flowEnded: "flow ended"
        case .noFlow: "no flow"
        case .addedLate: "added late"
        case .noConnection: "no connection"
        case .noFile: "no such file"
        case .notSealed: "no TLS opened"
        case .noTicket: "no ticket shown"
        case .noEarlyData: "no early data"
        case .noQuery: "no query"
        case .otherQueries: "not this query's turn"
        case .noMessages: "no such messages"
        case .messagesEnded(let count): "messages ended after \(count)"
        case .compressed: "message compressed"
        case .nothingToChange: "nothing to change in the answer"
        }
    }
}
