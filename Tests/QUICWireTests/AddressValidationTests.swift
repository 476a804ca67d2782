import QUICWire
import Testing

struct AddressValidationTests {
    private func packet(_ type: QUICPacketType, hasToken: Bool = false) -> QUICPacket {
        QUICPacket(
            type: type,
            version: 1,
            destination: [],
            source: [],
            hasToken: hasToken,
            range: 0..<1
        )
    }

    @Test func `the account closest to the limit is kept`() {
        var validation = AddressValidation()
        validation.received(1_200, [packet(.initial)])
        validation.sent(1_200)
        validation.sent(2_401)
        validation.received(1_200, [packet(.initial)])
        validation.sent(1)
        #expect(validation.closest == .init(received: 1_200, sent: 3_601))
    }

    @Test(arguments: [QUICPacketType.initial, .zeroRTT, .handshake, .retry, .oneRTT])
    func `only a Handshake packet shows that answers arrive`(type: QUICPacketType) {
        var validation = AddressValidation()
        validation.received(1_200, [packet(.initial)])
        validation.received(100, [packet(type)])
        validation.sent(9_000)
        #expect((validation.closest == nil) == (type == .handshake))
    }

    @Test func `a flow with a token is not judged`() {
        var validation = AddressValidation()
        validation.received(1_200, [packet(.initial, hasToken: true)])
        validation.sent(9_000)
        #expect(validation.closest == nil && validation.isOver)
    }

    @Test func `what came before a new address still counts`() {
        var validation = AddressValidation()
        validation.received(100, [packet(.initial)])
        validation.sent(400)
        validation.end()
        validation.sent(9_000)
        #expect(validation.closest == .init(received: 100, sent: 400))
    }
}
