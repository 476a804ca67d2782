internal import Basics
internal import Journal
internal import QUICWire
internal import SystemIO

/// Reads the packets of a flow with the secrets of its QUIC connection, beside what passes.
final class FlowReading {
    private struct Note {
        let direction: Direction
        let datagram: UInt64
        let bytes: Int
        let path: UInt32
        let came: Instant
        let silence: Duration
    }

    private let id: ConnectionID
    private let tools: DatagramTools
    private let secrets: QUICSecretsFile
    private var conversation = QUICConversation<Note>()
    /// When the sender of a direction last sent or was sent anything.
    private var lastUse: [Direction: Instant] = [:]
    private var timer = TimerQueue.Token.none
    private var wait = firstWait
    private var triedWith = 0
    /// What waits here, as `secrets` has it.
    private var notedBytes = 0
    private var isFinished = false

    /// How long secrets are waited for before the file is looked at again: longer each time.
    private static let firstWait = Duration.milliseconds(10)
    private static let longestWait = Duration.milliseconds(250)
    /// Until the next part of a long file is read.
    private static let nextPiece = Duration.milliseconds(1)
    private static let shortSilence = Duration.milliseconds(100)

    /// Nil if there are no secrets.
    init?(_ id: ConnectionID, _ tools: DatagramTools) {
        guard let secrets = tools.secrets else { return nil }
        self.id = id
        self.tools = tools
        self.secrets = secrets
    }

    /// Takes a datagram as its sender sent it.
    func take(
        _ bytes: [UInt8],
        _ direction: Direction,
        number: UInt64,
        path: UInt32,
        at came: Instant
    ) {
        let note = Note(
            direction: direction,
            datagram: number,
            bytes: bytes.count,
            path: path,
            came: came,
            silence: lastUse[direction].map { came - $0 } ?? .zero
        )
        lastUse[direction] = came
        // Another flow may have read the secrets of what waits here, which must be opened in its order.
        if conversation.isWaiting { retry() }
        tell(
            conversation.take(
                bytes,
                isFromClient: direction == .up,
                note,
                secrets.log,
                with: OpenSSLCryptography()
            )
        )
        noteWaiting()
        if conversation.isWaiting { readLater() }
    }

    /// Takes note that a datagram has left for its receiver.
    func delivered(_ direction: Direction, at now: Instant) { lastUse[direction.opposite] = now }

    /// Ends the reading.
    ///
    /// - Returns: how many packets of the direction were not opened.
    func finish(_ direction: Direction) -> UInt64 {
        if !isFinished {
            isFinished = true
            tools.timers.cancel(timer)
            if conversation.isWaiting { readNow(isLast: true) }
            conversation.finish()
            noteWaiting()
        }
        return conversation.unopened(fromClient: direction == .up)
    }

    private func readLater() {
        guard timer == .none, !isFinished else { return }
        let wait = secrets.hasMore ? Self.nextPiece : wait
        timer = tools.timers.set(after: wait) { [weak self] in
            guard let self else { return }
            timer = .none
            readNow()
            self.wait =
                conversation.isWaiting ? min(self.wait * 2, Self.longestWait) : Self.firstWait
            if conversation.isWaiting { readLater() }
        }
    }

    private func readNow(isLast: Bool = false) {
        secrets.read(at: tools.loop.now, isLast: isLast)
        retry(isLast: isLast)
        noteWaiting()
    }

    /// Tries what waits, if there are other secrets than the last time.
    private func retry(isLast: Bool = false) {
        guard isLast || secrets.log.count != triedWith else { return }
        triedWith = secrets.log.count
        tell(conversation.retry(secrets.log, with: OpenSSLCryptography()))
    }

    /// Gives up on what waits if all flows together keep too much.
    private func noteWaiting() {
        let isFine = secrets.noteWaiting(conversation.waitingBytes - notedBytes)
        notedBytes = conversation.waitingBytes
        guard !isFine, conversation.isWaiting else { return }
        conversation.finish()
        noteWaiting()
    }

    private func tell(_ packets: [QUICConversation<Note>.Packet]) {
        for packet in packets {
            let note = packet.note
            var report = QUICPacketReport(
                flow: id,
                direction: note.direction,
                datagram: note.datagram,
                bytes: UInt64(note.bytes),
                type: packet.type.rawValue,
                number: packet.number,
                frames: packet.frames.map(\.text),
                cameAt: note.came
            )
            report.path = note.path
            if note.silence >= Self.shortSilence { report.silence = note.silence }
            report.idleMilliseconds = packet.idleMilliseconds
            tools.reporter.report(.quicPacket(report))
        }
    }
}
