package import Basics
internal import DNSWire

/// What became of one query.
package struct QueryReport: Hashable, Sendable {
    /// Whose answer it was.
    package enum Source: String, Hashable, Sendable {
        /// The addresses that a name was given.
        case name
        /// The server that queries are passed on to.
        case upstream
        /// A fault.
        case fault
        /// Nobody's: the name has no address here, and queries are not passed on.
        case none
    }

    package var transport: QueryTransport
    /// In small letters; empty for what is no query.
    package var name: String
    package var type: String
    /// Among the queries for this name and type, from 1; nil for what is no proper query.
    ///
    /// One that repeats a truncated one over TCP has the number of that.
    package var ordinal: UInt32?
    package var source: Source
    /// The response code with addresses, or what was done instead.
    package var answer: String
    /// The faults that acted, as text.
    package var faults: [String] = []
}

package enum QueryTransport: String, Hashable, Sendable {
    case udp, tcp
}

/// What to send for a query, and when.
package struct QueryReply: Hashable, Sendable {
    package enum Delivery: Hashable, Sendable {
        case bytes([UInt8])
        /// Nothing.
        case silence
        /// Nothing, and the connection ends.
        case fin
        /// Nothing, and the connection is reset.
        case rst
    }

    package var delivery: Delivery
    package var delay: Duration = .zero
    package var report: QueryReport
}

/// What to do with bytes that came.
package enum QueryStep: Hashable, Sendable {
    /// Nothing: they are no query, and an answer might be taken for one.
    case ignore
    case reply(QueryReply)
    /// Pass them on, and let the resolver finish with what comes.
    case forward(WaitingQuery)
}

/// A query that another server is asked.
package struct WaitingQuery: Hashable, Sendable {
    /// As it came.
    package let bytes: [UInt8]
    package let transport: QueryTransport
    let message: DNSMessage
    let question: DNSMessage.Question
    let ordinal: UInt32
    /// Places of the faults that are to change the answer.
    let faults: [Int]

    /// Looks whether bytes are the answer to it.
    ///
    /// - Parameters:
    ///   - bytes: that came from the server.
    ///   - id: that it was passed on with.
    /// - Returns: whether they are a response with this id and the same question.
    package func isAnswered(by bytes: [UInt8], id: UInt16) -> Bool {
        guard let response = try? DNSMessage(parsing: bytes) else { return false }
        return response.flags.isResponse && response.id == id
            && response.questions == message.questions
    }
}
