import Basics
import QUICWire
import SystemIO
import TestSupport
import Testing

@testable import Proxy

/// The examples of RFC 9001 appendix A and RFC 9369 appendix A.
struct QUICVectorTests {
    private let cryptography = OpenSSLCryptography()

    private func bytes(_ text: String) throws -> [UInt8] {
        try #require(HexadecimalText.decode(text))
    }

    @Test(
        arguments: [
            (
                QUICVersion.one, "cf3a5331653c364c88f0f379b6067e37", "0ac1493ca1905853b0bba03e",
                "c206b8d9b9f0f37644430b490eeaa314"
            ),
            (
                QUICVersion.two, "82db637861d55e1d011f19ea71d5d2a7", "dd13c276499c0249d3310652",
                "edf6d05c83121201b436e16877593c3a"
            ),
        ]
    )
    func `the server's keys follow from the client's connection id`(
        version: UInt32,
        key: String,
        nonce: String,
        mask: String
    ) throws {
        let destination = try bytes("8394c8f03e515708")
        let keys = QUICInitialKeys(version: version, destination: destination, with: cryptography)
        #expect(HexadecimalText.encode(keys.server.key) == key)
        #expect(HexadecimalText.encode(keys.server.nonce) == nonce)
        #expect(HexadecimalText.encode(keys.server.mask) == mask)
    }

    @Test func `a server's Initial opens`() throws {
        let packet = try bytes(
            "cf000000010008f067a5502a4262b5004075c0d95a482cd0991cd25b0aac406a5816b6394100f37a1c6979"
                + "7554780bb38cc5a99f5ede4cf73c3ec2493a1839b3dbcba3f6ea46c5b7684df3548e7ddeb9c3bf9c73"
                + "cc3f3bded74b562bfb19fb84022f8ef4cdd93795d77d06edbb7aaf2f58891850abbdca3d20398c2764"
                + "56cbc42158407dd074ee"
        )
        let destination = try bytes("8394c8f03e515708")
        let keys = QUICInitialKeys(version: 1, destination: destination, with: cryptography).server
        let start = try #require(QUICPacketReader.packets(in: packet).first?.numberStart)
        let header = try #require(keys.header(of: packet, numberAt: start, with: cryptography))
        #expect(header.bytes.starts(with: [0xC1]))
        #expect(header.number(after: nil) == 1)
        let frames = try #require(keys.frames(of: packet, header, number: 1, with: cryptography))
        #expect(HexadecimalText.encode(frames.prefix(9)) == "02000000000600405a")
        #expect(QUICFrameReader.frames(in: frames).map(\.text) == ["ack=0", "crypto"])
        for place in packet.indices {
            var other = packet
            other[place] ^= 1
            let header = keys.header(of: other, numberAt: start, with: cryptography)
            let frames = header.flatMap {
                keys.frames(of: other, $0, number: $0.number(after: nil), with: cryptography)
            }
            #expect(frames == nil)
        }
    }

    @Test(
        arguments: [
            (
                QUICVersion.one, "c6d98ff3441c3fe1b2182094f69caa2ed4b716b65488960a7a984979fb23e1c8",
                "e0459b3474bdd0e44a41c144",
                "25a282b9e82f06f21f488917a4fc8f1b73573685608597d0efcb076b0ab7a7a4",
                "1223504755036d556342ee9361d253421a826c9ecdf3c7148684b36b714881f9",
                "4cfe4189655e5cd55c41f69080575d7999c25a5bfb"
            ),
            (
                QUICVersion.two, "3bfcddd72bcf02541d7fa0dd1f5f9eeea817e09a6963a0e6c7df0f9a1bab90f2",
                "a6b5bc6ab7dafce30ffff5dd",
                "d659760d2ba434a226fd37b35c69e2da8211d10c4f12538787d65645d5d1b8e2",
                "c69374c49e3d2a9466fa689e49d476db5d0dfbc87d32ceeaa6343fd0ae4c7d88",
                "5558b1c60ae7b6b932bc27d786f4bc2bb20f2162ba"
            ),
        ]
    )
    func `a packet of ChaCha20-Poly1305 opens`(
        version: UInt32,
        key: String,
        nonce: String,
        mask: String,
        update: String,
        packet: String
    ) throws {
        let secret = try bytes("9ac312a7f877468ebe69422748ad00a15443f18203a07d6060f688f30f21632b")
        let keys = QUICPacketKeys(
            secret: secret,
            cipher: .chaCha20Poly1305,
            version: version,
            with: cryptography
        )
        #expect(HexadecimalText.encode(keys.key) == key)
        #expect(HexadecimalText.encode(keys.nonce) == nonce)
        #expect(HexadecimalText.encode(keys.mask) == mask)
        let next = QUICPacketKeys(
            secret: try bytes(update),
            cipher: .chaCha20Poly1305,
            version: version,
            with: cryptography
        )
        #expect(keys.next(with: cryptography).key == next.key)
        #expect(keys.next(with: cryptography).mask == keys.mask)
        let packet = try bytes(packet)
        let header = try #require(keys.header(of: packet, numberAt: 1, with: cryptography))
        #expect(HexadecimalText.encode(header.bytes) == "4200bff4")
        #expect(header.number(after: 654_360_563) == 654_360_564)
        let frames = keys.frames(of: packet, header, number: 654_360_564, with: cryptography)
        #expect(frames == [1])
    }

    /// Test case 16 of the GCM specification (McGrew and Viega), with a key of 256 bits.
    @Test func `what GCM sealed with a long key opens`() throws {
        let content = AuthenticatedCipher.aes256GCM.open(
            try bytes(
                "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
                    + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662"
                    + "76fc6ece0f4e1768cddf8853bb2d551b"
            ),
            key: try bytes("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"),
            nonce: try bytes("cafebabefacedbaddecaf888"),
            header: try bytes("feedfacedeadbeeffeedfacedeadbeefabaddad2")
        )
        #expect(content.map { HexadecimalText.encode($0.prefix(8)) } == "d9313225f88406e5")
    }

    /// Test case 2 of RFC 4231.
    @Test func `the HMAC with SHA-384 is that of the RFC`() {
        let code = SHA384.authenticationCode(
            of: Array("what do ya want for nothing?".utf8),
            key: Array("Jefe".utf8)
        )
        #expect(
            HexadecimalText.encode(code)
                == "af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e"
                + "8e2240ca5e69e2c78b3239ecfab21649"
        )
    }
}
