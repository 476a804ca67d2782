internal import HTTP2
internal import SystemIO

// How a connection finds out that its client speaks HTTP/2, and what it does then.

extension ServerConnection {
    /// Finds out whether a client without TLS begins as HTTP/2 does (RFC 9113 §3.3).
    func readOpening(_ bytes: [UInt8]) -> Bool {
        let buffer = server.buffers.plain
        guard case .moved(let count) = stream.receive(into: buffer, from: 0, limit: 4_096) else {
            // Whatever it is, there is no more of it.
            if stream.canRead { giveToReader(bytes) }
            return stream.canRead
        }
        let come = bytes + buffer.bytes(0..<count)
        if come.starts(with: HTTP2Session.preface) {
            beginFrames(come)
        } else if HTTP2Session.preface.starts(with: come) {
            phase = .opening(come)
            noteBegun()
        } else {
            giveToReader(come)
        }
        return true
    }

    private func giveToReader(_ bytes: [UInt8]) {
        reader.putBack(bytes)
        phase = .head
    }

    func beginFrames(_ bytes: [UInt8]) {
        phase = .frames
        streams = ServerStreams(
            server: server,
            ordinal: ordinal,
            stream: stream,
            begun: bytes,
            onRequest: { [weak self] in self?.noteRequest() },
            onWoken: { [weak self] in self?.wake() }
        )
    }

    func moveFrames() -> Bool {
        guard let streams else { return false }
        if streams.step() { return true }
        guard case .frames = phase else { return true }
        if streams.isOver {
            // One that has failed has nothing to wait for.
            if streams.hasFailed { close() } else { endWriting() }
            return true
        }
        limitFrames(streams)
        return false
    }

    /// Between requests a connection may wait for long, within a head for a short time.
    private func limitFrames(_ streams: ServerStreams) {
        if streams.isWithinHead {
            noteBegun()
        } else if streams.isServing {
            noteRequest()
        } else if idleSince == nil {
            isWithinHead = false
            awaitRequest()
        }
    }

    /// A request is complete in the same turn as it comes, perhaps: its time is over even then.
    private func noteRequest() {
        idleSince = nil
        isWithinHead = false
        limit?.clear()
    }

    private func noteBegun() {
        guard !isWithinHead else { return }
        isWithinHead = true
        idleSince = nil
        limit?.set(after: server.limits.headTime)
    }
}
