internal import CZstandard

/// Why compressed bytes cannot be read, and where.
package struct ZstandardError: Error, Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// What stands there is no frame of Zstandard, or has changed since it was written.
        case damaged
        /// The frame can be read only with more memory than it is given.
        case windowTooLarge
    }

    package let kind: Kind
    /// Where the frame begins that cannot be read, in bytes of the compressed form.
    package let frameOffset: UInt64
    /// What the library says of it, in a few words.
    package let words: String
}

/// Reads frames of Zstandard piece by piece, in whatever pieces they come.
///
/// Memory depends neither on the length of what is read nor on what it claims.
@safe
package final class ZstandardDecompressor {
    /// The largest window of a frame; the tool `zstd` needs more only if it is told to.
    package static let windowLimit = 1 << windowBits
    private static let windowBits: Int32 = 23

    private let context: OpaquePointer
    private var room = [UInt8](repeating: 0, count: ZSTD_DStreamOutSize())
    private var isInFrame = false
    /// The first bytes of a frame, until they tell that it is one.
    private var magic: [UInt8] = []
    private var offset: UInt64 = 0
    private var frameOffset: UInt64 = 0

    package init() {
        guard let context = unsafe ZSTD_createDCtx() else {
            preconditionFailure("no memory for a decompressor")
        }
        unsafe self.context = context
        let result = unsafe ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, Self.windowBits)
        precondition(ZSTD_isError(result) == 0, "a decompressor refuses its window")
    }

    deinit { unsafe ZSTD_freeDCtx(context) }

    /// Bytes of a frame whose end has not come; not 0 at the end of a file means that it was cut.
    package var unfinishedBytes: UInt64 { isInFrame || !magic.isEmpty ? offset - frameOffset : 0 }

    /// Whether four bytes begin a frame, of content or of what readers skip.
    static func isMagic(_ bytes: some Sequence<UInt8>) -> Bool {
        let number = bytes.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return number == UInt32(ZSTD_MAGICNUMBER)
            || number & UInt32(ZSTD_MAGIC_SKIPPABLE_MASK) == UInt32(ZSTD_MAGIC_SKIPPABLE_START)
    }

    static let magicLength = 4

    /// Reads the next bytes.
    ///
    /// - Parameters:
    ///   - bytes: of the compressed form.
    ///   - give: gets what they contain, in pieces; says whether it wants more.
    /// - Returns: what `give` said last; true if there was nothing for it.
    /// - Throws: what is wrong with them; nothing after it can be read.
    package func take(
        _ bytes: ArraySlice<UInt8>,
        _ give: (ArraySlice<UInt8>) -> Bool
    ) throws(ZstandardError) -> Bool {
        var rest = bytes
        while true {
            guard isInFrame else {
                if rest.isEmpty { return true }
                try begin(&rest)
                continue
            }
            let count = try step(&rest)
            if count > 0, !give(room[..<count]) { return false }
            if rest.isEmpty, count < room.count { return true }
        }
    }

    /// Looks at the first bytes of a frame.
    ///
    /// Older forms, which the library may still read, keep to no limit of memory.
    private func begin(_ rest: inout ArraySlice<UInt8>) throws(ZstandardError) {
        if magic.isEmpty { frameOffset = offset }
        let part = rest.prefix(Self.magicLength - magic.count)
        magic += part
        offset += UInt64(part.count)
        rest = rest.dropFirst(part.count)
        guard magic.count == Self.magicLength else { return }
        guard Self.isMagic(magic) else { throw error(.damaged, "no frame begins there") }
        isInFrame = true
        var beginning = magic[...]
        magic = []
        offset -= UInt64(beginning.count)
        while !beginning.isEmpty { _ = try step(&beginning) }
    }

    /// - Returns: how many bytes of `room` are content.
    private func step(_ rest: inout ArraySlice<UInt8>) throws(ZstandardError) -> Int {
        let (hint, taken, given) = unsafe rest.withUnsafeBytes { source in
            unsafe room.withUnsafeMutableBytes { memory in
                var input = unsafe ZSTD_inBuffer(
                    src: source.baseAddress,
                    size: source.count,
                    pos: 0
                )
                var part = unsafe ZSTD_outBuffer(
                    dst: memory.baseAddress,
                    size: memory.count,
                    pos: 0
                )
                let hint = unsafe ZSTD_decompressStream(context, &part, &input)
                return unsafe (hint, input.pos, part.pos)
            }
        }
        offset += UInt64(taken)
        if ZSTD_isError(hint) != 0 {
            let isTooLarge = ZSTD_getErrorCode(hint) == ZSTD_error_frameParameter_windowTooLarge
            let words = unsafe String(cString: ZSTD_getErrorName(hint))
            throw error(isTooLarge ? .windowTooLarge : .damaged, words.lowercased())
        }
        rest = rest.dropFirst(taken)
        isInFrame = hint != 0
        return given
    }

    private func error(_ kind: ZstandardError.Kind, _ words: String) -> ZstandardError {
        ZstandardError(kind: kind, frameOffset: frameOffset, words: words)
    }
}
