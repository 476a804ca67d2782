/// A QUIC connection, read with its secrets.
///
/// Takes every datagram as it comes and gives the packets that it can open. Secrets may come later than
/// what they open: a bounded number of packets waits for them. Nothing here decides on anything that
/// passes.
package struct QUICConversation<Note> {
    /// A packet that was opened.
    package struct Packet {
        /// What the caller knows of its datagram.
        package let note: Note
        package let type: QUICPacketType
        package let number: UInt64
        package let frames: [QUICFrame]
        /// The idle time that the server announces, where it is known with this packet; 0 for none.
        package var idleMilliseconds: UInt64?
    }

    private enum Attempt {
        case opened(number: UInt64, content: [UInt8])
        case lacksKeys
        case failed
    }

    /// What is known of one end.
    private struct Side {
        /// The largest packet numbers, by number space.
        var largest: [QUICNumberSpace: UInt64] = [:]
        /// How long the connection ids are that it has chosen, which short headers do not say.
        var idLengths: [Int] = []
        var generations: QUICKeyGenerations?
        /// Packets that nothing opened.
        var unopened: UInt64 = 0

        mutating func note(idLength: Int) {
            if !idLengths.contains(idLength), idLengths.count < 8 { idLengths.append(idLength) }
        }
    }

    private var client = Side()
    private var server = Side()
    private var waiting: [(packet: QUICSealedPacket, note: Note)] = []
    /// Whether something came by which packets that wait may open.
    private var hasNews = false

    private var initial: (keys: QUICInitialKeys, version: UInt32)?
    /// The destination of the client's packet from which the keys of Initial packets follow.
    private var origin: [UInt8] = []
    private var hello = QUICHandshakeStream()
    private var random: [UInt8]?
    private var version: UInt32?
    private var cipher: QUICCipher?
    private var keys: [QUICKeyLog.Label: QUICPacketKeys] = [:]
    /// What the server says in its Handshake packets; nil once its parameters are known.
    private var extensions: QUICHandshakeStream? = .init()

    private static var packetLimit: Int { 512 }
    private static var byteLimit: Int { 524_288 }

    package init() {}

    /// Packets of an end that were not opened, and do not wait.
    package func unopened(fromClient: Bool) -> UInt64 {
        fromClient ? client.unopened : server.unopened
    }

    package var isWaiting: Bool { !waiting.isEmpty }
    /// What the packets that wait hold.
    package private(set) var waitingBytes = 0

    /// Takes a datagram.
    ///
    /// - Parameters:
    ///   - datagram: whole, as its sender sent it.
    ///   - isFromClient: which end that was.
    ///   - note: comes back with each of its packets.
    ///   - log: the secrets that are known.
    ///   - cryptography: a library.
    /// - Returns: what could be opened, of this one and of earlier ones.
    package mutating func take(
        _ datagram: [UInt8],
        isFromClient: Bool,
        _ note: Note,
        _ log: QUICKeyLog,
        with cryptography: some QUICCryptography
    ) -> [Packet] {
        var opened: [Packet] = []
        for packet in QUICPacketReader.packets(in: datagram) {
            guard let sealed = QUICSealedPacket(packet, of: datagram, isFromClient: isFromClient)
            else { continue }
            if let packet = take(sealed, note, log, with: cryptography) { opened.append(packet) }
        }
        while hasNews, isWaiting { opened += retry(log, with: cryptography) }
        return opened
    }

    /// Tries again what waits, since there are new secrets.
    package mutating func retry(
        _ log: QUICKeyLog,
        with cryptography: some QUICCryptography
    ) -> [Packet] {
        hasNews = false
        let former = waiting
        waiting = []
        waitingBytes = 0
        return former.compactMap { take($0.packet, $0.note, log, with: cryptography) }
    }

    /// Counts what waits as unopened: no more secrets will come.
    package mutating func finish() {
        for (packet, _) in waiting { change(packet.isFromClient) { $0.unopened += 1 } }
        waiting = []
        waitingBytes = 0
    }

    private mutating func take(
        _ packet: QUICSealedPacket,
        _ note: Note,
        _ log: QUICKeyLog,
        with cryptography: some QUICCryptography
    ) -> Packet? {
        switch open(packet, log, with: cryptography) {
        case .opened(let number, let content):
            let frames = QUICFrameReader.frames(in: content)
            var opened = Packet(note: note, type: packet.type, number: number, frames: frames)
            learn(from: packet, &opened)
            return opened
        case .lacksKeys
        where waiting.count < Self.packetLimit
            && waitingBytes + packet.bytes.count <= Self.byteLimit:
            waiting.append((packet, note))
            waitingBytes += packet.bytes.count
        case .lacksKeys, .failed: change(packet.isFromClient) { $0.unopened += 1 }
        }
        return nil
    }

    private mutating func change(_ isClient: Bool, _ change: (inout Side) -> Void) {
        if isClient { change(&client) } else { change(&server) }
    }

    // MARK: What packets tell of further ones

    private mutating func learn(from packet: QUICSealedPacket, _ opened: inout Packet) {
        change(packet.isFromClient) { side in
            let space = packet.type.numberSpace
            side.largest[space] = max(side.largest[space] ?? 0, opened.number)
            for case .newConnectionID(let length) in opened.frames { side.note(idLength: length) }
        }
        guard packet.type != .oneRTT else { return }
        noteVersion(of: packet)
        let known = client.idLengths.count + server.idLengths.count
        change(packet.isFromClient) { $0.note(idLength: packet.sourceLength) }
        if client.idLengths.count + server.idLengths.count > known { hasNews = true }
        switch (packet.type, packet.isFromClient) {
        case (.initial, true):
            hello.take(opened.frames)
            if let random = QUICHelloReader.Hello(hello)?.random { begin(random) }
        case (.handshake, false): opened.idleMilliseconds = takeExtensions(opened.frames)
        default: break
        }
    }

    /// Notes which version the connection continues in: the server may choose another one than the client
    /// began with (RFC 9368), whose Initial packets may still be under way.
    private mutating func noteVersion(of packet: QUICSealedPacket) {
        let isChosen = packet.type == .handshake
        guard isChosen || version == nil && packet.type == .initial && !packet.isFromClient else {
            return
        }
        if version != packet.version { hasNews = true }
        version = packet.version
    }

    /// A client that begins another connection has other secrets.
    private mutating func begin(_ random: [UInt8]) {
        guard random != self.random else { return }
        self.random = random
        cipher = nil
        version = nil
        keys = [:]
        extensions = .init()
        for isClient in [true, false] {
            change(isClient) { side in
                side.generations = nil
                side.largest = side.largest.filter { $0.key == .initial }
            }
        }
        hasNews = true
    }

    private mutating func takeExtensions(_ frames: [QUICFrame]) -> UInt64? {
        guard var stream = extensions else { return nil }
        stream.take(frames)
        extensions = stream
        guard let body = stream.first(ofType: 8),
            var list = QUICExtensions(ByteReader(body, at: 0))
        else { return nil }
        extensions = nil
        while let (type, content) = list.next() {
            if type == QUICExtensions.transportParameters {
                return QUICExtensions.idleMilliseconds(content) ?? 0
            }
        }
        return nil
    }

    // MARK: Opening

    private mutating func open(
        _ packet: QUICSealedPacket,
        _ log: QUICKeyLog,
        with cryptography: some QUICCryptography
    ) -> Attempt {
        let isFromClient = packet.isFromClient
        switch packet.type {
        case .initial: return openInitial(packet, with: cryptography)
        case .zeroRTT: return open(packet, by: .clientEarly, log, with: cryptography)
        case .handshake:
            let label: QUICKeyLog.Label = isFromClient ? .clientHandshake : .serverHandshake
            return open(packet, by: label, log, with: cryptography)
        case .oneRTT: return openShort(packet, log, with: cryptography)
        case .retry, .versionNegotiation: return .failed
        }
    }

    private func largest(before packet: QUICSealedPacket) -> UInt64? {
        (packet.isFromClient ? client : server).largest[packet.type.numberSpace]
    }

    /// Opens an Initial with the keys of the connection, those of another version for it (RFC 9368), or
    /// those of a client that starts again, after Retry too.
    private mutating func openInitial(
        _ packet: QUICSealedPacket,
        with cryptography: some QUICCryptography
    ) -> Attempt {
        let version = packet.version ?? 0
        func attempt(_ both: QUICInitialKeys, after largest: UInt64?) -> Attempt? {
            let keys = packet.isFromClient ? both.client : both.server
            return packet.open(with: keys, after: largest, with: cryptography)
                .map { .opened(number: $0, content: $1) }
        }
        if let initial {
            let both =
                initial.version == version
                ? initial.keys
                : QUICInitialKeys(version: version, destination: origin, with: cryptography)
            if let opened = attempt(both, after: largest(before: packet)) {
                self.initial = (both, version)
                return opened
            }
        }
        guard packet.isFromClient else { return .failed }
        let destination = packet.destination
        let both = QUICInitialKeys(version: version, destination: destination, with: cryptography)
        guard let opened = attempt(both, after: nil) else { return .failed }
        initial = (both, version)
        origin = destination
        hello = .init()
        client.largest[.initial] = nil
        server.largest[.initial] = nil
        return opened
    }

    private func ciphers(of secret: [UInt8]) -> [QUICCipher] {
        let possible = QUICCipher.allCases.filter { $0.hash.length == secret.count }
        return cipher.map { cipher in possible.filter { $0 == cipher } } ?? possible
    }

    private mutating func open(
        _ packet: QUICSealedPacket,
        by label: QUICKeyLog.Label,
        _ log: QUICKeyLog,
        with cryptography: some QUICCryptography
    ) -> Attempt {
        guard let random, let secret = log.secret(label, of: random) else { return .lacksKeys }
        for cipher in ciphers(of: secret) {
            let keys =
                keys[label]
                ?? QUICPacketKeys(
                    secret: secret,
                    cipher: cipher,
                    version: packet.version ?? 0,
                    with: cryptography
                )
            let largest = largest(before: packet)
            guard let opened = packet.open(with: keys, after: largest, with: cryptography) else {
                continue
            }
            self.keys[label] = keys
            // The server may refuse 0-RTT, and choose another cipher than that of the earlier connection.
            if label != .clientEarly { self.cipher = cipher }
            return .opened(number: opened.number, content: opened.content)
        }
        return .failed
    }

    private mutating func openShort(
        _ packet: QUICSealedPacket,
        _ log: QUICKeyLog,
        with cryptography: some QUICCryptography
    ) -> Attempt {
        let label: QUICKeyLog.Label = packet.isFromClient ? .client : .server
        let lengths = (packet.isFromClient ? server : client).idLengths
        guard let random, let version, !lengths.isEmpty,
            let secret = log.secret(label, of: random)
        else { return .lacksKeys }
        let known = (packet.isFromClient ? client : server).generations
        let largest = largest(before: packet)
        for cipher in ciphers(of: secret) {
            var generations =
                known
                ?? QUICKeyGenerations(
                    QUICPacketKeys(
                        secret: secret,
                        cipher: cipher,
                        version: version,
                        with: cryptography
                    )
                )
            for length in lengths {
                let opened = generations.open(
                    packet.bytes,
                    numberAt: 1 + length,
                    after: largest,
                    with: cryptography
                )
                guard let opened else { continue }
                change(packet.isFromClient) { $0.generations = generations }
                self.cipher = cipher
                return .opened(number: opened.number, content: opened.content)
            }
        }
        return .failed
    }
}
