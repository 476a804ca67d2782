/// What a reader of multipart content found.
package enum MultipartEvent: Hashable, Sendable {
    /// The fields of a part.
    case part(HeaderFields)
    /// Content bytes of the part, by their place in the bytes that were given.
    case content(Range<Int>)
    /// Content bytes of the part that earlier calls used and that looked like the beginning of a
    /// boundary, with those of this call that did so too.
    case heldContent([UInt8])
    case partEnd
    /// The last boundary; whatever follows is passed over.
    case end
}

/// One step of a reader: how many of the given bytes it used, and what they completed.
package struct MultipartStep: Hashable, Sendable {
    package var consumed: Int
    /// nil if all bytes were used and more are needed.
    package var event: MultipartEvent?

    package init(consumed: Int, event: MultipartEvent?) {
        self.consumed = consumed
        self.event = event
    }
}

/// Takes multipart content apart as it comes (RFC 2046 §5.1.1), as a form with files is sent
/// (RFC 7578).
///
/// Call `next` with the bytes as they come, and again with the rest until the event is nil. How the
/// bytes are cut changes nothing but how the content of a part is cut. After an error every call throws
/// the same error. What a boundary is not followed by, a line end or two hyphens, is an error, so that
/// no two readers see different parts.
package struct MultipartReader: Sendable {
    private enum State {
        case preamble
        case boundaryEnd(BoundaryEnd)
        case head(FieldBlock)
        case content
        /// A boundary was found behind content.
        case partEnd
        case epilogue
        case failed(MessageError)
    }

    private enum BoundaryEnd { case start, hyphen, padding, newline }

    /// CR LF, two hyphens and the boundary.
    private let delimiter: [UInt8]
    private let limits: MessageLimits
    private let maximumParts: Int
    private var parts = 0
    private var state = State.preamble
    /// Bytes of the delimiter that the last bytes were.
    private var matched = 2
    /// How many of them earlier calls were given.
    private var held = 2

    /// - Parameters:
    ///   - boundary: 1 to 70 characters, not ending in a space (RFC 2046 §5.1.1); nil otherwise.
    ///   - limits: for the fields of each part.
    ///   - maximumParts: more are an error.
    package init?(
        boundary: String,
        limits: MessageLimits = MessageLimits(),
        maximumParts: Int = 1_000
    ) {
        let bytes = Array(boundary.utf8)
        guard (1...70).contains(bytes.count), bytes.allSatisfy(\.isBoundaryCharacter),
            bytes.last != 0x20
        else {
            return nil
        }
        delimiter = Array("\r\n--".utf8) + bytes
        self.limits = limits
        self.maximumParts = maximumParts
    }

    /// Reads until something is complete or all bytes are used.
    ///
    /// - Parameter bytes: those behind the ones that were consumed.
    /// - Returns: how many bytes were consumed, and what is complete; ranges count from the first of
    ///   the given bytes.
    /// - Throws: `MessageError` for what is no multipart content or exceeds a limit.
    package mutating func next(_ bytes: Span<UInt8>) throws(MessageError) -> MultipartStep {
        do throws(MessageError) {
            var index = 0
            let event = try read(bytes, &index)
            return MultipartStep(consumed: index, event: event)
        } catch {
            state = .failed(error)
            throw error
        }
    }

    /// Says that the content is over.
    ///
    /// - Throws: `MessageError.incomplete` if the last boundary is missing.
    package mutating func finish() throws(MessageError) {
        switch state {
        case .epilogue: return
        case .failed(let error): throw error
        default:
            state = .failed(.incomplete)
            throw .incomplete
        }
    }

    private mutating func read(
        _ bytes: Span<UInt8>,
        _ index: inout Int
    ) throws(MessageError) -> MultipartEvent? {
        while true {
            switch state {
            case .failed(let error): throw error
            case .epilogue:
                index = bytes.count
                return nil
            case .partEnd:
                state = .boundaryEnd(.start)
                return .partEnd
            case .preamble:
                guard skipPreamble(bytes, &index) else { return nil }
            case .content: return readContent(bytes, &index)
            case .boundaryEnd(let end):
                guard index < bytes.count else { return nil }
                if try readBoundaryEnd(end, bytes[index]) {
                    index += 1
                    return .end
                }
                index += 1
            case .head(var block):
                state = .preamble
                let isComplete = try block.read(bytes, from: &index)
                state = .head(block)
                guard isComplete else { return nil }
                (state, matched, held) = (.content, 0, 0)
                return .part(block.fields)
            }
        }
    }

    /// Moves past the first boundary; says whether it was found.
    private mutating func skipPreamble(_ bytes: Span<UInt8>, _ index: inout Int) -> Bool {
        while index < bytes.count {
            match(bytes[index])
            index += 1
            if matched == delimiter.count {
                state = .boundaryEnd(.start)
                return true
            }
        }
        return false
    }

    private mutating func readContent(
        _ bytes: Span<UInt8>,
        _ index: inout Int
    ) -> MultipartEvent? {
        let start = index
        while index < bytes.count {
            let byte = bytes[index]
            if held > 0, byte != delimiter[matched] {
                defer { (matched, held) = (0, 0) }
                return .heldContent(Array(delimiter[..<matched]))
            }
            match(byte)
            index += 1
            if matched == delimiter.count {
                let end = index - (matched - held)
                state = .partEnd
                guard start < end else {
                    state = .boundaryEnd(.start)
                    return .partEnd
                }
                return .content(start..<end)
            }
        }
        let end = index - (matched - held)
        held = matched
        return start < end ? .content(start..<end) : nil
    }

    /// Only the first byte of the delimiter is a CR, so a mismatch begins anew.
    private mutating func match(_ byte: UInt8) {
        if byte == delimiter[matched] {
            matched += 1
        } else {
            matched = byte == delimiter[0] ? 1 : 0
        }
    }

    /// Takes the byte behind a boundary; says whether that was the last boundary.
    private mutating func readBoundaryEnd(
        _ end: BoundaryEnd,
        _ byte: UInt8
    ) throws(MessageError) -> Bool {
        switch (end, byte) {
        case (.start, UInt8(ascii: "-")): state = .boundaryEnd(.hyphen)
        case (.hyphen, UInt8(ascii: "-")):
            state = .epilogue
            return true
        case (.start, _) where byte.isBlank, (.padding, _) where byte.isBlank:
            state = .boundaryEnd(.padding)
        case (.start, UInt8(ascii: "\r")), (.padding, UInt8(ascii: "\r")):
            state = .boundaryEnd(.newline)
        case (.newline, UInt8(ascii: "\n")):
            parts += 1
            guard parts <= maximumParts else { throw .malformed("too many parts") }
            state = .head(FieldBlock(size: 0, limits: limits))
        default: throw .malformed("a boundary is not followed by a line end or two hyphens")
        }
        return false
    }
}

extension UInt8 {
    /// RFC 2046 §5.1.1.
    fileprivate var isBoundaryCharacter: Bool {
        switch self {
        case UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "+"),
            UInt8(ascii: "_"), UInt8(ascii: ","), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: "?"), 0x20:
            true
        default: isAlpha || isDigit
        }
    }
}
