package import HTTPWire

/// What a request's head says about the size of its content.
package enum BodyLength: Hashable, Sendable {
    /// Bytes; 0 without content.
    case known(UInt64)
    /// Chunked, or in frames: as long as it turns out to be.
    case unknown

    /// Of a head that the parser has let through.
    package init(_ head: RequestHead) {
        switch try? head.framing() {
        case .length(let bytes): self = .known(UInt64(bytes))
        case .chunked: self = .unknown
        case .none? where head.version == .http2 && !head.endsStream: self = .unknown
        case .none?, .untilClose, nil: self = .known(0)
        }
    }

    var bytes: UInt64? {
        guard case .known(let bytes) = self else { return nil }
        return bytes
    }

    /// Whether it is certain that there is no content.
    var isEmpty: Bool { self == .known(0) }
}
