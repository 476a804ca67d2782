internal import Faults
internal import SystemIO

/// The faults that act while TLS with a client begins.
struct HandshakeFaults {
    /// Those that have not acted, in the order in which they do.
    private(set) var waiting: [ArmedFault] = []
    /// What decides on the answer, once that is known to be so: on the certificate, on the protocol, on
    /// the client's ticket and on its early data.
    var certificate: ArmedFault?
    var taken: ArmedFault?
    var ticket: ArmedFault?
    var earlyData: ArmedFault?

    init(_ faults: [ArmedFault]) { waiting = faults }

    /// Takes out the next fault of a place.
    mutating func next(at place: Anchor.TLSPlace) -> ArmedFault? {
        guard let index = waiting.firstIndex(where: { $0.tlsPlace == place }) else { return nil }
        return waiting.remove(at: index)
    }

    /// Takes out all that have not acted.
    mutating func takeWaiting() -> [ArmedFault] {
        defer { waiting = [] }
        return waiting
    }

    /// The flaw of the certificate that is shown.
    var flaw: Effect.CertificateFlaw? {
        if case .certificate(let flaw) = certificate?.effect { flaw } else { nil }
    }

    /// The protocol that alone may be taken; nil if that is up to the upstream.
    var takenProtocol: Effect.TakenProtocol? {
        if case .alpn(let taken) = taken?.effect { taken } else { nil }
    }
}

extension Effect.CertificateFlaw {
    /// A name within what the authority of a run can vouch for, so that nothing else is wrong.
    static let wrongHost = "wrong.localhost"

    private static let day = 86_400

    /// What a certificate with this flaw says.
    var shape: CertificateShape {
        var shape = CertificateShape()
        switch self {
        case .expired: shape.validity = .init(from: -2 * Self.day, to: -Self.day)
        case .notYetValid: shape.validity = .init(from: Self.day, to: 2 * Self.day)
        case .wrongName: break
        case .selfSigned: shape.issuer = .itself
        case .noChain: shape.issuer = .unknown
        case .wrongUsage: shape.isForClients = true
        }
        return shape
    }
}
