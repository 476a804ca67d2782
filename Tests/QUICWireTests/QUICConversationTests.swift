import QUICWire
import TestSupport
import Testing

struct QUICConversationTests {
    private typealias Conversation = QUICConversation<Int>

    /// What a client and a server send to each other, protected by a toy, with the secrets in a log.
    private struct Peers {
        let toy = ToyCryptography()
        let version: UInt32
        let cipher: QUICCipher
        var random = [UInt8](repeating: 7, count: 32)
        var origin: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        let serverID: [UInt8] = [9, 9, 9, 9]
        let clientID: [UInt8] = [5]

        init(_ version: UInt32 = 1, _ cipher: QUICCipher = .aes128GCM) {
            self.version = version
            self.cipher = cipher
        }

        func secret(_ label: QUICKeyLog.Label) -> [UInt8] {
            let place = QUICKeyLog.Label.allCases.firstIndex(of: label) ?? 0
            let count = cipher == .aes256GCM ? 48 : 32
            return [UInt8](repeating: UInt8(place) ^ random[0], count: count)
        }

        var log: String {
            func hexadecimal(_ bytes: [UInt8]) -> String {
                bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            }
            return QUICKeyLog.Label.allCases.map { label in
                "\(label.rawValue) \(hexadecimal(random)) \(hexadecimal(secret(label)))\n"
            }.joined()
        }

        func keys(_ label: QUICKeyLog.Label, updates: Int = 0) -> QUICPacketKeys {
            var keys = QUICPacketKeys(
                secret: secret(label),
                cipher: cipher,
                version: version,
                with: toy
            )
            for _ in 0..<updates { keys = keys.next(with: toy) }
            return keys
        }

        private func header(_ type: UInt8, _ destination: [UInt8], _ source: [UInt8]) -> [UInt8] {
            let types: [UInt8] = version == 1 ? [0, 1, 2, 3] : [1, 2, 3, 0]
            return [0xC0 | types[Int(type)] << 4]
                + (0..<4).map { UInt8(truncatingIfNeeded: version >> (24 - 8 * $0)) }
                + [UInt8(destination.count)] + destination + [UInt8(source.count)] + source
        }

        private func length(_ content: [UInt8]) -> [UInt8] {
            let count = content.count + 18
            return [0x40 | UInt8(count >> 8), UInt8(count & 255)]
        }

        func initial(_ content: [UInt8], _ number: UInt64, fromClient: Bool) -> [UInt8] {
            let both = QUICInitialKeys(version: version, destination: origin, with: toy)
            let header =
                fromClient ? header(0, origin, clientID) : header(0, clientID, serverID)
            return toy.seal(
                content,
                number: number,
                header: header + [0] + length(content),
                fromClient ? both.client : both.server,
                .aes128GCM
            )
        }

        func long(
            _ type: UInt8,
            _ content: [UInt8],
            _ number: UInt64,
            _ label: QUICKeyLog.Label
        ) -> [UInt8] {
            let isServer = label == .serverHandshake
            let header =
                isServer ? header(type, clientID, serverID) : header(type, serverID, clientID)
            return toy.seal(
                content,
                number: number,
                header: header + length(content),
                keys(label),
                cipher
            )
        }

        func short(
            _ content: [UInt8],
            _ number: UInt64,
            fromClient: Bool,
            updates: Int = 0
        ) -> [UInt8] {
            let phase: UInt8 = updates.isMultiple(of: 2) ? 0 : 4
            return toy.seal(
                content,
                number: number,
                header: [0x40 | phase] + (fromClient ? serverID : clientID),
                keys(fromClient ? .client : .server, updates: updates),
                cipher
            )
        }

        /// A CRYPTO frame with a ClientHello that would end after 30 s.
        var hello: [UInt8] {
            let parameters: [UInt8] = [0, 57, 0, 6, 1, 4, 0x80, 0, 0x75, 0x30]
            let body = [3, 3] + random + [0, 0, 2, 0x13, 1, 1, 0, 0, 10] + parameters
            return [6, 0, UInt8(body.count + 4), 1, 0, 0, UInt8(body.count)] + body
        }

