/// What a certificate says besides its names.
package struct CertificateShape: Hashable, Sendable {
    /// In seconds from now.
    package struct Validity: Hashable, Sendable {
        package let begins: Int
        package let ends: Int

        package init(from begins: Int, to ends: Int) {
            self.begins = begins
            self.ends = ends
        }

        /// Clocks differ by so much at most.
        private static let leewaySeconds = 3_600

        /// From an hour ago on.
        static func fromNow(for lifetime: Duration) -> Validity {
            Validity(from: -leewaySeconds, to: Int(lifetime.components.seconds))
        }
    }

    package enum Issuer: Hashable, Sendable {
        case authority
        case itself
        /// One that nobody has heard of.
        case unknown
    }

    package var validity = Validity.fromNow(for: .seconds(86_400))
    package var issuer = Issuer.authority
    /// Whether it is for clients, and not for servers.
    package var isForClients = false

    package init() {}

    func issued(by issuer: Issuer) -> CertificateShape {
        var shape = self
        shape.issuer = issuer
        return shape
    }
}
