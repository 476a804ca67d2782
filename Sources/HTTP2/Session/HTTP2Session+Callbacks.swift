internal import CNghttp2

// What libnghttp2 calls: each callback hands over to the session that owns the connection.

extension HTTP2Session {
    private static func owner(_ data: UnsafeMutableRawPointer?) -> HTTP2Session? {
        unsafe data.map { unsafe Unmanaged<HTTP2Session>.fromOpaque($0).takeUnretainedValue() }
    }

    static func set(_ callbacks: OpaquePointer?) {
        unsafe nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks) {
            _,
            frame,
            data in
            if let frame = unsafe frame {
                unsafe HTTP2Session.owner(data)?.beginBlock(frame.pointee.hd.stream_id)
            }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks) {
            _,
            frame,
            _,
            data in
            // It is no use to wait for the rest of a block that is not allowed.
            if let frame = unsafe frame {
                unsafe HTTP2Session.owner(data)?.endBlock(frame.pointee.hd.stream_id)
            }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            _,
            _,
            name,
            nameCount,
            value,
            valueCount,
            _,
            data in
            let field = unsafe FieldDecoder.field(
                nghttp2_nv(
                    name: UnsafeMutablePointer(mutating: name),
                    value: UnsafeMutablePointer(mutating: value),
                    namelen: nameCount,
                    valuelen: valueCount,
                    flags: 0
                )
            )
            unsafe HTTP2Session.owner(data)?.take(field)
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, data in
            if let frame = unsafe frame { unsafe HTTP2Session.owner(data)?.take(frame.pointee) }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) {
            _,
            _,
            stream,
            bytes,
            count,
            data in
            unsafe HTTP2Session.owner(data)?.take(
                Array(UnsafeBufferPointer(start: bytes, count: count)),
                stream
            )
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_frame_send_callback(callbacks) { _, frame, data in
            if let frame = unsafe frame { unsafe HTTP2Session.owner(data)?.noteSent(frame.pointee) }
            return 0
        }
        unsafe nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) {
            _,
            stream,
            code,
            data in
            unsafe HTTP2Session.owner(data)?.noteClosed(stream, ErrorCode(rawValue: code))
            return 0
        }
    }

    private func noteClosed(_ stream: Int32, _ code: ErrorCode) {
        endBlock(stream)
        events.append(.closed(stream: stream, code))
    }

    private func beginBlock(_ stream: Int32) {
        blockStream = stream
        block = []
        blockSize = 0
    }

    /// Forgets a block that will not be handed over.
    private func endBlock(_ stream: Int32) {
        guard blockStream == stream else { return }
        blockStream = nil
        block = []
    }

    private func take(_ field: BlockField) {
        blockSize += field.name.utf8.count + field.value.utf8.count + 32
        if !isBlockTooLarge { block.append(field) }
    }

    private var isBlockTooLarge: Bool {
        blockSize > limits.listSize || block.count > limits.fields
    }

    private func take(_ frame: nghttp2_frame) {
        let header = unsafe frame.hd
        switch FrameKind(rawValue: header.type) {
        case .headers:
            events.append(
                .fields(
                    stream: header.stream_id,
                    block,
                    isTooLarge: isBlockTooLarge,
                    endsStream: Self.endsStream(header)
                )
            )
            endBlock(header.stream_id)
            noteEnd(header)
        case .data:
            let padding = unsafe frame.data.padlen
            noteContent(header.length - padding, isLast: Self.endsStream(header))
            noteEnd(header)
        case .goAway:
            let code = unsafe frame.goaway.error_code
            events.append(.goAway(ErrorCode(rawValue: code)))
        case .resetStream, .ping, .settings, .priority: idleFrames += 1
        default: break
        }
    }

    private func take(_ bytes: [UInt8], _ stream: Int32) {
        events.append(.data(stream: stream, bytes))
        unsafe nghttp2_session_consume_connection(session, bytes.count)
    }

    /// Counts a frame of content by the frame's size, not by that of what was read at once.
    private func noteContent(_ count: Int, isLast: Bool) {
        if count >= Self.usefulContent || isLast && count > 0 {
            idleFrames = max(0, idleFrames - 1)
        } else if count == 0, !isLast {
            idleFrames += 1
        }
    }

    /// A frame with less makes up for nothing: it costs as much as one without any.
    private static let usefulContent = 16

    private func noteEnd(_ header: nghttp2_frame_hd) {
        if Self.endsStream(header) { events.append(.end(stream: header.stream_id)) }
    }

    private static func endsStream(_ header: nghttp2_frame_hd) -> Bool {
        FrameFlags(rawValue: header.flags).contains(.endStream)
    }

    private func noteSent(_ frame: nghttp2_frame) {
        let header = unsafe frame.hd
        if header.type == FrameKind.goAway.rawValue, unsafe frame.goaway.error_code != 0 {
            hasGivenUp = true
        }
        guard header.type <= FrameKind.headers.rawValue else { return }
        if header.type == FrameKind.data.rawValue { idleFrames = max(0, idleFrames - 1) }
        var frames = written[header.stream_id] ?? WrittenFrames()
        frames.bytes += FrameHeader.size + header.length
        frames.isLast = frames.isLast || Self.endsStream(header)
        written[header.stream_id] = frames
    }

    // MARK: Content

    static var provider: nghttp2_data_provider {
        unsafe nghttp2_data_provider(source: nghttp2_data_source()) {
            _,
            stream,
            buffer,
            room,
            flags,
            _,
            data in
            guard let session = unsafe HTTP2Session.owner(data), let buffer = unsafe buffer,
                let flags = unsafe flags
            else { return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue) }
            return unsafe session.fill(buffer, room, stream, flags)
        }
    }

    private func fill(
        _ buffer: UnsafeMutablePointer<UInt8>,
        _ room: Int,
        _ stream: Int32,
        _ flags: UnsafeMutablePointer<UInt32>
    ) -> Int {
        let bytes: [UInt8]
        switch source(stream, room) {
        case .bytes(let some): bytes = some
        case .last(let some, let trailers):
            bytes = some
            unsafe flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue
            if !trailers.isEmpty {
                unsafe flags.pointee |= NGHTTP2_DATA_FLAG_NO_END_STREAM.rawValue
                _ = unsafe withPairs(trailers) { pairs, count, _ in
                    unsafe nghttp2_submit_trailer(session, stream, pairs, count)
                }
            }
        case .later: return Int(NGHTTP2_ERR_DEFERRED.rawValue)
        case .failed: return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
        }
        precondition(bytes.count <= room, "a source gives what there is room for")
        unsafe bytes.withUnsafeBufferPointer { source in
            guard let start = source.baseAddress else { return }
            unsafe buffer.update(from: start, count: source.count)
        }
        return bytes.count
    }
}
