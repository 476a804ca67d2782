internal import CZstandard

/// Compresses bytes to frames of Zstandard, each of which can be read without the others.
@safe
package final class ZstandardCompressor {
    /// How far the bytes that were given so far shall be readable in what comes out.
    package enum Reach: Hashable, Sendable {
        /// As it suits: some bytes are held back, so that they compress better.
        case any
        /// All of them; the frame continues.
        case block
        /// All of them, and the frame ends with a checksum; the next byte begins a new one.
        case frame
    }

    private let context: OpaquePointer
    private var room = [UInt8](repeating: 0, count: ZSTD_CStreamOutSize())

    /// - Parameters:
    ///   - level: from 1, fast, to 19, small.
    ///   - windowBits: how far back equal bytes are looked for, which is also the memory that takes.
    package init(level: Int32, windowBits: Int32) {
        guard let context = unsafe ZSTD_createCCtx() else {
            preconditionFailure("no memory for a compressor")
        }
        unsafe self.context = context
        let settings = [
            (ZSTD_c_compressionLevel, level), (ZSTD_c_windowLog, windowBits),
            (ZSTD_c_checksumFlag, 1),
        ]
        for (name, value) in settings {
            let result = unsafe ZSTD_CCtx_setParameter(context, name, value)
            precondition(ZSTD_isError(result) == 0, "a compressor refuses its settings")
        }
    }

    deinit { unsafe ZSTD_freeCCtx(context) }

    /// Takes bytes into the open frame, or into a new one.
    ///
    /// - Parameters:
    ///   - bytes: may be empty, to end what is open.
    ///   - reach: how much of all that was given comes out.
    /// - Returns: the next bytes of the compressed form, often none.
    package func compress(_ bytes: [UInt8], reach: Reach) -> [UInt8] {
        var output: [UInt8] = []
        unsafe bytes.withUnsafeBytes { source in
            var input = unsafe ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: 0)
            var rest = 0
            repeat {
                rest = unsafe step(&input, reach.directive, &output)
            } while unsafe reach == .any ? input.pos < input.size : rest > 0
        }
        return output
    }

    /// - Returns: 0 once the directive has been carried out.
    private func step(
        _ input: inout ZSTD_inBuffer,
        _ directive: ZSTD_EndDirective,
        _ output: inout [UInt8]
    ) -> Int {
        let (rest, count) = unsafe room.withUnsafeMutableBytes { memory in
            var part = unsafe ZSTD_outBuffer(dst: memory.baseAddress, size: memory.count, pos: 0)
            let rest = unsafe ZSTD_compressStream2(context, &part, &input, directive)
            return unsafe (rest, part.pos)
        }
        // Nothing else can fail here.
        precondition(ZSTD_isError(rest) == 0, "no memory for a compressor")
        output += room[..<count]
        return rest
    }
}

extension ZstandardCompressor.Reach {
    fileprivate var directive: ZSTD_EndDirective {
        switch self {
        case .any: ZSTD_e_continue
        case .block: ZSTD_e_flush
        case .frame: ZSTD_e_end
        }
    }
}
