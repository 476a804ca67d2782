/// The bytes of a file that may be compressed with Zstandard, which its first bytes tell.
package struct CompressibleInput {
    private enum Form {
        /// Too few bytes to tell.
        case unknown([UInt8])
        case plain
        case compressed(ZstandardDecompressor)
    }

    private var form: Form = .unknown([])

    package init() {}

    /// Whether these first bytes of a file say that it is compressed.
    package static func isCompressed(_ beginning: some Collection<UInt8>) -> Bool {
        beginning.count >= ZstandardDecompressor.magicLength
            && ZstandardDecompressor.isMagic(beginning.prefix(ZstandardDecompressor.magicLength))
    }

    /// Bytes of a compressed frame whose end has not come.
    ///
    /// Not 0 at the end of the file means that it was cut.
    package var unfinishedBytes: UInt64 {
        if case .compressed(let decompressor) = form { decompressor.unfinishedBytes } else { 0 }
    }

    /// Reads the next bytes of the file.
    ///
    /// - Parameters:
    ///   - bytes: as they stand in the file.
    ///   - give: gets the content, in pieces; says whether it wants more.
    /// - Returns: what `give` said last; true if there was nothing for it.
    /// - Throws: what is wrong with compressed bytes.
    package mutating func take(
        _ bytes: ArraySlice<UInt8>,
        _ give: (ArraySlice<UInt8>) -> Bool
    ) throws(ZstandardError) -> Bool {
        switch form {
        case .plain: return give(bytes)
        case .compressed(let decompressor): return try decompressor.take(bytes, give)
        case .unknown(let before):
            let known = before + bytes
            guard known.count >= ZstandardDecompressor.magicLength else {
                form = .unknown(known)
                return true
            }
            form = Self.isCompressed(known) ? .compressed(ZstandardDecompressor()) : .plain
            return try take(known[...], give)
        }
    }

    /// Gives what waited for more bytes, at the end of the file.
    package mutating func finish(_ give: (ArraySlice<UInt8>) -> Bool) {
        guard case .unknown(let bytes) = form else { return }
        form = .plain
        if !bytes.isEmpty { _ = give(bytes[...]) }
    }
}
