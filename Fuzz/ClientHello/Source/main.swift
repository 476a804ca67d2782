// Invariant: whatever a ClientHello over QUIC holds, what is read of it is the same whether it comes in one
// frame or in many, in order or not, and in one datagram or two; names are part of it. Frames that are no
// frames are survived.

import FuzzSupport
import QUICWire

private func zeros(_ count: Int) -> [UInt8] { Array(repeating: 0, count: count) }

/// Encrypts nothing, so that frames can be written down as they are.
private struct PlainCryptography: QUICCryptography {
    func authenticationCode(of data: [UInt8], key: [UInt8], _ hash: QUICHash) -> [UInt8] {
        zeros(32)
    }
    func mask(of sample: [UInt8], key: [UInt8], _ cipher: QUICCipher) -> [UInt8] { zeros(16) }
    func open(
        _ sealed: [UInt8],
        key: [UInt8],
        nonce: [UInt8],
        header: [UInt8],
        _ cipher: QUICCipher
    ) -> [UInt8]? { sealed }
}

private let destination: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]

/// An integer of variable length in its longest form but one (RFC 9000 §16).
private func variable(_ number: Int) -> [UInt8] {
    [0x80 | UInt8(truncatingIfNeeded: number >> 24)]
        + [16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
}

/// A datagram with one Initial packet of version 1.
private func initial(_ frames: [UInt8]) -> [UInt8] {
    let content = frames + zeros(20)
    let header = [0xC0, 0, 0, 0, 1, 8] + destination + [0, 0] + variable(content.count + 1)
    return header + [0] + content
}

/// A CRYPTO frame.
private func frame(_ content: ArraySlice<UInt8>) -> [UInt8] {
    [6] + variable(content.startIndex) + variable(content.count) + content
}

private func hello(_ datagrams: [[UInt8]]) -> QUICHelloReader.Hello? {
    let cryptography = PlainCryptography()
    let keys = QUICInitialKeys(version: 1, destination: destination, with: cryptography)
    var reader = QUICHelloReader(keys)
    var last: QUICHelloReader.Hello?
    for datagram in datagrams {
        let packets = QUICPacketReader.packets(in: datagram)
        last = reader.take(datagram, packets, with: cryptography)
    }
    return last
}

fuzz { bytes in
    guard bytes.count < 16_000 else { return }
    _ = hello([initial(bytes)])
    let whole = hello([initial(frame(bytes[...]))])
    for size in [1, 7, 100] where bytes.count / size < 400 {
        let pieces = stride(from: 0, to: bytes.count, by: size).map { begin in
            frame(bytes[begin..<min(begin + size, bytes.count)])
        }
        require(hello([initial(pieces.flatMap(\.self))]) == whole, "pieces are the whole")
        require(hello([initial(pieces.reversed().flatMap(\.self))]) == whole, "in any order")
        let (first, second) = (pieces.prefix(pieces.count / 2), pieces.dropFirst(pieces.count / 2))
        let both = [second, first].map { initial($0.flatMap(\.self)) }
        require(hello(both) == whole, "and over datagrams")
    }
    for name in (whole?.protocols ?? []) + [whole?.serverName].compactMap(\.self) {
        require(bytes.count >= name.utf8.count, "a name is part of what came")
    }
}