        /// A CRYPTO frame with EncryptedExtensions of a server that would end after 10 s.
        var extensions: [UInt8] {
            let body: [UInt8] = [0, 8, 0, 57, 0, 4, 1, 2, 0x67, 0x10]
            return [6, 0, UInt8(body.count + 4), 8, 0, 0, UInt8(body.count)] + body
        }
    }

    private static let filler = [UInt8](repeating: 0, count: 24)

    private struct Seen: Equatable {
        var note: Int
        var type: QUICPacketType
        var number: UInt64
    }

    private static func seen(_ packets: [Conversation.Packet]) -> [Seen] {
        packets.map { Seen(note: $0.note, type: $0.type, number: $0.number) }
    }

    /// A handshake, then packets of both sides whose keys change, and which overtake one another.
    private static func script(
        _ peers: Peers,
        using random: inout SeededRandom
    ) -> [(bytes: [UInt8], isFromClient: Bool, type: QUICPacketType, number: UInt64)] {
        typealias Step = (bytes: [UInt8], isFromClient: Bool, type: QUICPacketType, number: UInt64)
        var steps: [Step] = [
            (peers.initial(peers.hello + filler, 0, fromClient: true), true, .initial, 0),
            (peers.long(1, [1] + filler, 0, .clientEarly), true, .zeroRTT, 0),
            (peers.initial([2, 0, 0, 0, 0] + filler, 0, fromClient: false), false, .initial, 0),
            (
                peers.long(2, peers.extensions + filler, 0, .serverHandshake), false, .handshake, 0
            ),
            (peers.long(2, [1] + filler, 0, .clientHandshake), true, .handshake, 0),
        ]
        var updates = [true: 0, false: 0]
        var since = [true: 0, false: 0]
        var next: [Bool: UInt64] = [true: 1, false: 0]
        for _ in 0..<100 {
            let isFromClient = Bool.random(using: &random)
            since[isFromClient, default: 0] += 1
            // A further update has to wait for the proof that the last one is known (RFC 9001 §6.1).
            if since[isFromClient, default: 0] > Int.random(in: 12...30, using: &random) {
                updates[isFromClient, default: 0] += 1
                since[isFromClient] = 0
            }
            let number = next[isFromClient, default: 0]
            next[isFromClient] = number + UInt64.random(in: 1...300, using: &random)
            let bytes = peers.short(
                [1] + filler,
                number,
                fromClient: isFromClient,
                updates: updates[isFromClient, default: 0]
            )
            steps.append((bytes, isFromClient, .oneRTT, number))
            if Int.random(in: 0..<4, using: &random) == 0, steps.count > 8 {
                steps.swapAt(steps.count - 1, steps.count - 2)
            }
        }
        return steps
    }

    @Test(arguments: [UInt32(1), QUICVersion.two], QUICCipher.allCases)
    func `every packet opens once, whenever the secrets come`(
        version: UInt32,
        cipher: QUICCipher
    ) {
        let peers = Peers(version, cipher)
        var random = SeededRandom(seed: 11)
        for round in 0..<20 {
            let script = Self.script(peers, using: &random)
            // With all of them at the start, in the middle, or at the end.
            let moment = [0, Int.random(in: 0..<script.count, using: &random), script.count][
                round % 3
            ]
            var (conversation, log) = (Conversation(), QUICKeyLog())
            var seen: [Seen] = []
            for (place, step) in script.enumerated() {
                if place == moment {
                    log.append(peers.log.utf8)
                    seen += Self.seen(conversation.retry(log, with: peers.toy))
                }
                let opened = conversation.take(
                    step.bytes,
                    isFromClient: step.isFromClient,
                    place,
                    log,
                    with: peers.toy
                )
                seen += Self.seen(opened)
            }
            log.append(peers.log.utf8)
            seen += Self.seen(conversation.retry(log, with: peers.toy))
            conversation.finish()
            seen.sort { $0.note < $1.note }
            let expected = script.enumerated().map { place, step in
                Seen(note: place, type: step.type, number: step.number)
            }
            let missing = expected.filter { !seen.contains($0) }
            #expect(missing.isEmpty && seen.count == expected.count, "round \(round)")
            #expect(conversation.unopened(fromClient: true) == 0)
            #expect(conversation.unopened(fromClient: false) == 0)
        }
    }

