import QUICWire
import Testing

struct QUICKeyLogTests {
    private func line(_ label: String, _ random: UInt8, _ secret: UInt8, _ count: Int) -> String {
        func text(_ byte: UInt8, _ count: Int) -> String {
            let digits = String(byte, radix: 16)
            return String(repeating: digits.count == 1 ? "0" + digits : digits, count: count)
        }
        return "\(label) \(text(random, 32)) \(text(secret, count))\n"
    }

    private func random(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }

    @Test func `a secret is found by label and random, whatever comes around it`() {
        let text =
            "# a comment\n" + line("CLIENT_RANDOM", 1, 2, 48)
            + line("CLIENT_TRAFFIC_SECRET_0", 1, 0xAB, 32) + "\r\n"
            + line("SERVER_TRAFFIC_SECRET_0", 1, 4, 48)
            + String(repeating: "x", count: 5_000) + "\n"
            + line("CLIENT_HANDSHAKE_TRAFFIC_SECRET", 2, 5, 32)
        var log = QUICKeyLog()
        for byte in text.utf8 { log.append([byte]) }
        #expect(log.count == 3)
        #expect(log.secret(.client, of: self.random(1)) == [UInt8](repeating: 0xAB, count: 32))
        #expect(log.secret(.server, of: self.random(1))?.count == 48)
        #expect(log.secret(.clientHandshake, of: self.random(2)) != nil)
        #expect(log.secret(.clientHandshake, of: self.random(1)) == nil)
    }

    @Test(
        arguments: [
            "CLIENT_TRAFFIC_SECRET_0 01 02", "CLIENT_TRAFFIC_SECRET_0", "", " ", "a b c d",
            "CLIENT_TRAFFIC_SECRET_1 \(String(repeating: "01", count: 32)) 02",
        ]
    )
    func `lines that are no secrets are passed over`(text: String) {
        var log = QUICKeyLog()
        log.append("\(text)\n".utf8)
        log.append(line("CLIENT_TRAFFIC_SECRET_0", 1, 1, 33).utf8)
        log.append(line("CLIENT_TRAFFIC_SECRET_0", 1, 1, 32).dropLast().utf8)
        #expect(log.count == 0)
    }

    @Test func `a long file does not fill the memory`() {
        var log = QUICKeyLog()
        for number in 0..<40_000 {
            let random = String(number + 0x10000, radix: 16)
            let padded = String(repeating: "0", count: 64 - random.count) + random
            let secret = String(repeating: "11", count: 32)
            log.append("SERVER_TRAFFIC_SECRET_0 \(padded) \(secret)\n".utf8)
        }
        #expect(log.count <= 32_768)
        let last = [UInt8](repeating: 0, count: 29) + [1, 0x9C, 0x3F]
        #expect(log.secret(.server, of: last) != nil)
    }
}
