internal import CNghttp2
internal import HTTPWire

/// A field as a field block has it, pseudo-header fields among them.
package struct BlockField: Hashable, Sendable {
    package var name: String
    package var value: String
    /// Whether it must not be put into a table (RFC 7541 §6.2.3).
    package var isSensitive: Bool

    package init(_ name: String, _ value: String, isSensitive: Bool = false) {
        self.name = name
        self.value = value
        self.isSensitive = isSensitive
    }
}

/// The field blocks of one direction cannot be understood any more.
package struct FieldCompressionError: Error, Hashable, Sendable {
    package let words: String
}

/// Reads the field blocks of one direction, in their order (HPACK, RFC 7541), with libnghttp2.
@safe
package final class FieldDecoder {
    /// What the fields of one block may have, unpacked: a few bytes can stand for many.
    private static let maximumFields = 1_048_576

    private let inflater: OpaquePointer
    private var limit: Int = 4_096

    package init() {
        var inflater: OpaquePointer?
        let code = unsafe nghttp2_hd_inflate_new(&inflater)
        guard code == 0, let inflater = unsafe inflater else { preconditionFailure("no memory") }
        unsafe self.inflater = inflater
    }

    deinit { unsafe nghttp2_hd_inflate_del(inflater) }

    /// Lets the table grow to what the receiver of the blocks allows.
    ///
    /// That it becomes smaller is the sender's to say, in its next block.
    package func allow(table size: UInt32) {
        guard Int(size) > limit else { return }
        limit = Int(size)
        unsafe nghttp2_hd_inflate_change_table_size(inflater, limit)
    }

    /// - Throws: for a block that is none; the direction cannot be followed from here on.
    package func decode(_ block: [UInt8]) throws(FieldCompressionError) -> [BlockField] {
        var fields: [BlockField] = []
        var failure: String?
        var size = 0
        unsafe block.withUnsafeBufferPointer { bytes in
            var offset = 0
            while true {
                var field = unsafe nghttp2_nv()
                var flags: Int32 = 0
                let next = unsafe bytes.baseAddress.map { unsafe $0 + offset }
                let used = unsafe nghttp2_hd_inflate_hd2(
                    inflater,
                    &field,
                    &flags,
                    next,
                    bytes.count - offset,
                    1
                )
                guard used >= 0 else {
                    failure = "a field block that HPACK does not allow"
                    return
                }
                offset += used
                if flags & Int32(NGHTTP2_HD_INFLATE_EMIT.rawValue) != 0 {
                    size += unsafe field.namelen + field.valuelen + 32
                    guard size <= Self.maximumFields else {
                        failure = "fields of more than \(Self.maximumFields) bytes"
                        return
                    }
                    unsafe fields.append(Self.field(field))
                }
                if flags & Int32(NGHTTP2_HD_INFLATE_FINAL.rawValue) != 0 { break }
                if flags & Int32(NGHTTP2_HD_INFLATE_EMIT.rawValue) == 0, offset == bytes.count {
                    break
                }
            }
            unsafe nghttp2_hd_inflate_end_headers(inflater)
        }
        if let failure { throw FieldCompressionError(words: failure) }
        return fields
    }

    static func field(_ field: nghttp2_nv) -> BlockField {
        let name = unsafe UnsafeBufferPointer(start: field.name, count: field.namelen)
        let value = unsafe UnsafeBufferPointer(start: field.value, count: field.valuelen)
        return unsafe BlockField(
            String(scalars: name.span),
            String(scalars: value.span),
            isSensitive: field.flags & UInt8(NGHTTP2_NV_FLAG_NO_INDEX.rawValue) != 0
        )
    }
}

/// Writes the field blocks of one direction, in their order (HPACK, RFC 7541), with libnghttp2.
@safe
package final class FieldEncoder {
    private static let defaultTable = 4_096

    private let deflater: OpaquePointer

    /// An encoder for a receiver whose table may hold something already: its first block empties it.
    package init() {
        var deflater: OpaquePointer?
        let code = unsafe nghttp2_hd_deflate_new(&deflater, Self.defaultTable)
        guard code == 0, let deflater = unsafe deflater else { preconditionFailure("no memory") }
        unsafe self.deflater = deflater
        unsafe nghttp2_hd_deflate_change_table_size(deflater, 0)
        unsafe nghttp2_hd_deflate_change_table_size(deflater, Self.defaultTable)
    }

    deinit { unsafe nghttp2_hd_deflate_del(deflater) }

    /// Uses no more of the receiver's table than it allows.
    package func allow(table size: UInt32) {
        unsafe nghttp2_hd_deflate_change_table_size(deflater, min(Int(size), Self.defaultTable))
    }

    package func encode(_ fields: [BlockField]) -> [UInt8] {
        var texts: [UInt8] = []
        for field in fields { texts += field.name.scalarBytes + field.value.scalarBytes }
        return unsafe texts.withUnsafeMutableBufferPointer { bytes in
            var pairs = unsafe Self.pairs(fields, bytes)
            let bound = unsafe nghttp2_hd_deflate_bound(deflater, pairs, pairs.count)
            return unsafe [UInt8](unsafeUninitializedCapacity: bound) { block, count in
                let size = unsafe nghttp2_hd_deflate_hd(
                    deflater,
                    block.baseAddress,
                    bound,
                    &pairs,
                    pairs.count
                )
                precondition(size >= 0, "a block of \(bound) bytes has room for its fields")
                count = size
            }
        }
    }

    /// What libnghttp2 takes for `fields`, whose names and values are in `bytes`, one after the other.
    static func pairs(
        _ fields: [BlockField],
        _ bytes: UnsafeMutableBufferPointer<UInt8>
    ) -> [nghttp2_nv] {
        var offset = 0
        return unsafe fields.map { field in
            let sizes = (field.name.unicodeScalars.count, field.value.unicodeScalars.count)
            let start = unsafe bytes.baseAddress.map { unsafe $0 + offset }
            offset += sizes.0 + sizes.1
            let flag = field.isSensitive ? NGHTTP2_NV_FLAG_NO_INDEX : NGHTTP2_NV_FLAG_NONE
            return unsafe nghttp2_nv(
                name: start,
                value: start.map { unsafe $0 + sizes.0 },
                namelen: sizes.0,
                valuelen: sizes.1,
                flags: UInt8(flag.rawValue)
            )
        }
    }
}