    @Test func `the server's idle time is known once its extensions are whole`() {
        let peers = Peers()
        var (conversation, log) = (Conversation(), QUICKeyLog())
        log.append(peers.log.utf8)
        func take(_ bytes: [UInt8], _ isFromClient: Bool) -> [Conversation.Packet] {
            conversation.take(bytes, isFromClient: isFromClient, 0, log, with: peers.toy)
        }
        let first = peers.initial(peers.hello + Self.filler, 0, fromClient: true)
        #expect(take(first, true).count == 1)
        #expect(take(peers.initial(Self.filler, 0, fromClient: false), false).count == 1)
        let packet = peers.long(2, peers.extensions + Self.filler, 0, .serverHandshake)
        #expect(take(packet, false).first?.idleMilliseconds == 10_000)
        #expect(take(packet, false).first?.idleMilliseconds == nil)
    }

    @Test func `a client that starts again on the same flow is read, too`() {
        var peers = Peers()
        var (conversation, log) = (Conversation(), QUICKeyLog())
        log.append(peers.log.utf8)
        var random = SeededRandom(seed: 4)
        for number in [UInt8(7), 8, 9] {
            peers.random = [UInt8](repeating: number, count: 32)
            peers.origin = [number, 1, 1, 1, 1, 1, 1, 1]
            log.append(peers.log.utf8)
            let script = Self.script(peers, using: &random)
            var count = 0
            for step in script {
                count +=
                    conversation.take(
                        step.bytes,
                        isFromClient: step.isFromClient,
                        0,
                        log,
                        with: peers.toy
                    ).count
            }
            #expect(count == script.count)
        }
    }

    @Test func `without secrets a bounded number waits, and the rest is counted`() {
        let peers = Peers()
        var (conversation, log) = (Conversation(), QUICKeyLog())
        let first = peers.initial(peers.hello + Self.filler, 0, fromClient: true)
        _ = conversation.take(first, isFromClient: true, 0, log, with: peers.toy)
        for number in 0..<1_000 {
            let packet = peers.long(2, [1] + Self.filler, UInt64(number), .clientHandshake)
            _ = conversation.take(packet, isFromClient: true, number, log, with: peers.toy)
        }
        #expect(conversation.unopened(fromClient: true) == 1_000 - 512)
        log.append(peers.log.utf8)
        #expect(conversation.retry(log, with: peers.toy).count == 512)
        #expect(!conversation.isWaiting)
        var other = peers.long(2, [1] + Self.filler, 5, .clientHandshake)
        other[other.count - 1] ^= 1
        #expect(conversation.take(other, isFromClient: true, 0, log, with: peers.toy).isEmpty)
        #expect(conversation.unopened(fromClient: true) == 1_000 - 512 + 1)
    }

    @Test(
        arguments: [
            // RFC 9000 §A.3 has the first one.
            (UInt64(0xA82F_30EA), UInt64(0x9B32), 2, UInt64(0xA82F_9B32)),
            (0, 1, 1, 1), (250, 3, 1, 259), (300, 250, 1, 250), (65_535, 0, 2, 65_536),
        ]
    )
    func `a packet number is the nearest to the one expected`(
        largest: UInt64,
        short: UInt64,
        length: Int,
        number: UInt64
    ) throws {
        let (toy, peers) = (ToyCryptography(), Peers())
        let keys = peers.keys(.client)
        let packet = toy.seal(
            [1] + Self.filler,
            number: short,
            numberLength: length,
            header: [0x40],
            keys,
            .aes128GCM
        )
        let header = try #require(keys.header(of: packet, numberAt: 1, with: toy))
        #expect(header.number(after: largest) == number)
    }
}
