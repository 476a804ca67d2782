import Basics
import QUICWire
import SystemIO
import Testing

@testable import Proxy

struct FlowGreetingTests {
    /// The values of RFC 9001 §A.1.
    @Test func `the keys of version 1 are those of the RFC`() {
        let keys = QUICInitialKeys(
            version: QUICVersion.one,
            destination: HexadecimalText.decode("8394c8f03e515708") ?? [],
            with: OpenSSLCryptography()
        )
        #expect(HexadecimalText.encode(keys.client.key) == "1f369613dd76d5467730efcbe3b1a22d")
        #expect(HexadecimalText.encode(keys.client.nonce) == "fa044b2f42a3fd3b46fb255c")
        #expect(HexadecimalText.encode(keys.client.mask) == "9f50449e04a0e810283a1e9933adedd2")
    }

    /// The values of RFC 9369 §A.1.
    @Test func `the keys of version 2 are those of the RFC`() {
        let keys = QUICInitialKeys(
            version: QUICVersion.two,
            destination: HexadecimalText.decode("8394c8f03e515708") ?? [],
            with: OpenSSLCryptography()
        )
        #expect(HexadecimalText.encode(keys.client.key) == "8b1a0bc121284290a29e0971b5cd045d")
        #expect(HexadecimalText.encode(keys.client.nonce) == "91f73e2351d8fa91660e909f")
        #expect(HexadecimalText.encode(keys.client.mask) == "45b95e15235d6f45a6b19cbcb0294ba9")
    }

    /// Test case 3 of the GCM specification (McGrew and Viega), with a key of 128 bits.
    @Test func `what GCM sealed opens, and nothing else`() throws {
        let key = try #require(HexadecimalText.decode("feffe9928665731c6d6a8f9467308308"))
        let nonce = try #require(HexadecimalText.decode("cafebabefacedbaddecaf888"))
        let sealed = try #require(
            HexadecimalText.decode(
                "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e"
                    + "21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091473f5985"
                    + "4d5c2af327cd64a62cf35abd2ba6fab4"
            )
        )
        let content = AuthenticatedCipher.aes128GCM.open(sealed, key: key, nonce: nonce, header: [])
        #expect(content.map { HexadecimalText.encode($0.prefix(8)) } == "d9313225f88406e5")
        for place in sealed.indices {
            var other = sealed
            other[place] ^= 1
            #expect(
                AuthenticatedCipher.aes128GCM.open(other, key: key, nonce: nonce, header: []) == nil
            )
        }
        #expect(AuthenticatedCipher.aes128GCM.open([], key: key, nonce: nonce, header: []) == nil)
    }
}
