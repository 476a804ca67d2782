import Basics
import SystemIO
import Testing

@Suite struct DigestTests {
    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// The examples of FIPS 180 for "abc".
    @Test(arguments: [
        (Digest.Algorithm.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            .sha512,
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
    ])
    func `the known digests come out, however the bytes go in`(
        algorithm: Digest.Algorithm,
        expected: String
    ) {
        let buffer = TransferBuffer(capacity: 4)
        buffer.fill([0, 0x61, 0x62, 0x63])
        let digest = Digest(algorithm)
        digest.update(buffer, from: 1, count: 1)
        digest.update([0x62])
        buffer.withBytes(3..<4) { digest.update($0) }
        #expect(Self.hexadecimal(digest.value) == expected)
        #expect(digest.value.count == algorithm.byteCount)
    }

    @Test func `a copy goes on by itself, and asking for the value ends nothing`() {
        let first = Digest(.sha256)
        first.update([1])
        let copy = first.copy()
        _ = first.value
        first.update([2])
        copy.update([3])
        #expect(first.value == SHA256.digest([1, 2]))
        #expect(copy.value == SHA256.digest([1, 3]))
    }

    @Test func `random bytes differ`() {
        #expect(SecureRandom.bytes(0).isEmpty)
        #expect(SecureRandom.bytes(1_000).count == 1_000)
        let names = (0..<100).map { _ in SecureRandom.bytes(16) }
        #expect(Set(names).count == 100)
    }

    @Test func `the wall clock has a likely time`() {
        let (seconds, time) = (
            WallClock.secondsSince1970, WallClock.timeSince1970
        )
        #expect(seconds > 1_700_000_000 && time.wholeSeconds - seconds <= 1)
    }
}
