import TestSupport
import Testing

@testable import SystemIO

@Suite struct SocketDiagnosisTests {
    @Test(arguments: [
        SocketAddress.loopback(port: 0), .ipv6Loopback(port: 0),
    ])
    func `the kernel says what a socket has not read`(address: SocketAddress) throws {
        let listener = try ListeningSocket(on: address)
        let client = try Socket(like: address)
        let bound = listener.address
        _ = try client.connect(to: #require(bound))
        let server = try listener.accept()
        let diagnosis = SocketDiagnosis()
        let (local, remote) = (client.localAddress, client.peerAddress)
        let own = try #require(local)
        let peer = try #require(remote)
        let question = try #require(SocketDiagnosis.Question(about: own, connectedTo: peer))
        #expect(diagnosis.unreadBytes(question) == 0)
        let buffer = TransferBuffer(capacity: 12_345)
        _ = server.send(buffer, from: 0, count: 12_345)
        #expect(diagnosis.unreadBytes(question) == 12_345)
        _ = client.receive(into: buffer, limit: 345)
        #expect(diagnosis.unreadBytes(question) == 12_000)
        let strange = try #require(SocketDiagnosis.Question(about: peer, connectedTo: own))
        #expect(diagnosis.unreadBytes(strange) == 0)
        let unknown = try #require(
            SocketDiagnosis.Question(about: own, connectedTo: .loopback(port: 1))
        )
        #expect(diagnosis.unreadBytes(unknown) == nil)
    }

    @Test func `a Unix socket cannot be asked about`() {
        let address = SocketAddress.unix("/x")
        #expect(SocketDiagnosis.Question(about: address, connectedTo: address) == nil)
    }
}
