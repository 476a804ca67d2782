/// How a gRPC call ended, as its trailers say (gRPC over HTTP/2, Trailers).
package struct CallStatus: Hashable, Sendable {
    /// The code; 0 for success.
    package let code: UInt32
    /// How many milliseconds the client is to wait before another attempt; negative for no attempt, nil
    /// if nothing was said (gRFC A6).
    package let pushbackMilliseconds: Int64?

    /// Reads trailers, or the head of an answer that has nothing else; nil without a status.
    package init?(_ fields: HeaderFields) {
        guard let code = fields["grpc-status"].flatMap({ UInt32($0) }) else { return nil }
        self.code = code
        pushbackMilliseconds = fields["grpc-retry-pushback-ms"].map { Int64($0) ?? -1 }
    }
}
