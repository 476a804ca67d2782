internal import CNghttp2
internal import HTTPWire

/// One end of an HTTP/2 connection (RFC 9113), without its socket, by libnghttp2.
///
/// Bytes go in by `receive` and come out by `send`; what the peer has done is in `takeEvents`, in its
/// order. Content is asked for by `source` when there is room for it, in the windows and from the
/// owner, who calls `send`.
@safe
package final class HTTP2Session {
    /// What a client says first (RFC 9113 §3.4).
    package static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    var session: OpaquePointer?
    let limits: SessionLimits
    var events: [SessionEvent] = []
    /// The block that is coming.
    var block: [BlockField] = []
    var blockSize = 0
    /// The stream of the block that is coming; nil between blocks.
    var blockStream: Int32?
    /// Of frames that have been written, in each stream, since they were last taken.
    var written: [Int32: WrittenFrames] = [:]
    var idleFrames = 0

    /// Gives at most `room` bytes of a stream's content; it may reset streams, and nothing else.
    package var source: (_ stream: Int32, _ room: Int) -> SessionContent = { _, _ in .failed }
    /// Whether a field block has begun and is not complete.
    package var isWithinBlock: Bool { blockStream != nil }
    /// Whether the connection was ended by this end, for an error of the peer.
    package internal(set) var hasGivenUp = false

    /// Begins a session: its SETTINGS wait to be sent.
    package init(isServer: Bool, _ limits: SessionLimits = SessionLimits()) {
        self.limits = limits
        var callbacks: OpaquePointer?
        var option: OpaquePointer?
        guard unsafe nghttp2_session_callbacks_new(&callbacks) == 0,
            unsafe nghttp2_option_new(&option) == 0
        else { preconditionFailure("no memory") }
        defer {
            unsafe nghttp2_session_callbacks_del(callbacks)
            unsafe nghttp2_option_del(option)
        }
        unsafe Self.set(callbacks)
        unsafe nghttp2_option_set_no_auto_window_update(option, 1)
        unsafe nghttp2_option_set_no_closed_streams(option, 1)
        // Counted here, with what else a flood is made of.
        unsafe nghttp2_option_set_stream_reset_rate_limit(option, 1 << 40, 1 << 40)
        unsafe nghttp2_option_set_max_continuations(option, Self.continuationReads)
        let owner = unsafe Unmanaged.passUnretained(self).toOpaque()
        let code =
            unsafe isServer
            ? nghttp2_session_server_new2(&session, callbacks, owner, option)
            : nghttp2_session_client_new2(&session, callbacks, owner, option)
        precondition(code == 0, "no memory")
        submitSettings(isServer)
    }

    deinit { unsafe nghttp2_session_del(session) }

    private func submitSettings(_ isServer: Bool) {
        var entries = [
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue),
                value: limits.window
            ),
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE.rawValue),
                value: UInt32(clamping: limits.listSize)
            ),
        ]
        entries.append(
            nghttp2_settings_entry(
                settings_id: isServer
                    ? Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue)
                    : Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue),
                value: isServer ? limits.streams : 0
            )
        )
        unsafe nghttp2_submit_settings(session, 0, entries, entries.count)
        // Each stream has its window; the connection's is large enough not to hold one up.
        unsafe nghttp2_session_set_local_window_size(session, 0, 0, Self.sharedWindow)
    }

    private static let sharedWindow: Int32 = 16 << 20

    /// Allows 8 CONTINUATION frames, however they are cut.
    ///
    /// nghttp2 counts reads of their headers, not frames: its default of 8 rejects a single frame
    /// that arrives byte by byte.
    private static let continuationReads = 8 * FrameHeader.size

    // MARK: Bytes

    /// Takes bytes of the peer.
    ///
    /// After an error of the connection a GOAWAY waits to be sent, and nothing more is understood.
    package func receive(_ bytes: Span<UInt8>) {
        let code = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe nghttp2_session_mem_recv(session, bytes.baseAddress, bytes.count)
        }
        if code < 0 {
            let isMagic = code == Int(NGHTTP2_ERR_BAD_CLIENT_MAGIC.rawValue)
            terminate(isMagic ? .protocolError : .enhanceYourCalm)
        } else if idleFrames > limits.idleFrames {
            terminate(.enhanceYourCalm)
        }
    }

    /// The bytes of a few frames for the peer; empty if there is nothing to send now.
    package func send(atLeast wanted: Int = 1) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < wanted {
            var start: UnsafePointer<UInt8>?
            let count = unsafe nghttp2_session_mem_send(session, &start)
            guard count > 0, let start = unsafe start else { break }
            unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: count))
        }
        return bytes
    }

    package func takeEvents() -> [SessionEvent] {
        defer { events = [] }
        return events
    }

    /// What was written of the messages of each stream since this was last asked.
    package func takeWritten() -> [Int32: WrittenFrames] {
        defer { written = [:] }
        return written
    }

    /// Whether nothing is left to be done on the connection.
    package var isOver: Bool {
        unsafe nghttp2_session_want_read(session) == 0
            && nghttp2_session_want_write(session) == 0
    }

    /// Frames that wait to be sent.
    package var waitingFrames: Int {
        unsafe Int(nghttp2_session_get_outbound_queue_size(session))
    }

    /// Streams that the peer lets this end have open at the same time.
    package var allowedStreams: UInt32 {
        unsafe nghttp2_session_get_remote_settings(
            session,
            NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS
        )
    }

    /// Whether a client may begin another stream.
    package var takesRequests: Bool {
        unsafe nghttp2_session_check_request_allowed(session) != 0
    }

    /// Resets the flood count: it grew too slowly.
    package func calm() { idleFrames = 0 }

    // MARK: Messages

    /// Begins a request; answers its stream, or nil if there can be none.
    package func request(_ fields: [BlockField], hasContent: Bool) -> Int32? {
        let stream = unsafe withPairs(fields) { pairs, count, provider in
            let content = unsafe hasContent ? provider : nil
            return unsafe nghttp2_submit_request(session, nil, pairs, count, content, nil)
        }
        return stream > 0 ? stream : nil
    }

    /// Gives the final response of a stream.
    package func respond(_ fields: [BlockField], hasContent: Bool, on stream: Int32) {
        _ = unsafe withPairs(fields) { pairs, count, provider in
            let content = unsafe hasContent ? provider : nil
            return unsafe nghttp2_submit_response(session, stream, pairs, count, content)
        }
    }

    /// Sends an interim response.
    package func inform(_ fields: [BlockField], on stream: Int32) {
        _ = unsafe withPairs(fields) { pairs, count, _ in
            unsafe nghttp2_submit_headers(session, 0, stream, nil, pairs, count, nil)
        }
    }

    /// Says that `source`, which had nothing, may be asked again.
    package func resume(_ stream: Int32) { unsafe nghttp2_session_resume_data(session, stream) }

    package func reset(_ stream: Int32, _ code: ErrorCode) {
        unsafe nghttp2_submit_rst_stream(session, 0, stream, code.rawValue)
    }

    /// Asks the peer to send no more on a stream whose response is complete (RFC 9113 §8.1).
    package func dismiss(_ stream: Int32) {
        if unsafe nghttp2_session_get_stream_remote_close(session, stream) == 0 {
            reset(stream, .none)
        }
    }

    /// Lets the peer send `count` bytes more on the stream.
    package func giveBack(_ count: Int, on stream: Int32) {
        unsafe nghttp2_session_consume_stream(session, stream, count)
    }

    /// Lets the peer have more of the stream's content on its way.
    package func widen(_ stream: Int32, to window: Int32) {
        unsafe nghttp2_session_set_local_window_size(session, 0, stream, window)
    }

    /// Says that no more streams are accepted; open ones continue.
    package func goAway() {
        let last = unsafe nghttp2_session_get_last_proc_stream_id(session)
        unsafe nghttp2_submit_goaway(session, 0, last, ErrorCode.none.rawValue, nil, 0)
    }

    /// Ends the connection: a GOAWAY is the last that is sent.
    package func terminate(_ code: ErrorCode) {
        unsafe nghttp2_session_terminate_session(session, code.rawValue)
    }

    func withPairs(
        _ fields: [BlockField],
        _ submit: (
            UnsafePointer<nghttp2_nv>?, Int, UnsafePointer<nghttp2_data_provider>
        ) -> Int32
    ) -> Int32 {
        var provider = unsafe Self.provider
        var texts: [UInt8] = []
        for field in fields { texts += field.name.scalarBytes + field.value.scalarBytes }
        return unsafe texts.withUnsafeMutableBufferPointer { bytes in
            let pairs = unsafe FieldEncoder.pairs(fields, bytes)
            return unsafe pairs.withUnsafeBufferPointer {
                unsafe submit($0.baseAddress, $0.count, &provider)
            }
        }
    }
}
